//go:build cgo && !((darwin || windows) && (amd64 || arm64))

// Calls a C function whose type is known only at run time, in plain C. One function type serves for all calls: enough words to fill the integer
// registers and the stack, followed by floats to fill the floating-point registers. The compiler places them as the calling convention requires, and
// the function place assigns each argument to a word or a float. The called function ignores the words and floats beyond its own parameters. This works
// in all conventions in which the caller removes the arguments from the stack.

#include <errno.h>
#include <stdint.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#endif

typedef uintptr_t word;

// call has the layout of Go's plain.Call.
typedef struct {
	uint64_t args[20]; // integers extended to 64 bits as their type requires, floats as their bits
	uint64_t result;
	uint64_t fn;
	uint64_t count;
	char kinds[24]; // the result's kind, then the arguments': see plain.Call
	uint64_t errno_func, error;
} call;

#define KNOWN 1
#define LIST8(x, i) x(i), x(i + 1), x(i + 2), x(i + 3), x(i + 4), x(i + 5), x(i + 6), x(i + 7)
#define WORD(i) w[i]
#define DOUBLE(i) d[i]
#define TYPE_WORD(i) word
#define TYPE_DOUBLE(i) double

#if UINTPTR_MAX > 0xffffffff

// On 64-bit machines an argument is one word. INTS and FLOATS are the numbers of registers. FLOAT converts a float's bits to the contents of a
// register, STACK_FLOAT to a word on the stack. INT converts an integer of up to 32 bits to the contents of a register.
#define WORDS 24
#define FLOAT(v) (v)
#define STACK_FLOAT(v) (v)
#define INT(v) (v)
#if defined(__x86_64__) // System V
#define INTS 6
#define FLOATS 8
#elif defined(__aarch64__)
#define INTS 8
#define FLOATS 8
#elif defined(__riscv) && defined(__riscv_float_abi_double) || defined(__loongarch__) && defined(__loongarch_double_float)
#define INTS 8
#define FLOATS 8
#undef FLOAT
#define FLOAT(v) ((v) | 0xffffffff00000000)
#undef INT
#define INT(v) ((uint64_t)(int32_t)(v))
#elif defined(__s390x__)
#define INTS 5
#define FLOATS 4
#undef FLOAT
#define FLOAT(v) ((v) << 32)
#elif defined(__powerpc64__) // a float in a register also uses up a word, and has the format of a double
#define INTS WORDS
#define FLOATS 8
#define SHADOWED
#undef FLOAT
#define FLOAT(v) widened((uint32_t)(v))
#elif defined(__mips64) && !defined(__mips_soft_float) // n64: the position selects the register, for integers and floats
#define INTS WORDS
#define FLOATS 8
#define SELECTED
#undef INT
#define INT(v) ((uint64_t)(int32_t)(v))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#undef STACK_FLOAT
#define STACK_FLOAT(v) ((v) << 32)
#endif
#else
#undef KNOWN
#define KNOWN 0
#define INTS 0
#define FLOATS 0
#endif

#ifdef SHADOWED
static uint64_t widened(uint32_t bits) {
	float f;
	double d;
	uint64_t v;
	memcpy(&f, &bits, 4);
	d = f;
	memcpy(&v, &d, 8);
	return v;
}
#endif

// place returns a number with bit i set if the argument at position i is in a floating-point register. Only SELECTED conventions need it.
static unsigned place(const call *c, word *w, double *d) {
	unsigned ints = 0, floats = 0, stack = INTS, selected = 0;
	for (unsigned i = 0; i < c->count; i++) {
		char k = c->kinds[i + 1];
		uint64_t v = c->args[i];
#ifdef SELECTED
		if ((k == 'f' || k == 'd') && i < FLOATS) {
			memcpy(&d[i], &v, 8);
			selected |= 1 << i;
			ints++;
			continue;
		}
#else
		if ((k == 'f' || k == 'd') && floats < FLOATS) {
			uint64_t r = k == 'f' ? FLOAT(v) : v;
			memcpy(&d[floats++], &r, 8);
#ifdef SHADOWED
			ints++;
#endif
			continue;
		}
#endif
		if (k == 'f')
			v = STACK_FLOAT(v);
		else if (k == 'i')
			v = INT(v);
		if (INTS == WORDS || (k != 'f' && k != 'd' && ints < INTS))
			w[ints++] = v;
		else
			w[stack++] = v;
	}
	(void)floats, (void)stack;
	return selected;
}

