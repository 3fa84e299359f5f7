// Zero-initialised statics that need more alignment than Go provides: the low bits of their addresses, their contents before and after
// writes, several in one section, accesses between instructions that set and read flags, atomics.
//@ goldens: lower
//@ export: Run run
	.macro low symbol, align
	adrp x9, \symbol
	add x9, x9, :lo12:\symbol
	and x9, x9, #(\align-1)
	add x8, x8, x9
	.endm
	.section .text.run,"ax",@progbits
	.type run,@function
run:
	ldr x2, [x0]
	adrp x3, lanes+8
	ldr x8, [x3, :lo12:lanes+8]
	mvn x8, x8
	str x2, [x3, :lo12:lanes+8]
	adrp x4, lanes+16
	add x4, x4, :lo12:lanes+16
1:	ldaxr x5, [x4]
	add x5, x5, x2
	stlxr w6, x5, [x4]
	cbnz w6, 1b
	adrp x7, second
	cmp x2, #100
	ldr x6, [x7, :lo12:second]
	add x7, x7, :lo12:second
	cinc x6, x6, lo
	str x6, [x7]
	eor x8, x8, x6, ror #3
	add x8, x8, x5
	adrp x10, page+5000
	ldr x11, [x10, :lo12:page+5000]
	add x11, x11, x8
	str x11, [x10, :lo12:page+5000]
	eor x8, x8, x11, lsl #3
	adrp x10, :got:huge
	ldr x10, [x10, :got_lo12:huge]
	ldr x11, [x10]
	add x11, x11, #1
	str x11, [x10]
	add x8, x8, x11
	and x10, x10, #65535
	add x8, x8, x10
	adrp x10, empty
	add x10, x10, :lo12:empty
	ldr x11, [x10, #4088]
	add x8, x8, x11
	adrp x10, constants
	add x10, x10, :lo12:constants
	ldr x11, [x10, #2040]
	add x8, x8, x11
	low constants, 2048
	low lanes, 64
	low second, 128
	low kilo, 1024
	low page, 4096
	low huge, 65536
	low empty, 4096
	str x8, [x1]
	adrp x3, lanes
	str xzr, [x3, :lo12:lanes+8]
	str xzr, [x3, :lo12:lanes+16]
	adrp x7, second
	str xzr, [x7, :lo12:second]
	adrp x10, page+5000
	str xzr, [x10, :lo12:page+5000]
	adrp x10, :got:huge
	ldr x10, [x10, :got_lo12:huge]
	str xzr, [x10]
	ret

	.section .bss.lanes,"aw",@nobits
	.p2align 6
lanes:
	.zero 64
	.p2align 7
second:
	.zero 64
	.section .data.kilo,"aw",@progbits
	.p2align 10
kilo:
	.zero 1024
	.section .bss.page,"aw",@nobits
	.p2align 12
page:
	.zero 8192
	.section .bss.huge,"aw",@nobits
	.p2align 16
	.globl huge
huge:
	.zero 70008
	.section .rodata.empty,"a",@progbits
	.p2align 12
empty:
	.zero 4096
	.section .rodata.constants,"a",@progbits
	.p2align 11
constants:
	.zero 2040
	.quad 3
