// A mapping symbol stands where another section's reference leads, with a dot and without, beside a label with a
// longer name and alone. `$xylophone` is a name like any other.
//@ member: map
//@ export: Map shim
	.section .text.shim,"ax",@progbits
	.type shim,@function
shim:
	bl first_label
	adrp x0, second_label
	bl $x.7
	bl $xylophone
	ret

	.text
	ret
	.word 1
first_label:
	ret
second_label:
	.word 2
$x.7:
	ret
$d.8:
	.word 3
$xylophone:
	ret

	.data
	.xword $d.8
