// A frame is reached by an index that begins at a large number, from an address as far below: clang puts the number there. And the red zone is
// reached so, which is the function's all the same.
//@ export: Run run
	.text
	.type run,@function
run:
	sub rsp, 40
	mov rax, [rdi]
	mov ecx, 0x6000000
	mov [rsp + rcx*8 - 0x2ffffff8], rax
	add rax, [rsp + 8]
	call red_zone
	mov [rsi], rax
	add rsp, 40
	ret
	.section .text.red_zone,"ax",@progbits
	.type red_zone,@function
red_zone:
	mov ecx, 0x6000000
	mov [rsp + rcx*8 - 0x30000078], rax
	not rax
	add rax, [rsp + rcx*8 - 0x30000078]
	ret
