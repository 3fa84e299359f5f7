// These are the offsets of the runtime's fields that a call uses, for Go 1.24. offsets_go124.go has the same values for Go code, and TestOffsets
// compares both with DWARF. The g_ offsets and m_g0 are equal on every system.
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
