# Three functions in a circle.
//@ export: Run run
	.type run,@function
run:
	push rax
	call first
	pop rax
	ret
	.type first,@function
first:
	push rax
	call second
	pop rax
	ret
	.type second,@function
second:
	push rax
	call third
	pop rax
	ret
	.type third,@function
third:
	push rax
	test rax, rax
	je 2f
	call first
2:	pop rax
	ret
