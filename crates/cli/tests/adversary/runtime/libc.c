// Functions of the C library that the test programs call and that need no operating system. In a real crate, other C code or the
// support crate defines them. They are weak symbols, because some programs define functions of these names. This file is compiled
// with -ffreestanding, and without the optimisation that would turn memcpy's loop into a call of memcpy.
#include <stddef.h>
#include <stdint.h>

#define WEAK __attribute__((weak))

WEAK void *memcpy(void *restrict to, const void *restrict from, size_t n) {
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

WEAK void *memmove(void *to, const void *from, size_t n) {
	if ((uintptr_t)to - (uintptr_t)from >= n)
		for (size_t i = 0; i < n; i++)
			((char *)to)[i] = ((const char *)from)[i];
	else
		for (size_t i = n; i-- > 0;)
			((char *)to)[i] = ((const char *)from)[i];
	return to;
}

WEAK void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return (char *)to + n;
}

WEAK void *memset(void *to, int value, size_t n) {
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)value;
	return to;
}

WEAK void bzero(void *to, size_t n) {
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = 0;
}

WEAK int memcmp(const void *a, const void *b, size_t n) {
	for (size_t i = 0; i < n; i++)
		if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
			return ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i];
	return 0;
}

WEAK int bcmp(const void *a, const void *b, size_t n) {
	for (size_t i = 0; i < n; i++)
		if (((const char *)a)[i] != ((const char *)b)[i])
			return 1;
	return 0;
}

WEAK void *memchr(const void *in, int wanted, size_t n) {
	for (size_t i = 0; i < n; i++)
		if (((const unsigned char *)in)[i] == (unsigned char)wanted)
			return (char *)in + i;
	return NULL;
}

