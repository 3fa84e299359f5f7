//go:build cgo && rustnative

package viacgo

// #include <stdbool.h>
// #include <stddef.h>
// #include <stdint.h>
// typedef struct { uint64_t x, y, z; } point;
// uint64_t border_increment(uint64_t x);
// uint64_t border_slice(uint64_t x, const uint64_t *xs, size_t len);
// uint64_t border_bytes(uint64_t x, const uint8_t *text, size_t len);
// uint64_t border_text(uint64_t x, const uint8_t *text, size_t len);
// uint64_t border_owned(uint64_t x, const uint8_t *text, size_t len);
// point border_turn(point p);
// void border_move(point *p);
// int32_t border_half(uint64_t x, uint64_t *half);
// char *border_half_or_text(uint64_t x, uint64_t *half);
// void border_free_text(char *text);
// uint64_t *border_list(uint64_t x, size_t *len);
// void border_free_list(uint64_t *list, size_t len);
// uint8_t *border_message(uint64_t x, size_t *len);
// void border_free_bytes(uint8_t *bytes, size_t len);
// size_t border_append_list(uint64_t *dst, size_t room, uint64_t x);
// typedef struct counter counter;
// counter *border_new_counter(uint64_t value);
// uint64_t border_counter_plus(const counter *c, uint64_t x);
// void border_counter_add(counter *c, uint64_t x);
// void border_free_counter(counter *c);
// typedef struct count count;
// count *border_count(uint64_t n);
// bool border_count_next(count *c, uint64_t *item);
// size_t border_count_next64(count *c, uint64_t *items);
// void border_free_count(count *c);
//
// // As in rust.go: pointers do not escape, and Rust does not call Go.
// #cgo noescape border_slice
// #cgo noescape border_bytes
// #cgo noescape border_text
// #cgo noescape border_owned
// #cgo noescape border_move
// #cgo noescape border_half
// #cgo noescape border_half_or_text
// #cgo noescape border_list
// #cgo noescape border_message
// #cgo noescape border_append_list
// #cgo noescape border_count_next
// #cgo noescape border_count_next64
// #cgo nocallback border_increment
// #cgo nocallback border_slice
// #cgo nocallback border_bytes
// #cgo nocallback border_text
// #cgo nocallback border_owned
// #cgo nocallback border_turn
// #cgo nocallback border_move
// #cgo nocallback border_half
// #cgo nocallback border_half_or_text
// #cgo nocallback border_free_text
// #cgo nocallback border_list
// #cgo nocallback border_free_list
// #cgo nocallback border_message
// #cgo nocallback border_free_bytes
// #cgo nocallback border_append_list
// #cgo nocallback border_new_counter
// #cgo nocallback border_counter_plus
// #cgo nocallback border_counter_add
// #cgo nocallback border_free_counter
// #cgo nocallback border_count
// #cgo nocallback border_count_next
// #cgo nocallback border_count_next64
// #cgo nocallback border_free_count
import "C"

import (
	"errors"
	"iter"
	"slices"
	"unsafe"
)

// This file calls the functions of fixtures/bordercost by hand-written cgo code that is as fast as possible. The code copies only what it must, and
// does not guard objects against misuse. The caller must free the objects.

// BorderIncrement does by cgo what bordercost.Increment does.
func BorderIncrement(x uint64) uint64 { return uint64(C.border_increment(C.uint64_t(x))) }

// Slice does by cgo what bordercost.Slice does.
func Slice(x uint64, xs []uint64) uint64 {
	return uint64(C.border_slice(C.uint64_t(x), (*C.uint64_t)(unsafe.SliceData(xs)), C.size_t(len(xs))))
}

// Bytes does by cgo what bordercost.Bytes does.
func Bytes(x uint64, text string) uint64 {
	return uint64(C.border_bytes(C.uint64_t(x), (*C.uint8_t)(unsafe.StringData(text)), C.size_t(len(text))))
}

// Text does by cgo what bordercost.Text does.
func Text(x uint64, text string) uint64 {
	return uint64(C.border_text(C.uint64_t(x), (*C.uint8_t)(unsafe.StringData(text)), C.size_t(len(text))))
}

// Owned does by cgo what bordercost.Owned does.
func Owned(x uint64, text string) uint64 {
	return uint64(C.border_owned(C.uint64_t(x), (*C.uint8_t)(unsafe.StringData(text)), C.size_t(len(text))))
}

