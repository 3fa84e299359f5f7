// The native program: runs each test program in a separate process and prints a line with its outcome. programs.h lists the programs.
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct report {
	char *message;
	size_t capacity, length;
	const char *file;
	size_t file_length;
	uint32_t line, column;
};
void rustgo_format_panic(const void *info, struct report *report);

static const char *running;

_Noreturn void rustgo_panic(const void *info) {
	char message[64];
	struct report report = {message, sizeof message};
	rustgo_format_panic(info, &report);
	printf("%s panicked %.*s\n", running, (int)report.length, message);
	fflush(stdout);
	_exit(0);
}

typedef void Shim(const uint64_t *x, uint64_t *result);

// The number of seconds that a program may run. A slower program is not used as a test.
#ifndef LIMIT
#define LIMIT 2
#endif

static void run(const char *name, Shim *shim) {
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		perror("fork"), exit(1);
	if (child == 0) {
		uint64_t x = 0, result = 0;
		running = name;
		alarm(LIMIT);
		shim(&x, &result);
		printf("%s returned %llu\n", name, (unsigned long long)result);
		fflush(stdout);
		_exit(0);
	}
	int status = 0;
	if (waitpid(child, &status, 0) < 0)
		perror("waitpid"), exit(1);
	if (WIFSIGNALED(status))
		printf("%s %s\n", name, WTERMSIG(status) == SIGALRM ? "is too slow" : "is killed by a signal");
	else if (WEXITSTATUS(status) != 0)
		printf("%s ends by itself\n", name);
}

#define PROGRAM(name) Shim name;
#include "programs.h"
#undef PROGRAM

int main(void) {
#define PROGRAM(name) run(#name, name);
#include "programs.h"
}
