# Recursive functions whose callees push r11 and use the saved word other than to restore r11. So r11 is live at the stack check, which
# overwrites it. r11 is live too if every callee restores it and a caller reads it.
//@ export: Read read 16384
//@ export: Popped popped 16384
//@ export: After after 16384
//@ export: Part part 16384
//@ export: Address address 16384
//@ export: Wanted wanted 16384
	.type read,@function
read:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	mov rdi, r11
	and edi, 15
	call read_countdown
	mov [rbx], rax
	pop rbx
	ret
	.type read_countdown,@function
read_countdown:
	push rax
	call read_last
	dec edi
	js 2f
	call read_countdown
2:	pop rcx
	ret
	# The saved word is read.
	.type read_last,@function
read_last:
	push r11
	mov rax, [rsp]
	pop r11
	ret
	.type popped,@function
popped:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	mov rdi, r11
	and edi, 15
	call popped_countdown
	mov [rbx], rax
	pop rbx
	ret
	.type popped_countdown,@function
popped_countdown:
	push rax
	call popped_last
	dec edi
	js 2f
	call popped_countdown
2:	pop rcx
	ret
	# The saved word is popped into another register.
	.type popped_last,@function
popped_last:
	push r11
	pop rax
	ret
	.type after,@function
after:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	mov rdi, r11
	and edi, 15
	call after_countdown
	mov [rbx], rax
	pop rbx
	ret
	.type after_countdown,@function
after_countdown:
	push rax
	call after_last
	dec edi
	js 2f
	call after_countdown
2:	pop rcx
	ret
	# r11 is read after it is restored.
	.type after_last,@function
after_last:
	push r11
	mov r11, rdi
	pop r11
	mov rax, r11
	ret
	.type part,@function
part:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	mov rdi, r11
	and edi, 15
	call part_countdown
	mov [rbx], rax
	pop rbx
	ret
	.type part_countdown,@function
part_countdown:
	push rax
	call part_last
	dec edi
	js 2f
	call part_countdown
2:	pop rcx
	ret
	# One byte of the saved word is read.
	.type part_last,@function
part_last:
	push r11
	movzx eax, byte ptr [rsp+7]
	pop r11
	ret
	.type address,@function
address:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	mov rdi, r11
	and edi, 15
	call address_countdown
	mov [rbx], rax
	pop rbx
	ret
	.type address_countdown,@function
address_countdown:
	push rax
	call address_last
	dec edi
	js 2f
	call address_countdown
2:	pop rcx
	ret
	# The address of the saved word is made.
	.type address_last,@function
address_last:
	push r11
	lea rcx, [rsp]
	mov rax, [rcx]
	pop r11
	ret
	.type wanted,@function
wanted:
	push rbx
	mov rbx, rsi
	mov r11, [rdi]
	mov rdi, r11
	and edi, 15
	call wanted_countdown
	add rax, r11
	mov [rbx], rax
	pop rbx
	ret
	.type wanted_countdown,@function
wanted_countdown:
	push rax
	call wanted_last
	dec edi
	js 2f
	call wanted_countdown
2:	pop rcx
	ret
	# r11 is restored, and the caller reads it.
	.type wanted_last,@function
wanted_last:
	push r11
	mov r11, rdi
	mov rax, r11
	pop r11
	ret
