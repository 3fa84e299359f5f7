// Data holds the address of a static whose alignment of 64 bytes makes its address known only at run time.
//@ export: Run run
	.type run,@function
run:
	adrp x8, pointer
	ldr x9, [x8, :lo12:pointer]
	str x9, [x1]
	ret
	.section .bss.lanes,"aw",@nobits
	.p2align 6
lanes:
	.zero 64
	.section .data.rel.ro.pointer,"aw",@progbits
	.p2align 3
pointer:
	.quad lanes
