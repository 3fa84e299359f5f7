//go:build cgo

package callbacks

/*
#cgo noescape sort
#include <stdint.h>
#include <stdlib.h>

extern uint64_t goStep(uint64_t x);
extern uint64_t goLength(char *text, size_t length);
extern int goCompare(void *a, void *b);

static uint64_t loop(uint64_t n) {
	uint64_t x = 0;
	for (uint64_t i = 0; i < n; i++) {
		x = goStep(x);
	}
	return x;
}

static uint64_t loopText(uint64_t n, char *text, size_t length) {
	uint64_t sum = 0;
	for (uint64_t i = 0; i < n; i++) {
		sum += goLength(text, length);
	}
	return sum;
}

static int compare(const void *a, const void *b) {
	return goCompare((void *)a, (void *)b);
}

static void sort(uint64_t *numbers, size_t n) {
	qsort(numbers, n, sizeof *numbers, compare);
}
*/
import "C"

import "unsafe"

//export goStep
func goStep(x C.uint64_t) C.uint64_t { return C.uint64_t(step(uint64(x))) }

//export goLength
func goLength(text *C.char, length C.size_t) C.uint64_t {
	n, err := textLength(C.GoStringN(text, C.int(length)))
	if err != nil {
		return 0
	}
	return C.uint64_t(n)
}

//export goCompare
func goCompare(a, b unsafe.Pointer) C.int { return C.int(compare(*(*uint64)(a), *(*uint64)(b))) }

func cgoLoop(n uint64) uint64 { return uint64(C.loop(C.uint64_t(n))) }

func cgoLoopText(n uint64, text string) uint64 {
	in := C.CString(text)
	defer C.free(unsafe.Pointer(in))
	return uint64(C.loopText(C.uint64_t(n), in, C.size_t(len(text))))
}

func cgoSort(numbers []uint64) { C.sort((*C.uint64_t)(&numbers[0]), C.size_t(len(numbers))) }
