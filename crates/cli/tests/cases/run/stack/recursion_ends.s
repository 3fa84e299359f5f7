# Code that recurses only on the way to a panic needs no budget. The bound includes one level of the recursion.
//@ goldens: analyze
//@ export: Run run
	.type run,@function
run:
	mov rax, [rdi]
	cmp rax, -3
	je 1f
	mov [rsi], rax
	ret
1:	sub rsp, 8
	call again
	ud2
	.type again,@function
again:
	sub rsp, 200
	dec rax
	jns 1f
	mov rdi, rax
	call rustgo_panic@PLT
	ud2
1:	call again
	ud2
