# Many functions are refused for one reason: the error shows the function with the shortest call chain and counts the others. The analysis
# stops a path at a call of a refused function, so `run` has a separate path to each function.
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
