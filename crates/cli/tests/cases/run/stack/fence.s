# A fence as compilers write it: the word at SP, here the return address, is written back unchanged.
//@ export: Fence fence
//@ export: Deeper deeper
	.type fence,@function
fence:
	mov rax, [rdi]
	lock or qword ptr [rsp], 0
	lock or dword ptr [rsp], 0
	lock add dword ptr [rsp + 4], 0
	add rax, 3
	mov [rsi], rax
	ret
	.type deeper,@function
deeper:
	push rbx
	mov rbx, [rdi]
	lock or qword ptr [rsp], 0
	lea rax, [rbx + rbx*2]
	mov [rsi], rax
	pop rbx
	ret
