// A caller passes the largest number of argument bytes that a function copies. Another caller passes fewer bytes, from a smaller frame.
//@ goldens: analyze
//@ bounds: hold
//@ export: Run run
//@ export: Small small
	.type run,@function
run:
	sub sp, sp, #1, lsl #12
	str x30, [sp, #4088]
	str x19, [sp, #4080]
	mov x19, x1
	ldr x8, [x0]
	str x8, [sp]
	add x8, x8, #5
	str x8, [sp, #4072]
	mov x0, #4072
	bl list
	str x0, [x19]
	ldr x30, [sp, #4088]
	ldr x19, [sp, #4080]
	add sp, sp, #1, lsl #12
	ret
	.type small,@function
small:
	sub sp, sp, #32
	stp x30, x19, [sp, #16]
	mov x19, x1
	ldr x8, [x0]
	stp x8, x8, [sp]
	mov x0, #8
	bl list
	str x0, [x19]
	ldp x30, x19, [sp, #16]
	add sp, sp, #32
	ret

	.section .text.list,"ax",@progbits
	.type list,@function
list:
	str x30, [sp, #-16]!
	mov x1, x0
	add x0, sp, #16
	bl callee
	ldr x30, [sp], #16
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x8, [x0]
	ldr x9, [x0, x1]
	add x0, x8, x9, lsl #1
	ret
