// An address without a relocation.
// export Run run
	.type run,@function
run:
	adr x9, run
	ret