#ifdef SELECTED
// Each of eight positions is a word (w) or a double (d), and each combination has a function type of its own. Sn chooses for position n.
#define VALUE_w(i) w[i]
#define VALUE_d(i) d[i]
#define TYPE_w word
#define TYPE_d double
#define S0(R) (s & 1 ? S1(R, d) : S1(R, w))
#define S1(R, a) (s & 2 ? S2(R, a, d) : S2(R, a, w))
#define S2(R, a, b) (s & 4 ? S3(R, a, b, d) : S3(R, a, b, w))
#define S3(R, a, b, c) (s & 8 ? S4(R, a, b, c, d) : S4(R, a, b, c, w))
#define S4(R, a, b, c, e) (s & 16 ? S5(R, a, b, c, e, d) : S5(R, a, b, c, e, w))
#define S5(R, a, b, c, e, f) (s & 32 ? S6(R, a, b, c, e, f, d) : S6(R, a, b, c, e, f, w))
#define S6(R, a, b, c, e, f, g) (s & 64 ? S7(R, a, b, c, e, f, g, d) : S7(R, a, b, c, e, f, g, w))
#define S7(R, a, b, c, e, f, g, h) (s & 128 ? S8(R, a, b, c, e, f, g, h, d) : S8(R, a, b, c, e, f, g, h, w))
#define S8(R, a, b, c, e, f, g, h, i) \
	((R(*)(TYPE_##a, TYPE_##b, TYPE_##c, TYPE_##e, TYPE_##f, TYPE_##g, TYPE_##h, TYPE_##i, LIST8(TYPE_WORD, 8), LIST8(TYPE_WORD, 16)))fn)( \
		VALUE_##a(0), VALUE_##b(1), VALUE_##c(2), VALUE_##e(3), VALUE_##f(4), VALUE_##g(5), VALUE_##h(6), VALUE_##i(7), \
		LIST8(WORD, 8), LIST8(WORD, 16))
#define CALL(R) S0(R)
#else
#define CALL(R) \
	((R(*)(LIST8(TYPE_WORD, 0), LIST8(TYPE_WORD, 8), LIST8(TYPE_WORD, 16), LIST8(TYPE_DOUBLE, 0)))fn)( \
		LIST8(WORD, 0), LIST8(WORD, 8), LIST8(WORD, 16), LIST8(DOUBLE, 0))
#endif

#else

// On 32-bit machines an argument is one word or two.
#define WORDS 48
#if !defined(__i386__) && !defined(__arm__) && !defined(__mips__)
#undef KNOWN
#define KNOWN 0
#endif
#ifdef __i386__
#define ALIGNED(n) (n)
#else
#define ALIGNED(n) (((n) + 1) & ~1u)
#endif

// place returns the leading floats, which only o32 needs: 1 (float) or 2 (double) for the first, plus 4 or 8 for the second.
static unsigned place(const call *c, word *w, double *d) {
	unsigned n = 0, floats = 0, half = 0, leading = 0;
	for (unsigned i = 0; i < c->count; i++) {
		char k = c->kinds[i + 1];
		uint64_t v = c->args[i];
#ifdef __ARM_PCS_VFP
		// a float takes half a register, and the next float takes the other half
		if (k == 'd') {
			memcpy(&d[floats++], &v, 8);
			continue;
		}
		if (k == 'f') {
			uint32_t bits = v;
			unsigned at = half;
			half = 0;
			if (at == 0) {
				at = 2 * floats++;
				half = at + 1;
			}
			memcpy((char *)d + 4 * at, &bits, 4);
			continue;
		}
#endif
#if defined(__mips__) && !defined(__mips_soft_float)
		if ((k == 'f' || k == 'd') && (i == 0 || (i == 1 && leading != 0)))
			leading |= (k == 'f' ? 1 : 2) << 2 * i;
#endif
		if (k == 'l' || k == 'd') {
			n = ALIGNED(n);
			memcpy(&w[n], &v, 8);
			n += 2;
		} else {
			w[n++] = v;
		}
	}
	(void)d, (void)floats, (void)half;
	return leading;
}

#define WORDS40 LIST8(WORD, 0), LIST8(WORD, 8), LIST8(WORD, 16), LIST8(WORD, 24), LIST8(WORD, 32)
#define TYPES40 LIST8(TYPE_WORD, 0), LIST8(TYPE_WORD, 8), LIST8(TYPE_WORD, 16), LIST8(TYPE_WORD, 24), LIST8(TYPE_WORD, 32)
#define CALL_WORDS(R) ((R(*)(TYPES40, LIST8(TYPE_DOUBLE, 0)))fn)(WORDS40, LIST8(DOUBLE, 0))
#ifdef __mips__
// o32: a float is in a floating-point register only if it is first or follows one leading float.
static float float_of(const word *w) {
	float f;
	memcpy(&f, w, 4);
	return f;
}
static double double_of(const word *w) {
	double d;
	memcpy(&d, w, 8);
	return d;
}
#define REST(i) w[at + i]
#define CALL1(R, T, a) ((R(*)(T, TYPES40))fn)(a, LIST8(REST, 0), LIST8(REST, 8), LIST8(REST, 16), LIST8(REST, 24), LIST8(REST, 32))
#define CALL2(R, T, a, U, b) ((R(*)(T, U, TYPES40))fn)(a, b, LIST8(REST, 0), LIST8(REST, 8), LIST8(REST, 16), LIST8(REST, 24), LIST8(REST, 32))
#define CALL(R) \
	(s == 0   ? CALL_WORDS(R) \
	 : s == 1 ? (at = 1, CALL1(R, float, float_of(w))) \
	 : s == 2 ? (at = 2, CALL1(R, double, double_of(w))) \
	 : s == 5 ? (at = 2, CALL2(R, float, float_of(w), float, float_of(w + 1))) \
	 : s == 6 ? (at = 3, CALL2(R, double, double_of(w), float, float_of(w + 2))) \
	 : s == 9 ? (at = 4, CALL2(R, float, float_of(w), double, double_of(w + 2))) \
	          : (at = 4, CALL2(R, double, double_of(w), double, double_of(w + 2))))
#else
#define CALL(R) CALL_WORDS(R)
#endif
#endif

int rustgo_plain_known(void) { return KNOWN; }

void rustgo_plain_call(void *p) {
	call *c = p;
	word w[WORDS] = {0};
	double d[8] = {0};
	word fn = c->fn;
	unsigned s = place(c, w, d), at = 0;
	(void)s, (void)at;
	int *error = c->errno_func ? ((int *(*)(void))(word)c->errno_func)() : &errno;
#ifdef _WIN32
	if (!c->errno_func)
		SetLastError(0);
#endif
	*error = 0;
	switch (c->kinds[0]) {
	case 'f': {
		float f = CALL(float);
		uint32_t bits;
		memcpy(&bits, &f, 4);
		c->result = bits;
		break;
	}
	case 'd': {
		double f = CALL(double);
		memcpy(&c->result, &f, 8);
		break;
	}
#if UINTPTR_MAX == 0xffffffff
	case 'l':
		c->result = CALL(uint64_t);
		break;
#endif
	default:
		c->result = CALL(word);
	}
	c->error = (unsigned)*error;
#ifdef _WIN32
	if (!c->errno_func)
		c->error = GetLastError();
#endif
}
