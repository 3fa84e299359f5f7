# A loop like a stack probe whose steps of two pages pass its end.
//@ export: Run run
	.type run,@function
run:
	lea r11, [rsp-12288]
2:	sub rsp, 8192
	mov qword ptr [rsp], 0
	cmp rsp, r11
	jne 2b
	add rsp, 12288
	ret