// Point corresponds to bordercost.Point.
type Point struct{ X, Y, Z uint64 }

// Turn does by cgo what bordercost.Turn does.
func Turn(p Point) Point {
	r := C.border_turn(C.point{C.uint64_t(p.X), C.uint64_t(p.Y), C.uint64_t(p.Z)})
	return Point{uint64(r.x), uint64(r.y), uint64(r.z)}
}

// Move does by cgo what bordercost.Move does.
func Move(p *Point) { C.border_move((*C.point)(unsafe.Pointer(p))) }

// ErrOdd corresponds to bordercost.ParityOdd.
var ErrOdd = errors.New("an odd number")

// HalfOrCode does by cgo what bordercost.HalfOrCode does.
func HalfOrCode(x uint64) (uint64, error) {
	var half C.uint64_t
	if C.border_half(C.uint64_t(x), &half) != 0 {
		return 0, ErrOdd
	}
	return uint64(half), nil
}

// Half does by cgo what bordercost.Half does.
func Half(x uint64) (uint64, bool) {
	var half C.uint64_t
	odd := C.border_half(C.uint64_t(x), &half)
	return uint64(half), odd == 0
}

// HalfOrText does by cgo what bordercost.HalfOrText does.
func HalfOrText(x uint64) (uint64, error) {
	var half C.uint64_t
	if text := C.border_half_or_text(C.uint64_t(x), &half); text != nil {
		defer C.border_free_text(text)
		return 0, errors.New(C.GoString(text))
	}
	return uint64(half), nil
}

// List does by cgo what bordercost.List does.
func List(x uint64) []uint64 {
	var n C.size_t
	list := C.border_list(C.uint64_t(x), &n)
	defer C.border_free_list(list, n)
	return slices.Clone(unsafe.Slice((*uint64)(list), int(n)))
}

// Message does by cgo what bordercost.Message does.
func Message(x uint64) string {
	var n C.size_t
	text := C.border_message(C.uint64_t(x), &n)
	defer C.border_free_bytes(text, n)
	return C.GoStringN((*C.char)(unsafe.Pointer(text)), C.int(n))
}

// AppendList does by cgo what bordercost.AppendList does.
func AppendList(dst []uint64, x uint64) []uint64 {
	room := dst[len(dst):cap(dst)]
	n := int(C.border_append_list((*C.uint64_t)(unsafe.SliceData(room)), C.size_t(len(room)), C.uint64_t(x)))
	if n > len(room) {
		dst = slices.Grow(dst, n)
		room = dst[len(dst):cap(dst)]
		C.border_append_list((*C.uint64_t)(unsafe.SliceData(room)), C.size_t(len(room)), C.uint64_t(x))
	}
	return dst[:len(dst)+n]
}

// Counter corresponds to bordercost.Counter.
type Counter struct{ c *C.counter }

// NewCounter returns a counter, which Free must free.
func NewCounter(value uint64) *Counter { return &Counter{C.border_new_counter(C.uint64_t(value))} }

// Plus returns x plus the counter.
func (c *Counter) Plus(x uint64) uint64 { return uint64(C.border_counter_plus(c.c, C.uint64_t(x))) }

// Add adds x to the counter.
func (c *Counter) Add(x uint64) { C.border_counter_add(c.c, C.uint64_t(x)) }

// Free frees the counter, which must not be used afterwards.
func (c *Counter) Free() { C.border_free_counter(c.c) }

// Count does by cgo what bordercost.Count does. It calls Rust once for each element.
func Count(n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		it := C.border_count(C.uint64_t(n))
		defer C.border_free_count(it)
		for {
			var item C.uint64_t
			if !bool(C.border_count_next(it, &item)) || !yield(uint64(item)) {
				return
			}
		}
	}
}

// CountBatches does by cgo what bordercost.Count does. It calls Rust once for 64 elements.
func CountBatches(n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		it := C.border_count(C.uint64_t(n))
		defer C.border_free_count(it)
		var items [64]uint64
		for {
			n := C.border_count_next64(it, (*C.uint64_t)(&items[0]))
			for _, item := range items[:n] {
				if !yield(item) {
					return
				}
			}
			if n < 64 {
				return
			}
		}
	}
}
