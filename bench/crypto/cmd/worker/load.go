package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rustgo.dev/bench/crypto/internal/column"
)

// scale runs X25519 in a number of goroutines, on a number of processors. It returns the exchanges per second of elapsed time and per second of
// processor time.
func scale(c *column.Column, goroutines, processors, milliseconds int) reply {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	var stop atomic.Bool
	var count atomic.Int64
	var done sync.WaitGroup
	runtime.GC()
	start, before := time.Now(), used()
	for range goroutines {
		done.Go(func() {
			exchange, shared, point := c.X25519(column.Scalar()), column.Point(), new([32]byte)
			n := int64(0)
			for ; !stop.Load(); n++ {
				*point = *shared
				exchange(shared, point)
			}
			count.Add(n)
		})
	}
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	stop.Store(true)
	done.Wait()
	n := float64(count.Load())
	return reply{"persecond": n / time.Since(start).Seconds(), "percpu": n / (used() - before).Seconds()}
}

// status returns a field of /proc/self/status, in bytes.
func status(field string) int64 {
	for line := range bytes.Lines(column.Must(os.ReadFile("/proc/self/status"))) {
		if value, ok := strings.CutPrefix(string(line), field+":"); ok {
			return 1024 * int64(column.Must(strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))))
		}
	}
	panic("no field " + field)
}

// memory starts n goroutines. Each goroutine signs, exchanges keys, encrypts 1 KiB, and keeps its keys and buffers until all goroutines have done
// so. memory returns the growth of the process's resident memory, the resident memory before, and the growth of the memory in use by Go's heap and
// stacks.
func memory(c *column.Column, n int) reply {
	operation := func(i int) []any {
		signer := c.Signer(column.Counting(i, 32))
		signature := signer.Sign(bytes.Repeat([]byte{byte(i)}, column.Message))
		var shared [32]byte
		c.X25519((*[32]byte)(column.Counting(i, 32)))(&shared, column.Point())
		aead, text := c.AES(shared[:]), column.Text(1024)
		return []any{signer, aead, text, aead.Seal(nil, column.Nonce(), text, signature)}
	}
	operation(0)
	debug.FreeOSMemory()
	before, heapBefore := status("VmRSS"), inUse()
	var ready, done sync.WaitGroup
	release := make(chan bool)
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			kept := operation(i)
			ready.Done()
			<-release
			runtime.KeepAlive(kept)
		})
	}
	ready.Wait()
	after, heap := status("VmRSS"), inUse()
	close(release)
	done.Wait()
	return reply{"rss": max(after-before, 0), "base": before, "heap": heap - heapBefore}
}

// inUse returns the memory in use by Go's heap and stacks.
func inUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}

// pauses runs garbage collections while one goroutine for each processor makes calls. It returns the duration of the longest collection, and the
// duration of the longest stop of the world, rounded up to a bucket of the runtime's histogram.
func pauses(c *column.Column, operation string, size, milliseconds int) reply {
	const name = "/sched/pauses/total/gc:seconds"
	call := map[string]func() func(){
		"sign": func() func() {
			signer, message := c.Signer(column.Seed()), column.Text(column.Message)
			return func() { signer.Sign(message) }
		},
		"aes-seal": func() func() {
			aead, text, nonce := c.AES(column.Key()), column.Text(size), column.Nonce()
			out := make([]byte, 0, size+column.Overhead)
			return func() { aead.Seal(out, nonce, text, nil) }
		},
	}[operation]
	var stop atomic.Bool
	var done sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			for call := call(); !stop.Load(); {
				call()
			}
		})
	}
	time.Sleep(2 * time.Millisecond)
	before := histogram(name)
	longest := time.Duration(0)
	for start := time.Now(); time.Since(start) < time.Duration(milliseconds)*time.Millisecond; {
		began := time.Now()
		runtime.GC()
		longest = max(longest, time.Since(began))
	}
	after := histogram(name)
	stop.Store(true)
	done.Wait()
	pause := 0.0
	for i, n := range after.Counts {
		if n > before.Counts[i] {
			pause = after.Buckets[i+1]
			if math.IsInf(pause, 1) {
				pause = after.Buckets[i]
			}
		}
	}
	return reply{"pause": pause * 1e9, "collection": longest.Nanoseconds()}
}

func histogram(name string) *metrics.Float64Histogram {
	samples := []metrics.Sample{{Name: name}}
	metrics.Read(samples)
	if samples[0].Value.Kind() != metrics.KindFloat64Histogram {
		panic(fmt.Sprint("this version of Go has no ", name))
	}
	return samples[0].Value.Float64Histogram()
}

// streamNonce returns a nonce of the construction STREAM: a prefix, the number of the chunk, and a mark for the last chunk.
func streamNonce(i int, last bool) (nonce [12]byte) {
	copy(nonce[:], column.Nonce()[:7])
	binary.BigEndian.PutUint32(nonce[7:], uint32(i))
	if last {
		nonce[11] = 1
	}
	return nonce
}

// sealChunks encrypts the chunks of the payload into out with a number of goroutines.
func sealChunks(c *column.Column, out, payload []byte, chunk, goroutines int) {
	aead := c.AES(column.Key())
	count := (len(payload) + chunk - 1) / chunk
	var next atomic.Int64
	var done sync.WaitGroup
	for range goroutines {
		done.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				nonce, from := streamNonce(i, i+1 == count), i*(chunk+column.Overhead)
				aead.Seal(out[from:from], nonce[:], payload[i*chunk:min((i+1)*chunk, len(payload))], nil)
			}
		})
	}
	done.Wait()
}

// stream encrypts the payload in chunks and returns the encrypted chunks.
func stream(c *column.Column, payload []byte, chunk, goroutines int) []byte {
	out := make([]byte, len(payload)+(len(payload)+chunk-1)/chunk*column.Overhead)
	sealChunks(c, out, payload, chunk, goroutines)
	return out
}

// chunks returns the time in ns in which sealChunks encrypts a payload of size bytes, with a reused buffer.
func chunks(c *column.Column, size, chunk, goroutines, milliseconds int) float64 {
	payload := column.Text(size)
	out := stream(c, payload, chunk, goroutines)
	start, n := time.Now(), 0
	for n == 0 || time.Since(start) < time.Duration(milliseconds)*time.Millisecond {
		sealChunks(c, out, payload, chunk, goroutines)
		n++
	}
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}
