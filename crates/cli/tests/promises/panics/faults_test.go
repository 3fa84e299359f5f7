package promises

import (
	"io"
	"runtime"
	"runtime/trace"
	"sync"
	"testing"

	"scratch/faults"
)

func TestFramePointersOfFaults(t *testing.T) {
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	var words [4]uint64
	for i := range words {
		words[i] = 0x123456789abcdef1
	}
	stop := make(chan bool)
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var wg sync.WaitGroup
	for id := range times(300) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 10 {
				own := words // on the goroutine's own stack
				for _, number := range []uint64{1, 8, 4096, 0x123456789abcdef0, 1 << 63, ^uint64(0)} {
					faultRecovered(t, (id+i)%20, func() { faults.FaultWith(0, number) })
					faultRecovered(t, (id+i)%20, func() { faults.FaultWithWords(0, number, ^number) })
				}
				faultRecovered(t, (id+i)%20, func() { faults.FaultWithCycle(0) })
				faultRecovered(t, (id+i)%20, func() { faults.FaultWithSlice(0, own[:]) })
				faultRecovered(t, (id+i)%20, func() { faults.FaultUnderPressure(0, 0x123456789abcdef0) })
				faultRecovered(t, (id+i)%20, func() { *(*int)(nil)++ })
			}
		}()
	}
	wg.Wait()
}

func TestMessagesThatFault(t *testing.T) {
	for range times(1000) {
		p := panicked(t, "a message that faults", func() { faults.PanicOfFaults(0) })
		if p.Message != "panicked (the message is lost: formatting it faulted)" {
			t.Fatalf("got %q", p.Message)
		}
	}
}
