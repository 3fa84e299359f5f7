# The word of the return address is overwritten through a known pointer, and by cmpxchg, which writes only if the comparison succeeds.
//@ export: A_Pointer pointer
//@ export: B_Compare compare
	.type pointer,@function
pointer:
	lea r11, [rsp - 64]
	mov [r11 + 64], rax
	ret
	.type compare,@function
compare:
	cmpxchg [rsp], rdx
	ret
