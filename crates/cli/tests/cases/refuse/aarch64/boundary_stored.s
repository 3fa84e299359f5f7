// What a variadic function keeps: where its arguments on the stack begin, or where a buffer of its own ends.
// export Run run
	.type run,@function
run:
	sub sp, sp, #32
	add x8, sp, #32
	str x8, [sp, #8]
	add sp, sp, #32
	ret
