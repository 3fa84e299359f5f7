//go:build linux

// Command zstd compares packages/zstd with klauspost/compress and, if cgo is on, with the C library called by DataDog/zstd. All libraries do the
// same work on the same data, in turns in each pass. A result is the median of all passes, as processor time of the thread, so that other programs
// on the machine disturb less. The command prints tables.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	klauspost "github.com/klauspost/compress/zstd"

	"rustgo.dev/packages/zstd"
)

// A way is one library. Both functions write into the free part of dst.
type way struct {
	name       string
	compress   func(dst, src []byte) []byte
	decompress func(dst, src []byte) []byte
}

// cgo returns the way to call the C library. The variable is nil if the program is built without cgo.
var cgo func(level int) way

func ways(level int) []way {
	all := []way{{"rustgo",
		func(dst, src []byte) []byte { return must(zstd.AppendCompress(dst, src, level)) },
		func(dst, src []byte) []byte { return must(zstd.AppendDecompress(dst, src, cap(dst))) },
	}}
	if cgo != nil {
		all = append(all, cgo(level))
	}
	e := must(klauspost.NewWriter(nil, klauspost.WithEncoderLevel(klauspost.EncoderLevelFromZstd(level)),
		klauspost.WithEncoderConcurrency(1), klauspost.WithEncoderCRC(false)))
	d := must(klauspost.NewReader(nil, klauspost.WithDecoderConcurrency(1)))
	return append(all, way{"klauspost",
		func(dst, src []byte) []byte { return e.EncodeAll(src, dst) },
		func(dst, src []byte) []byte { return must(d.DecodeAll(src, dst)) },
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// corpus returns data like that of a mixed archive: prose, records, markup, measured numbers, and compressed data.
func corpus(length int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 6000)
	for i := range words {
		for range 2 + r.IntN(8) {
			words[i] += string("etaoinshrdlucmfwypvbgkjqxz"[min(int(r.ExpFloat64()*5), 25)])
		}
	}
	word := func() string { return words[min(int(r.ExpFloat64()*400), len(words)-1)] }
	var out bytes.Buffer
	for out.Len() < length {
		end := out.Len() + 4096 + r.IntN(1<<18)
		kind, level := r.IntN(6), r.NormFloat64()
		for out.Len() < end {
			switch kind {
			case 0, 1:
				out.WriteString(word() + []string{" ", " ", " ", ", ", ". ", "\n"}[r.IntN(6)])
			case 2:
				fmt.Fprintf(&out, "<item id=%q><name>%s</name><price>%d.%02d</price></item>\n", word(), word(), r.IntN(300), r.IntN(100))
			case 3:
				out.Write([]byte{byte(r.IntN(4)), 0, byte(r.IntN(256)), byte(r.IntN(8)), 0, 0, byte(out.Len() >> 6), 1})
			case 4:
				level += r.NormFloat64()
				n := int16(level * 50)
				out.Write([]byte{byte(n), byte(n >> 8)})
			case 5:
				out.WriteByte(byte(r.Uint32()))
				if r.IntN(8192) == 0 {
					end = 0
				}
			}
		}
	}
	return out.Bytes()[:length]
}

func numbers(text string) (list []int) {
	for _, field := range strings.Split(text, ",") {
		list = append(list, must(strconv.Atoi(field)))
	}
	return
}

func main() {
	levels := flag.String("levels", "1,3,9,19", "levels")
	sizes := flag.String("sizes", "64,1024,16384,262144,1048576,67108864", "bytes of input")
	passes := flag.Int("passes", 5, "runs of each way")
	least := flag.Duration("time", 100*time.Millisecond, "least time of a run")
	memoryToo := flag.Bool("memory", false, "how much memory is used, in place of times")
	one := flag.Int("alone", -1, "what -memory calls itself with")
	flag.Parse()
	if *memoryToo {
		memory(numbers(*sizes), numbers(*levels), *passes)
		return
	}
	runtime.LockOSThread()
	sample := corpus(slices.Max(numbers(*sizes)))
	if *one >= 0 {
		alone(sample, numbers(*levels)[0], *one)
		return
	}
	fmt.Fprintln(os.Stderr, "MB/s; the second number is rustgo's time as a part of that way's")
	for _, compress := range []bool{true, false} {
		fmt.Printf("\n| %s | level |", map[bool]string{true: "compress", false: "decompress"}[compress])
		for i, w := range ways(3) {
			fmt.Printf(" %s |", w.name)
			if i > 0 && compress {
				fmt.Printf(" ratio |")
			}
		}
		fmt.Println()
		for _, size := range numbers(*sizes) {
			// For small sizes, take the message from the middle of the prose or the records.
			src := sample[(len(sample)-size)/3:][:size]
			for _, level := range numbers(*levels) {
				row(src, level, compress, *passes, *least)
			}
		}
	}
}

// used returns the processor time of this thread.
func used() time.Duration {
	var usage syscall.Rusage
	const thread = 1 // RUSAGE_THREAD of Linux
	if err := syscall.Getrusage(thread, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// row measures all libraries, in turns in each pass, and prints a row of the table.
func row(src []byte, level int, compress bool, passes int, least time.Duration) {
	all := ways(level)
	times, lengths := make([][]float64, len(all)), make([]int, len(all))
	room, back := make([]byte, 0, len(src)+len(src)/64+1024), make([]byte, 0, len(src)+64)
	calls := make([]func(), len(all))
	for i, w := range all {
		packed := bytes.Clone(w.compress(room, src))
		lengths[i] = len(packed)
		if !bytes.Equal(w.decompress(back, packed), src) {
			log.Fatalf("%s: other bytes come back", w.name)
		}
		// All libraries decompress the same frame, compressed by packages/zstd.
		if packed := must(zstd.AppendCompress(nil, src, level)); !compress {
			calls[i] = func() { w.decompress(back, packed) }
			continue
		}
		calls[i] = func() { w.compress(room, src) }
	}
	// Make enough calls between two readings of the clock, so that the time of a reading is negligible.
	each := max(1, 1<<14/len(src))
	for range passes {
		for i, call := range calls {
			runtime.GC()
			start, n := used(), 0
			for n == 0 || used()-start < least {
				for range each {
					call()
				}
				n += each
			}
			times[i] = append(times[i], float64((used()-start).Nanoseconds())/float64(n))
		}
	}
	fmt.Printf("| %d | %d |", len(src), level)
	for i := range all {
		slices.Sort(times[i])
		ns := times[i][len(times[i])/2]
		if i == 0 {
			fmt.Printf(" %.0f |", float64(len(src))/ns*1e3)
			continue
		}
		fmt.Printf(" %.0f, %.2f × |", float64(len(src))/ns*1e3, times[0][len(times[0])/2]/ns)
		if compress {
			fmt.Printf(" %.3f |", float64(lengths[0])/float64(lengths[i]))
		}
	}
	fmt.Println()
}
