# Frames of 1,020 KiB and 8 KiB, which together exceed the limit of 1 MiB.
//@ export: Run run
	.type run,@function
run:
	sub rsp, 1044488
	mov [rsp], rdi
	call inner
	add rsp, 1044488
	ret
	.type inner,@function
inner:
	sub rsp, 8200
	mov [rsp], rdi
	add rsp, 8200
	ret
