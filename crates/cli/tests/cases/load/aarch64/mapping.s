// Mapping symbols ($x, $d) at addresses that other sections refer to: with and without a dotted suffix, next to a label with a
// longer name, and as the only symbol. `$xylophone` is an ordinary name.
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
