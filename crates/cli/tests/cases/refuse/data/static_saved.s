# SP, and the value of rbp on entry, are saved in statics, which another function or another call may overwrite.
//@ export: A_Stack stack
//@ export: B_Saved saved
	.type stack,@function
stack:
	push rbx
	mov [rip + cell], rsp
	call other
	pop rbx
	ret
	.type other,@function
other:
	mov rsp, [rip + cell]
	ret

	.type saved,@function
saved:
	push rbp
	xor ebp, ebp
	call keeps
	mov rbp, rsp
	sub rsp, 32
	call gives
	mov rsp, rbp
	pop rbp
	ret
	.type keeps,@function
keeps:
	mov [rip + kept], rbp
	ret
	.type gives,@function
gives:
	mov rbp, [rip + kept]
	ret

	.section .bss.cell,"aw",@nobits
	.balign 8
cell:	.zero 8
	.section .bss.kept,"aw",@nobits
	.balign 8
kept:	.zero 8
