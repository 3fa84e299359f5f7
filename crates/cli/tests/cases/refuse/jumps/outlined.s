# A function made by LLVM's outliner: it writes to its caller's frame.
//@ export: Run run
	.type run,@function
run:
	push rbp
	mov rbp, rsp
	sub rsp, 16
	call OUTLINED_FUNCTION_0
	leave
	ret
	.type OUTLINED_FUNCTION_0,@function
OUTLINED_FUNCTION_0:
	mov qword ptr [rbp - 8], rdi
	ret
