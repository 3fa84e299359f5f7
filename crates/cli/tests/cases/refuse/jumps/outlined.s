# What LLVM's outliner makes: it writes to the frame of its caller.
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
