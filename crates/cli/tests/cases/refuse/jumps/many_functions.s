# One reason for many functions: the example with the shortest chain, and how many more there are. What calls such a function does not
# go on, so each has a way of its own.
//@ export: Run run
	.type run,@function
run:
	cmp byte ptr [rdi], 1
	jb deep
	cmp byte ptr [rdi], 2
	jb b
	cmp byte ptr [rdi], 3
	jb c
	cmp byte ptr [rdi], 4
	jb d
	cmp byte ptr [rdi], 5
	jb e
	cmp byte ptr [rdi], 6
	jb f
	jmp g
	.type deep,@function
deep:
	jmp a
	.type a,@function
a:
	push rax
	call erand48@PLT
	pop rax
	ret
	.type b,@function
b:
	push rax
	call erand48@PLT
	pop rax
	ret
	.type c,@function
c:
	push rax
	call erand48@PLT
	pop rax
	ret
	.type d,@function
d:
	push rax
	call erand48@PLT
	pop rax
	ret
	.type e,@function
e:
	push rax
	call erand48@PLT
	pop rax
	ret
	.type f,@function
f:
	push rax
	call erand48@PLT
	pop rax
	ret
	.type g,@function
g:
	push rax
	call erand48@PLT
	pop rax
	ret
