// Package hammer has what its tests, and those of the module tests, run under pressure: each function of each package,
// with results that are checked.
package hammer

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"rustgo.dev/packages/blake3"
	"rustgo.dev/packages/callcost"
	"rustgo.dev/packages/edwards25519"
	"rustgo.dev/packages/float"
	"rustgo.dev/packages/internal/panictest"
	"rustgo.dev/packages/json"
	"rustgo.dev/packages/schedule"
	"rustgo.dev/packages/strsearch"
	"rustgo.dev/packages/xxh3"
	"rustgo.dev/packages/zstd"
)

// Workload calls functions of one package. Run may be called by many goroutines at once, and different seeds make
// different calls.
type Workload struct {
	Name   string
	Panics bool // Rust panics, and the panic is recovered
	Run    func(seed uint64) error
}

// Workloads are all there are. What they pass by pointer lies on the stack of the goroutine, as far as the compiler allows.
var Workloads = []Workload{
	{"callcost", false, calls},
	{"edwards25519", false, keys},
	{"blake3", false, hashes},
	{"strsearch", false, searches},
	{"float", false, numbers},
	{"schedule", false, tasks},
	{"zstd", false, messages},
	{"zstd streams", false, streams},
	{"hashers", false, hashers},
	{"json", false, documents},
	{"panics", true, panics},
}

// messages compresses and decompresses, in the heap of package rt: short ones by ordinary calls, some long ones by blocking calls.
func messages(seed uint64) error {
	length := seed * 37 % 2000
	if seed%64 == 0 {
		length += 20_000
	}
	message := make([]byte, length)
	for i := range message {
		message[i] = byte(seed>>(i%8)) ^ byte(i/7*i%11)
	}
	packed, err := zstd.AppendCompress(nil, message, 1+int(seed%3))
	if err != nil {
		return err
	}
	got, err := zstd.AppendDecompress(nil, packed, len(message))
	if err != nil {
		return err
	}
	if !bytes.Equal(got, message) {
		return fmt.Errorf("a message of %d bytes came back as another", length)
	}
	if _, err := zstd.AppendDecompress(nil, packed[:len(packed)/2], len(message)); err == nil {
		return fmt.Errorf("half of a message of %d bytes is whole", length)
	}
	return nil
}

// streams compresses and decompresses piece by piece, by objects in the heap of package rt.
func streams(seed uint64) error {
	line := fmt.Appendf(nil, "line %d of a text that is repeated\n", seed)
	var packed bytes.Buffer
	e := zstd.NewEncoder(&packed, &zstd.EncoderOptions{Level: 1, Checksum: true})
	n := int(seed % 50)
	if seed%64 == 0 {
		n += 5000
	}
	for range n {
		if _, err := e.Write(line); err != nil {
			return err
		}
	}
	if err := e.Close(); err != nil {
		return err
	}
	half := packed.Bytes()[:packed.Len()/2]
	d := zstd.NewDecoder(bytes.NewReader(half), nil)
	defer d.Close()
	if got, err := io.ReadAll(d); err != zstd.ErrTruncated || len(got) > n*len(line) {
		return fmt.Errorf("half of a stream gives %d bytes, %v", len(got), err)
	}
	d.Reset(&packed)
	for i := range n {
		got := make([]byte, len(line))
		if _, err := io.ReadFull(d, got); err != nil || !bytes.Equal(got, line) {
			return fmt.Errorf("line %d of %d is %q, %v", i, n, got, err)
		}
	}
	if _, err := d.Read(make([]byte, 1)); err != io.EOF {
		return fmt.Errorf("at the end: %v", err)
	}
	return nil
}

// hashers has hashes computed by values on the stack of the goroutine.
func hashers(seed uint64) error {
	n := int(seed * 37 % uint64(len(message)))
	var fast xxh3.Hasher
	var strong blake3.Hasher
	for rest := message[:n]; len(rest) > 0; {
		piece := rest[:min(len(rest), 1+int(seed%997))]
		fast.Write(piece)
		strong.Write(piece)
		rest = rest[len(piece):]
	}
	if got, want := fast.Sum64(), xxh3.Sum64(message[:n]); got != want {
		return fmt.Errorf("XXH3 of %d bytes in pieces is %#x, and at once %#x", n, got, want)
	}
	var sum, want [32]byte
	blake3.Sum256(&want, message[:n])
	if got := strong.Sum(sum[:0]); !bytes.Equal(got, want[:]) {
		return fmt.Errorf("BLAKE3 of %d bytes in pieces is %x, and at once %x", n, got, want)
	}
	return nil
}

