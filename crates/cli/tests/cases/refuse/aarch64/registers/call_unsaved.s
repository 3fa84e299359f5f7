// A call while the return address is saved only in a register.
//@ export: Run run
	.type run,@function
run:
	mov x19, x30
	bl callee
	ret x19
	.type callee,@function
callee:
	ret
