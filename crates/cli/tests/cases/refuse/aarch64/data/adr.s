// An address inside a function, without a relocation.
//@ export: Run run
	.type run,@function
run:
	adr x9, .Linside
.Linside:
	ret