// documents has texts, errors with texts, objects that the collector frees, and iterators.
func documents(seed uint64) error {
	text := fmt.Appendf(nil, "{\"seed\": %d,\n \"list\": [1, [2, {\"three\": 3}]], \"text\": \"%x\"}", seed, seed)
	doc, err := json.Parse(text)
	if err != nil {
		return err
	}
	if got, ok := doc.Int64("/seed"); !ok || got != int64(seed) {
		return fmt.Errorf("the seed is %d, want %d", got, seed)
	}
	if got, ok := doc.Text("/text"); !ok || got != fmt.Sprintf("%x", seed) {
		return fmt.Errorf("the text is %q for %d", got, seed)
	}
	if got := slices.Collect(doc.Keys("")); !slices.Equal(got, []string{"seed", "list", "text"}) {
		return fmt.Errorf("names %q", got)
	}
	if got, ok := json.Get(text, "/list/1/1"); !ok || string(got) != "{\"three\": 3}" {
		return fmt.Errorf("found %q", got)
	}
	compact, err := json.AppendCompact(nil, text)
	if err != nil || string(compact) != doc.String() {
		return fmt.Errorf("compact: %q, %v, want %q", compact, err, doc)
	}
	var wrong json.SyntaxError
	if _, err := json.Parse(text[:len(text)-1]); !errors.As(err, &wrong) || wrong.Line != 2 {
		return fmt.Errorf("error %v", err)
	}
	return nil
}

func calls(seed uint64) error {
	callcost.Nothing()
	if got := callcost.FramedIncrement(callcost.Increment(seed)); got != seed+2 {
		return fmt.Errorf("%d + 2 = %d", seed, got)
	}
	xs := [7]uint64{1, 2, 3, seed, 5, 6, 7}
	if got := callcost.Sum(xs[:]); got != seed+24 {
		return fmt.Errorf("sum of %v = %d", xs, got)
	}
	if got := callcost.At(xs[:], 3); got != seed {
		return fmt.Errorf("element 3 of %v = %d", xs, got)
	}
	if q, r := callcost.Divmod(seed, 10); q != seed/10 || r != seed%10 {
		return fmt.Errorf("%d / 10 = %d, rest %d", seed, q, r)
	}
	if got := callcost.BlockingIncrement(seed); got != seed+1 {
		return fmt.Errorf("%d + 1 = %d in a blocking call", seed, got)
	}
	var many [40]uint64 // more than 256 bytes
	copy(many[33:], xs[:])
	for _, part := range [][]uint64{xs[:], many[:]} {
		if got := callcost.BlockingSum(part); got != seed+24 {
			return fmt.Errorf("sum of %v = %d in a blocking call", part, got)
		}
	}
	if seed%64 == 0 {
		callcost.BlockingSpin(100_000) // its processor may be taken
	}
	var src, dst [500]byte
	for i := range src {
		src[i] = byte(uint64(i) + seed)
	}
	n := int(seed % 500)
	if got := callcost.CopyBytes(dst[:n], src[:]); got != n || !bytes.Equal(dst[:n], src[:n]) {
		return fmt.Errorf("%d of %d bytes copied", got, n)
	}
	return nil
}

// keys makes a key pair, signs, verifies, and agrees on a secret.
func keys(seed uint64) error {
	var private [ed25519.SeedSize]byte
	copy(private[:], fmt.Sprint(seed))
	hash := sha512.Sum512(private[:])
	k := [32]byte(hash[:32])
	k[0] &= 248
	k[31] = k[31]&127 | 64
	var public [32]byte
	edwards25519.ScalarBaseMult(&public, &k)
	if want := ed25519.NewKeyFromSeed(private[:]).Public().(ed25519.PublicKey); !bytes.Equal(public[:], want) {
		return fmt.Errorf("public key of seed %d is %x, want %x", seed, public, want)
	}
	// 0·A + k·B = A
	var zero, sum [32]byte
	if !edwards25519.DoubleScalarBaseMult(&sum, &zero, &public, &k) || sum != public {
		return fmt.Errorf("0·A + k·B = %x, want %x", sum, public)
	}
	base, other := [32]byte{9}, [32]byte(hash[32:])
	var a, b, ab, ba [32]byte
	edwards25519.X25519(&a, &k, &base)
	edwards25519.X25519(&b, &other, &base)
	edwards25519.X25519(&ab, &k, &b)
	edwards25519.X25519(&ba, &other, &a)
	if ab != ba {
		return fmt.Errorf("the two sides agree on %x and %x", ab, ba)
	}
	return nil
}

