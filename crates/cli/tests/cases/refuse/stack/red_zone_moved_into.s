# SP moves down past words of the red zone while flags are live that cannot be set again.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	mov [rsp-8], rax
	lea rcx, [rax+rax*2]
	mov [rsp-16], rcx
	cmp qword ptr [rsp-8], 100
	lea rsp, [rsp-24]
	ja 1f
	mov rax, [rsp+16]
	add rax, [rsp+8]
	mov [rsi], rax
	lea rsp, [rsp+24]
	ret
1:	mov rax, [rsp+8]
	mov [rsi], rax
	lea rsp, [rsp+24]
	ret
