# A stack probe whose steps do not meet its end.
//@ export: Run run
	.type run,@function
run:
	lea r11, [rsp-20496]
2:	sub rsp, 4096
	mov qword ptr [rsp], 0
	cmp rsp, r11
	jne 2b
	add rsp, 20496
	ret
