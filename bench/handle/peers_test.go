package handle

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestPeers compares the results of each peer with a map's results, because a benchmark of wrong code is worthless.
func TestPeers(t *testing.T) {
	for _, c := range peers {
		t.Run(c.name, func(t *testing.T) {
			p := c.make()
			rng := rand.New(rand.NewPCG(1, 2))
			model := map[uint64]*object{}
			var live []uint64
			for n := range uint64(20_000) {
				if len(live) == 0 || rng.IntN(100) < 52 {
					o := &object{n}
					h := p.New(o)
					if h == 0 || model[h] != nil {
						t.Fatalf("New gives %#x, which is zero or live", h)
					}
					model[h] = o
					live = append(live, h)
					continue
				}
				i := rng.IntN(len(live))
				h := live[i]
				if v := p.Value(h); v != model[h] {
					t.Fatalf("%#x stands for %v, want %v", h, v, model[h])
				}
				p.Delete(h)
				delete(model, h)
				live[i] = live[len(live)-1]
				live = live[:len(live)-1]
				if v, panicked := valueOrPanic(p, h); !panicked {
					t.Fatalf("%#x gives %v after Delete", h, v)
				}
			}
			var want uint64
			for h, o := range model {
				want += o.n
				if v := p.Value(h); v != o {
					t.Fatalf("%#x stands for %v, want %v", h, v, o)
				}
			}
			if sum := p.values(live); sum != want {
				t.Errorf("values gives %d, want %d", sum, want)
			}
			leave(p, live)
			if ones := stay(p, 100); p.dependent(ones, 3, 250) != 250 {
				t.Error("dependent does not give 250")
			}
			if sum := p.cycles(&object{3}, 100); sum != 300 {
				t.Errorf("cycles gives %d, want 300", sum)
			}
		})
	}
}

func valueOrPanic(p peer, h uint64) (v any, panicked bool) {
	defer func() { panicked = recover() != nil }()
	return p.Value(h), false
}

// TestPeersTogether uses each table from many goroutines at once. Each goroutine makes and deletes handles of its own, and all goroutines share the
// handles that stay.
func TestPeersTogether(t *testing.T) {
	for _, c := range peers {
		t.Run(c.name, func(t *testing.T) {
			p := c.make()
			hs := stay(p, 100)
			var wg sync.WaitGroup
			for g := range uint64(8) {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for i := range uint64(2000) {
						o := &object{g<<32 | i}
						h := p.New(o)
						if p.Value(h) != o {
							t.Errorf("%#x gives the value of another handle", h)
						}
						if p.values(hs[i%90:i%90+10]) != 10 {
							t.Error("a staying handle gives another value")
						}
						p.Delete(h)
					}
				}()
			}
			wg.Wait()
			leave(p, hs)
		})
	}
}

func TestPipeline(t *testing.T) {
	for _, c := range pipelines {
		t.Run(c.name, func(t *testing.T) {
			p := c.make()
			components := stay(p, 10)
			defer leave(p, components)
			const threads, messages = 3, 1000
			latencies := make([]uint64, threads*messages)
			sum, err := c.run(p, components, threads, messages, latencies)
			if err != nil {
				t.Skipf("%v: install a C compiler", err)
			}
			if want := uint64(threads * (messages + messages*(messages-1)/2)); sum != want { // each component adds 1
				t.Errorf("the sum is %d, want %d", sum, want)
			}
			for i, ns := range latencies {
				if ns == 0 || ns > 60e9 {
					t.Fatalf("message %d took %d ns", i, ns)
				}
			}
		})
	}
}

// TestLatencies checks percentiles of known times, and the subtraction of the clock's cost.
func TestLatencies(t *testing.T) {
	ns := make([]uint64, 10_000)
	for i := range ns {
		ns[i] = uint64(i) + 1 + 25
	}
	rand.Shuffle(len(ns), func(i, j int) { ns[i], ns[j] = ns[j], ns[i] })
	for _, c := range []struct{ percent, want float64 }{{50, 5000}, {99, 9900}, {99.9, 9990}, {100, 10_000}} {
		if got := percentile(ns, c.percent, 25); got != c.want {
			t.Errorf("p%v is %v, want %v", c.percent, got, c.want)
		}
	}
	if got := percentile([]uint64{3}, 50, 25); got != 0 {
		t.Errorf("faster than the clock: got %v", got)
	}
	if cost := costOfClock(readClock); cost == 0 || cost > 1e9 {
		t.Errorf("the clock takes %d ns", cost)
	}
}
