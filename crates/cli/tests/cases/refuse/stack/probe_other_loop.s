# Loops like a stack probe that step by less than a page, or store elsewhere than at SP.
//@ export: A_Step step
//@ export: B_Place place
	.type step,@function
step:
	lea r11, [rsp-8192]
2:	sub rsp, 2048
	mov qword ptr [rsp], 0
	cmp rsp, r11
	jne 2b
	add rsp, 8192
	ret
	.type place,@function
place:
	lea r11, [rsp-8192]
3:	sub rsp, 4096
	mov qword ptr [rsp+8], 0
	cmp rsp, r11
	jne 3b
	add rsp, 8192
	ret
