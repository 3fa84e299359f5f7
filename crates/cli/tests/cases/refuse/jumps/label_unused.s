# Data holds an address inside a function, which is read as a number; lowering changes the function's layout and so the address.
//@ export: Run run
	.type run,@function
run:
	mov rax, [rip+labels]
	mov [rsi], rax
.Lhere:
	ret
	.section .data.rel.ro.labels,"aw",@progbits
	.p2align 3
labels:
	.quad .Lhere
