# A branch into the middle of an instruction.
//@ export: Run run
	.type run,@function
run:
	.byte 0xeb, 2
	mov eax, 0x90909090
	ret
