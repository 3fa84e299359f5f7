# Addresses inside functions where no function begins, and a function's address cut to 32 bits.
//@ export: A_Label label
//@ export: B_Other other
//@ export: C_Narrow narrow
	.type label,@function
label:
	lea rax, [rip + 2f]
	mov [rsi], rax
2:	ret
	.type other,@function
other:
	lea rax, [rip + 2b]
	mov [rsi], rax
	ret
	.type narrow,@function
narrow:
	lea eax, [rip + narrow]
	mov [rsi], rax
	ret
