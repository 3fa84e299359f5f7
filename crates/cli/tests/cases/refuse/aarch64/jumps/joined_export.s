// An export jumps to a function that copies its stack arguments: above the export lies Go's frame, which must not be read.
//@ export: Run run 4096
	.type run,@function
run:
	b list
	.type list,@function
list:
	sub sp, sp, #48
	str x30, [sp, #32]
	cbz x0, 1f
	str x0, [sp]
	mov x0, #0
	bl list
1:	add x0, sp, #48
	bl callee
	ldr x30, [sp, #32]
	add sp, sp, #48
	ret

	.section .text.callee,"ax",@progbits
	.type callee,@function
callee:
	ldr x0, [x0]
	ret
