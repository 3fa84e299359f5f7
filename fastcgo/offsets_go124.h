// The offsets of the runtime's fields that a call needs, in Go 1.24. layout.go has the same numbers for Go, and TestOffsets compares them with
// DWARF. The first four hold on every system.
#define g_stack_lo 0
#define g_m 48
#define g_sched_sp 56
#define g_sched_pc 64
#define g_throwsplit 191
#define m_g0 0
#ifdef GOOS_windows
#define m_libcallpc 832
#define m_libcallsp 840
#define m_libcallg 848
#else
#define m_vdsoSP 904
#define m_vdsoPC 912
#endif
