# Code overwrites the return address through a known pointer, and by cmpxchg, which stores a new value only if the comparison succeeds.
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
