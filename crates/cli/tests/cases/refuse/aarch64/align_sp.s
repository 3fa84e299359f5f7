// A frame aligned beyond 16 bytes.
// export Run run
	.type run,@function
run:
	sub x9, sp, #64
	and sp, x9, #0xffffffffffffffe0
	ret
