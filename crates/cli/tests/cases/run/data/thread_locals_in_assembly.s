# Thread-local variables as compilers access them in the general dynamic and the local dynamic model: several sections, one with a pointer.
//@ export: Own own
//@ export: Table table
	.type own,@function
own:
	push rbx
	push r14
	push r15
	mov rbx, [rdi]
	mov r14, rsi
	.byte 0x66
	lea rdi, [rip+second@TLSGD]
	.byte 0x66, 0x66, 0x48
	call __tls_get_addr@PLT
	mov rcx, [rax]
	mov [rax+8], rbx
	lea r15, [rcx+rcx*2]
	.byte 0x66
	lea rdi, [rip+first@TLSGD]
	.byte 0x66, 0x66, 0x48
	call __tls_get_addr@PLT
	add r15, [rax]
	lea rdi, [rip+second@TLSLD]
	call __tls_get_addr@PLT
	add r15, [rax+second@DTPOFF+8]
	mov [r14], r15
	pop r15
	pop r14
	pop rbx
	ret
	.type table,@function
table:
	push rbx
	push r14
	push r15
	mov rbx, [rdi]
	mov r14, rsi
	.byte 0x66
	lea rdi, [rip+where@TLSGD]
	.byte 0x66, 0x66, 0x48
	call __tls_get_addr@PLT
	mov rax, [rax]
	and ebx, 3
	mov rax, [rax+rbx*8]
	mov [r14], rax
	pop r15
	pop r14
	pop rbx
	ret
	.section .tdata.first,"awT",@progbits
	.p2align 3
first:
	.quad 1000001
	.section .tdata.second,"awT",@progbits
	.p2align 6
second:
	.quad 77
	.quad 0
	.section .tdata.where,"awT",@progbits
	.p2align 3
where:
	.quad numbers
	.section .rodata.numbers,"a",@progbits
	.p2align 3
numbers:
	.quad 3, 5, 7, 11
