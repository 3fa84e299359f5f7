// The register of thread-local storage.
//@ export: Run run
	.type run,@function
run:
	mrs x9, tpidr_el0
	ret
