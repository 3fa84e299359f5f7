// exit and abort for the test programs: they panic like Rust code, with a message that says which function was called. Go recovers the
// panic; the native program (native.c) prints the message. In the programs, exit and abort are renamed to these functions, because the
// native program itself uses the C library's.
#include <stddef.h>
#include <stdint.h>

_Noreturn void rustgo_panic(const char *how);

static char how[16];

_Noreturn void adversary_exit(int code) {
	char *to = how;
	unsigned status = code & 0xff;
	for (const char *from = "exit "; *from; from++)
		*to++ = *from;
	if (status >= 100)
		*to++ = '0' + status / 100;
	if (status >= 10)
		*to++ = '0' + status / 10 % 10;
	*to++ = '0' + status % 10;
	*to = 0;
	rustgo_panic(how);
}

_Noreturn void adversary_abort(void) { rustgo_panic("abort"); }

// The program cannot be tested: it uses a format that libc.c does not support.
_Noreturn void adversary_no_format(void) { rustgo_panic("no format"); }

// The struct that rt passes to the function that formats panic messages (docs/abi.md).
struct report {
	char *message;
	size_t capacity, length;
	const char *file;
	size_t file_length;
	uint32_t line, column;
};

void rustgo_format_panic(const char *how, struct report *report) {
	size_t length = 0;
	for (; how[length] && length < report->capacity; length++)
		report->message[length] = how[length];
	report->length = length;
	report->file = NULL;
	report->file_length = 0;
	report->line = report->column = 0;
}
