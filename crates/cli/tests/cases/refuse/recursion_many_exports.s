# One recursive function that several exports need: one message.
//@ export: First first
//@ export: Second second
	.type first,@function
first:
	push rax
	call walk
	pop rax
	ret
	.type second,@function
second:
	jmp walk
	.type walk,@function
walk:
	push rax
	dec rax
	je 2f
	call walk
2:	pop rax
	ret
