// A frame is accessed by an index that starts at a large number, from an address equally far below: clang moves the number there. The red zone is
// accessed in the same way and still belongs to the function.
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