// message is the input of BLAKE3's official test vectors.
var message = func() []byte {
	b := make([]byte, 7169)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}()

func hashes(seed uint64) error {
	// Of the official test vectors.
	want := map[int]string{
		1:    "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
		1025: "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
		7169: "a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817",
	}
	length := []int{1, 1025, 7169}[seed%3]
	var sum [32]byte
	blake3.Sum256(&sum, message[:length])
	if got := hex.EncodeToString(sum[:]); got != want[length] {
		return fmt.Errorf("hash of %d bytes is %s, want %s", length, got, want[length])
	}
	var long [100]byte
	blake3.XOF(long[:], message[:length])
	if !bytes.Equal(long[:32], sum[:]) {
		return fmt.Errorf("extended output of %d bytes is %x, want %x", length, long[:32], sum)
	}
	return nil
}

func searches(seed uint64) error {
	text := fmt.Appendf(nil, "a rose is a rose is a rose, and the number of them, if the vector is long enough to matter, is %d, so they say", seed)
	needle := fmt.Append(nil, seed)
	if got, want := strsearch.Index(text, needle), bytes.Index(text, needle); got != want {
		return fmt.Errorf("index of %s in %q is %d, want %d", needle, text, got, want)
	}
	if got, want := strsearch.LastIndex(text, []byte("rose")), 22; got != want {
		return fmt.Errorf("last index of rose in %q is %d, want %d", text, got, want)
	}
	if got := strsearch.Count(text, []byte("rose")); got != 3 {
		return fmt.Errorf("%d roses in %q", got, text)
	}
	return nil
}

func numbers(seed uint64) error {
	x := math.Float64frombits(seed * 0x9e3779b97f4a7c15)
	if math.IsNaN(x) {
		return nil
	}
	var dst [24]byte
	text := dst[:float.Format(dst[:], x)]
	if back, ok := float.Parse(text); !ok || back != x {
		return fmt.Errorf("%x is written %s and read %x", x, text, back)
	}
	return nil
}

// tasks has a queue whose tasks are alive only because Rust's heap holds their numbers.
func tasks(seed uint64) error {
	const n = 20
	queue := schedule.NewQueue()
	var tickets [n]schedule.Ticket
	var done []int
	for i := range n {
		at := (uint64(i)*7 + seed) % n
		tickets[at] = queue.Add(time.Unix(int64(at), 0), &schedule.Task{Do: func() { done = append(done, int(at)) }})
	}
	for i := 0; i < n; i += 4 {
		if !queue.Cancel(tickets[i]) || queue.Cancel(tickets[i]) {
			return fmt.Errorf("task %d cannot be cancelled once", i)
		}
	}
	for task, _, ok := queue.Next(); ok; task, _, ok = queue.Next() {
		task.Do()
	}
	for i, j := range done {
		if want := i/3*4 + i%3 + 1; j != want {
			return fmt.Errorf("task %d was done where %d was due", j, want)
		}
	}
	if len(done) != n*3/4 {
		return fmt.Errorf("%d tasks were done", len(done))
	}
	return nil
}

// room is for as many goroutines as may panic at once without losing a message (package rt).
var room = make(chan bool, 64)

func panics(seed uint64) error {
	room <- true
	defer func() { <-room }()
	if got, want := panictest.Message(func() { callcost.Divmod(seed, 0) }), "attempt to divide by zero"; got != want {
		return fmt.Errorf("got panic %q, want %q", got, want)
	}
	if got, want := panictest.Message(func() { callcost.BlockingDivmod(seed, 0) }), "attempt to divide by zero"; got != want {
		return fmt.Errorf("got panic %q in a blocking call, want %q", got, want)
	}
	xs := [3]uint64{}
	want := fmt.Sprintf("index out of bounds: the len is 3 but the index is %d", seed%1000+3)
	if got := panictest.Message(func() { callcost.At(xs[:], uint(seed%1000+3)) }); got != want {
		return fmt.Errorf("got panic %q, want %q", got, want)
	}
	return nil
}
