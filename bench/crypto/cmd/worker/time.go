package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"rustgo.dev/bench/crypto/internal/column"
	"rustgo.dev/bench/crypto/internal/columns/gostd"
)

// reference signs the messages for columns that can only verify.
var reference = gostd.Column()

// used returns the processor time of the process, including the garbage collector.
func used() time.Duration {
	var now syscall.Timespec
	const processTime = 2 // CLOCK_PROCESS_CPUTIME_ID
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processTime, uintptr(unsafe.Pointer(&now)), 0); errno != 0 {
		panic(errno)
	}
	return time.Duration(now.Nano())
}

// measure repeats a call for a number of milliseconds and returns the mean duration in ns. Before that it warms up: it repeats the call for the same
// time, but for at most 10 ms. After a process has waited, Go's runtime watches its threads every 20 µs for some milliseconds. This took 8 % of a
// measurement of 12 ms, so a shorter warm-up would distort the result.
func measure(milliseconds int, call func(n int)) float64 {
	least := time.Duration(milliseconds) * time.Millisecond
	run := func(least time.Duration) float64 {
		start, n, each := used(), 0, 1
		for {
			call(each)
			n += each
			took := used() - start
			if took >= least {
				return float64(took.Nanoseconds()) / float64(n)
			}
			// A reading of the clock takes some hundred nanoseconds. So read the clock only a few times during the measurement.
			left := float64((least - took).Nanoseconds()) / (float64(max(took.Nanoseconds(), 1)) / float64(n))
			each = min(max(int(left/2), 1), 2*n)
		}
	}
	runtime.GC()
	run(min(least, 10*time.Millisecond))
	return run(least)
}

func repeat(call func()) func(int) {
	return func(n int) {
		for range n {
			call()
		}
	}
}

// timed returns the time of one operation in ns.
func timed(c *column.Column, operation string, size int, fresh bool, milliseconds int) float64 {
	switch operation {
	case "aes-seal", "aes-open":
		return aead(c.AES(column.Key()), operation == "aes-seal", size, fresh, milliseconds)
	case "chacha-seal", "chacha-open":
		return aead(c.ChaCha(column.Key()), operation == "chacha-seal", size, fresh, milliseconds)
	case "x25519":
		exchange, shared := c.X25519(column.Scalar()), column.Point()
		point := new([32]byte)
		return measure(milliseconds, repeat(func() { *point = *shared; exchange(shared, point) }))
	case "sign":
		signer, message := c.Signer(column.Seed()), column.Text(size)
		return measure(milliseconds, repeat(func() { signer.Sign(message) }))
	case "verify":
		signer, message := reference.Signer(column.Seed()), column.Text(size)
		public, signature := signer.Public, signer.Sign(message)
		return measure(milliseconds, repeat(func() { mustBe(c.Verify(public, message, signature)) }))
	case "batch":
		var publics, messages, signatures [][]byte
		for i := range column.Batch {
			signer, message := reference.Signer(column.Counting(i, 32)), column.Text(size)
			publics, messages, signatures = append(publics, signer.Public), append(messages, message), append(signatures, signer.Sign(message))
		}
		return measure(milliseconds, repeat(func() { mustBe(c.Batch(publics, messages, signatures)) }))
	case "keygen":
		seed := column.KEMSeed()
		return measure(milliseconds, repeat(func() { c.KEM(seed).Public() }))
	case "encaps":
		public := c.KEM(column.KEMSeed()).Public()
		return measure(milliseconds, repeat(func() { c.Encapsulate(public) }))
	case "decaps":
		key := c.KEM(column.KEMSeed())
		_, ciphertext := c.Encapsulate(key.Public())
		return measure(milliseconds, repeat(func() { key.Decapsulate(ciphertext) }))
	case "empty":
		return measure(milliseconds, c.Empty)
	}
	panic("no operation " + operation)
}

func mustBe(right bool) {
	if !right {
		panic("a right signature is refused")
	}
}

func aead(aead column.AEAD, seal bool, size int, fresh bool, milliseconds int) float64 {
	nonce, additional, text := column.Nonce(), column.Additional(), column.Text(size)
	sealed := aead.Seal(nil, nonce, text, additional)
	switch {
	case seal && fresh:
		return measure(milliseconds, repeat(func() { aead.Seal(nil, nonce, text, additional) }))
	case seal:
		return measure(milliseconds, repeat(func() { aead.Seal(sealed[:0], nonce, text, additional) }))
	}
	return measure(milliseconds, repeat(func() {
		if _, err := aead.Open(text[:0], nonce, sealed, additional); err != nil {
			panic(err)
		}
	}))
}
