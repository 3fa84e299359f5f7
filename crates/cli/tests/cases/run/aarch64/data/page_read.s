// Upper parts of addresses that are read as numbers: by an instruction, by a callee or a jump's target, after a return, as a stack argument,
// where another path has another number, in parts, and after the address is completed.
//@ goldens: lower
//@ export: A_Number number
//@ export: B_HandedOver handed_over
//@ export: C_Unusual unusual
//@ export: D_Saved saved
//@ export: E_Returned returned
//@ export: F_Stacked stacked
//@ export: G_Joined joined
//@ export: H_JoinedKept joined_kept
//@ export: I_Half half
//@ export: J_Somewhere somewhere
//@ export: K_Completed completed
//@ export: L_Tail tail
//@ export: M_OverCall over_call
//@ export: N_Patched patched
//@ export: O_Stored stored
//@ export: P_KeptHalf kept_half
	.globl number
number:
	mov x8, #77
	adrp x8, value
	adrp x9, value+16
	add x9, x9, :lo12:value+16
	sub x9, x9, #16
	and x9, x9, #-4096
	sub x8, x9, x8
	str x8, [x1]
	ret

// In a register that arguments are passed in.
	.globl handed_over
handed_over:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	mov x0, #77
	adrp x0, value
	bl low
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type low,@function
low:
	and x0, x0, #0xfff
	ret

// In a register that no arguments are passed in.
	.globl unusual
unusual:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	mov x13, #77
	adrp x13, value
	bl low_unusual
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type low_unusual,@function
low_unusual:
	and x0, x13, #0xfff
	ret

// In a callee-saved register, which a function reads that the callee calls.
	.globl saved
saved:
	stp x30, x19, [sp, #-32]!
	str x20, [sp, #16]
	mov x19, x1
	mov x20, #77
	adrp x20, value
	bl saves
	str x0, [x19]
	ldr x20, [sp, #16]
	ldp x30, x19, [sp], #32
	ret
	.type saves,@function
saves:
	stp x30, x20, [sp, #-16]!
	bl low_saved
	mov x20, #5
	add x0, x0, x20
	ldp x30, x20, [sp], #16
	ret
	.type low_saved,@function
low_saved:
	and x0, x20, #0xfff
	ret

	.globl returned
returned:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	bl returns
	and x0, x0, #0xfff
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type returns,@function
returns:
	mov x0, #77
	adrp x0, value
	ret

// As an argument on the stack.
	.globl stacked
stacked:
	sub sp, sp, #32
	stp x30, x19, [sp, #16]
	mov x19, x1
	mov x8, #77
	adrp x8, value
	str x8, [sp]
	bl low_stacked
	str x0, [x19]
	ldp x30, x19, [sp, #16]
	add sp, sp, #32
	ret
	.type low_stacked,@function
low_stacked:
	ldr x0, [sp]
	and x0, x0, #0xfff
	ret

// One path has another number.
	.globl joined
joined:
	ldr x9, [x0]
	mov x8, #4096
	tbz x9, #0, 1f
	mov x8, #77
	adrp x8, value
1:	and x8, x8, #0xfff
	str x8, [x1]
	ret

// The same, in a word of the frame.
	.globl joined_kept
joined_kept:
	sub sp, sp, #16
	ldr x9, [x0]
	mov x8, #4096
	str x8, [sp, #8]
	tbz x9, #0, 1f
	mov x8, #77
	adrp x8, value
	str x8, [sp, #8]
1:	ldr x8, [sp, #8]
	and x8, x8, #0xfff
	str x8, [x1]
	add sp, sp, #16
	ret

// A part of it is read from the frame.
	.globl half
half:
	sub sp, sp, #32
	mov x8, #77
	adrp x8, value
	str x8, [sp, #8]
	ldrh w9, [sp, #8]
	and x9, x9, #0xfff
	str x9, [x1]
	add sp, sp, #32
	ret

// Its lower half is kept in the frame.
	.globl kept_half
kept_half:
	sub sp, sp, #32
	mov x8, #77
	adrp x8, value
	str w8, [sp, #16]
	ldr w10, [sp, #16]
	and x10, x10, #0xfff
	str x10, [x1]
	add sp, sp, #32
	ret

// At an indexed place of the frame.
	.globl somewhere
somewhere:
	sub sp, sp, #32
	ldr x9, [x0]
	and x9, x9, #3
	mov x8, #77
	adrp x8, value
	str x8, [sp, x9, lsl #3]
	ldr x8, [sp, x9, lsl #3]
	and x8, x8, #0xfff
	str x8, [x1]
	add sp, sp, #32
	ret

// Completing the address leaves the register with the upper part unchanged.
	.globl completed
completed:
	mov x8, #77
	adrp x8, value
	ldr x9, [x8, :lo12:value+8]
	add x10, x8, :lo12:value
	adrp x11, written
	str x9, [x11, :lo12:written]
	and x8, x8, #0xfff
	and x11, x11, #0xfff
	ldr x10, [x10]
	add x9, x9, x10
	add x9, x9, x8
	add x9, x9, x11
	str x9, [x1]
	ret

	.globl tail
tail:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	bl jumps
	str x0, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type jumps,@function
jumps:
	mov x13, #77
	adrp x13, value
	b low_unusual

// In a register that the callee replaces on one path.
	.globl over_call
over_call:
	stp x30, x19, [sp, #-16]!
	mov x19, x1
	ldr x0, [x0]
	mov x13, #77
	adrp x13, value
	bl replaces
	and x13, x13, #0xfff
	str x13, [x19]
	ldp x30, x19, [sp], #16
	ret
	.type replaces,@function
replaces:
	tbz x0, #0, 1f
	mov x13, #9
1:	ret

// One byte of the saved word is overwritten.
	.globl patched
patched:
	sub sp, sp, #16
	mov x8, #0x777
	adrp x8, value
	str x8, [sp, #8]
	mov w9, #7
	strb w9, [sp, #8]
	ldr x8, [sp, #8]
	and x8, x8, #0xfff
	str x8, [x1]
	add sp, sp, #16
	ret

// In memory outside the frame.
	.globl stored
stored:
	mov x8, #77
	adrp x8, value
	str x8, [x1]
	ldr x8, [x1]
	and x8, x8, #0xfff
	str x8, [x1]
	ret

	.section .rodata.value,"a",@progbits
	.p2align 4
value:
	.xword 5, 7, 11
	.section .bss.written,"aw",@nobits
	.p2align 3
written:
	.xword 0
