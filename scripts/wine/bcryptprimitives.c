/* The one function of bcryptprimitives.dll that Go needs (since 1.21), for versions of Wine that have no such library.
   SystemFunction036 is RtlGenRandom. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
	while (length > 0) {
		ULONG part = length > 0x10000000 ? 0x10000000 : (ULONG)length;
		if (!SystemFunction036(data, part))
			return FALSE;
		data += part;
		length -= part;
	}
	return TRUE;
}