WEAK size_t strlen(const char *s) {
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

WEAK size_t strnlen(const char *s, size_t most) {
	size_t n = 0;
	while (n < most && s[n])
		n++;
	return n;
}

WEAK char *strcpy(char *restrict to, const char *restrict from) {
	size_t i = 0;
	while ((to[i] = from[i]))
		i++;
	return to;
}

WEAK char *stpcpy(char *restrict to, const char *restrict from) {
	while ((*to = *from++))
		to++;
	return to;
}

WEAK char *strncpy(char *restrict to, const char *restrict from, size_t n) {
	size_t i = 0;
	for (; i < n && from[i]; i++)
		to[i] = from[i];
	for (; i < n; i++)
		to[i] = 0;
	return to;
}

WEAK char *strcat(char *restrict to, const char *restrict from) {
	char *end = to;
	while (*end)
		end++;
	while ((*end++ = *from++))
		;
	return to;
}

WEAK char *strncat(char *restrict to, const char *restrict from, size_t n) {
	char *end = to;
	while (*end)
		end++;
	while (n-- > 0 && *from)
		*end++ = *from++;
	*end = 0;
	return to;
}

WEAK int strcmp(const char *a, const char *b) {
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

WEAK int strncmp(const char *a, const char *b, size_t n) {
	for (; n > 0; a++, b++, n--)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

WEAK char *strchr(const char *s, int wanted) {
	for (;; s++) {
		if (*s == (char)wanted)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

WEAK char *strrchr(const char *s, int wanted) {
	const char *last = NULL;
	for (;; s++) {
		if (*s == (char)wanted)
			last = s;
		if (!*s)
			return (char *)last;
	}
}

WEAK size_t strspn(const char *s, const char *set) {
	size_t n = 0;
	for (; s[n]; n++) {
		const char *c = set;
		while (*c && *c != s[n])
			c++;
		if (!*c)
			break;
	}
	return n;
}

WEAK size_t strcspn(const char *s, const char *set) {
	size_t n = 0;
	for (; s[n]; n++)
		for (const char *c = set; *c; c++)
			if (*c == s[n])
				return n;
	return n;
}

WEAK char *strpbrk(const char *s, const char *set) {
	for (; *s; s++)
		for (const char *c = set; *c; c++)
			if (*c == *s)
				return (char *)s;
	return NULL;
}

WEAK char *strstr(const char *s, const char *wanted) {
	for (;; s++) {
		size_t i = 0;
		while (wanted[i] && s[i] == wanted[i])
			i++;
		if (!wanted[i])
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

WEAK int abs(int a) { return a < 0 ? (int)(0u - a) : a; }
WEAK long labs(long a) { return a < 0 ? (long)(0ul - a) : a; }

// With -fno-math-errno the compiler emits a single instruction.
WEAK double sqrt(double d) { return __builtin_sqrt(d); }

// A heap that only grows. Each block is preceded by its size.
static _Alignas(16) char heap[4 << 20];
static size_t used;

WEAK void *malloc(size_t n) {
	if (n > sizeof heap - 32 - used)
		return NULL;
	char *block = heap + used + 16;
	*(size_t *)(block - 16) = n;
	used += (n + 31) & ~(size_t)15;
	return block;
}

WEAK void free(void *block) { (void)block; }

WEAK void *calloc(size_t count, size_t size) {
	size_t n;
	return __builtin_mul_overflow(count, size, &n) ? NULL : malloc(n);
}

WEAK void *realloc(void *old, size_t n) {
	char *block = malloc(n);
	if (block && old)
		for (size_t i = 0, all = *(size_t *)((char *)old - 16); i < all && i < n; i++)
			block[i] = ((char *)old)[i];
	return block;
}

// The output of a program: integers, characters and strings. The output is formatted but not printed. Its length is the result of printf.
struct output {
	char *to;
	size_t room, length;
};

static void put(struct output *out, char c) {
	if (out->length < out->room)
		out->to[out->length] = c;
	out->length++;
}

static void pad(struct output *out, char c, int n) {
	for (; n > 0; n--)
		put(out, c);
}

// The flags, width and precision of a conversion, between % and the letter.
struct conversion {
	int left, zeros, alternate, width, precision;
};

static void number(struct output *out, uint64_t n, int negative, unsigned base, int upper, const struct conversion *how) {
	char digits[24];
	int count = 0, width = how->width, precision = how->precision, left = how->left;
	int prefix = how->alternate && base == 16 && n != 0 ? 2 : 0;
	for (; n > 0; n /= base)
		digits[count++] = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[n % base];
	if (precision < 0)
		precision = how->zeros && !left ? width - negative - prefix : 1;
	if (how->alternate && base == 8 && precision <= count)
		precision = count > 0 ? count + 1 : 1;
	int all = (count > precision ? count : precision) + negative + prefix;
	pad(out, ' ', left ? 0 : width - all);
	pad(out, '-', negative);
	if (prefix) {
		put(out, '0');
		put(out, upper ? 'X' : 'x');
	}
	pad(out, '0', precision - count);
	while (count > 0)
		put(out, digits[--count]);
	pad(out, ' ', left ? width - all : 0);
}

_Noreturn void adversary_abort(void);
_Noreturn void adversary_no_format(void);

WEAK int vsnprintf(char *to, size_t room, const char *format, __builtin_va_list list) {
	struct output out = {to, room ? room - 1 : 0, 0};
	for (const char *f = format; *f; f++) {
		if (*f != '%') {
			put(&out, *f);
			continue;
		}
		struct conversion how = {0, 0, 0, 0, -1};
		int longs = 0, shorts = 0;
		for (f++; *f == '-' || *f == '0' || *f == '#'; f++)
			*(*f == '-' ? &how.left : *f == '0' ? &how.zeros : &how.alternate) = 1;
		if (*f == '*')
			how.width = __builtin_va_arg(list, int), f++;
		for (; *f >= '0' && *f <= '9'; f++)
			how.width = how.width * 10 + *f - '0';
		if (*f == '.') {
			how.precision = 0;
			if (*++f == '*')
				how.precision = __builtin_va_arg(list, int), f++;
			for (; *f >= '0' && *f <= '9'; f++)
				how.precision = how.precision * 10 + *f - '0';
		}
		for (; *f == 'l' || *f == 'z' || *f == 'h'; f++)
			*(*f == 'h' ? &shorts : &longs) += 1;
		int width = how.width, left = how.left, precision = how.precision;
		switch (*f) {
		case 'd':
		case 'i': {
			int64_t n = longs ? __builtin_va_arg(list, int64_t) : __builtin_va_arg(list, int);
			n = shorts == 1 ? (short)n : shorts ? (signed char)n : n;
			number(&out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, n < 0, 10, 0, &how);
			break;
		}
		case 'u':
		case 'o':
		case 'x':
		case 'X': {
			uint64_t n = longs ? __builtin_va_arg(list, uint64_t) : __builtin_va_arg(list, unsigned);
			n = shorts == 1 ? (unsigned short)n : shorts ? (unsigned char)n : n;
			number(&out, n, 0, *f == 'u' ? 10 : *f == 'o' ? 8 : 16, *f == 'X', &how);
			break;
		}
		case 'p':
			how.alternate = 1;
			number(&out, (uint64_t)__builtin_va_arg(list, void *), 0, 16, 0, &how);
			break;
		case 'c':
			put(&out, (char)__builtin_va_arg(list, int));
			break;
		case 's': {
			const char *s = __builtin_va_arg(list, const char *);
			int n = 0;
			while ((precision < 0 || n < precision) && s[n])
				n++;
			pad(&out, ' ', left ? 0 : width - n);
			for (int i = 0; i < n; i++)
				put(&out, s[i]);
			pad(&out, ' ', left ? width - n : 0);
			break;
		}
		case '%':
			put(&out, '%');
			break;
		default:
			// Doubles and other conversions are not supported.
			adversary_no_format();
		}
	}
	if (room)
		to[out.length < out.room ? out.length : out.room] = 0;
	return (int)out.length;
}

#define FORMAT(to, room) \
	__builtin_va_list list; \
	__builtin_va_start(list, format); \
	int n = vsnprintf(to, room, format, list); \
	__builtin_va_end(list); \
	return n;

WEAK int vsprintf(char *to, const char *format, __builtin_va_list list) { return vsnprintf(to, 1 << 20, format, list); }
WEAK int sprintf(char *to, const char *format, ...) { FORMAT(to, 1 << 20) }
WEAK int snprintf(char *to, size_t room, const char *format, ...) { FORMAT(to, room) }
WEAK int vprintf(const char *format, __builtin_va_list list) { return vsnprintf(NULL, 0, format, list); }
WEAK int printf(const char *format, ...) { FORMAT(NULL, 0) }
WEAK int puts(const char *s) { return (int)strlen(s) + 1; }
WEAK int putchar(int c) { return (unsigned char)c; }
WEAK void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { adversary_abort(); }
