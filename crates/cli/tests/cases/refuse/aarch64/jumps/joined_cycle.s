// Jumps in a circle need no stack, but where one of them became a call.
//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	str x30, [sp, #16]
	bl list
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
	.type list,@function
list:
	mov x8, sp
	stp x8, x8, [x0]
	cbnz x1, back
	ret
	.type back,@function
back:
	sub x1, x1, #1
	b list
