# Only a part of SP is written.
//@ export: A_Half half
//@ export: B_Quarter quarter
	.type half,@function
half:
	add esp, 8
	ret
	.type quarter,@function
quarter:
	mov sp, ax
	ret
