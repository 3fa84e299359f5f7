// Package vectors has published test vectors for the tests of other packages. testdata/README.md lists the source of each file.
//
// A test counts in a [Tally] how many vectors it has tested or skipped, and states the expected counts. So the test fails if a condition skips
// vectors by mistake, or if a file is replaced by a shorter one.
package vectors

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/*.gz
var files embed.FS

// Read returns the uncompressed contents of a file of testdata. name has no .gz. Read ends the test if there is no such file.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	packed, err := files.ReadFile("testdata/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return data
}

// Load returns the contents of a JSON file of testdata. name has no .gz. Load ends the test if the contents do not fit T.
func Load[T any](t testing.TB, name string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(Read(t, name), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// Hex is a byte string. JSON files contain it as hexadecimal digits.
type Hex []byte

func (h *Hex) UnmarshalJSON(text []byte) error {
	var digits string
	if err := json.Unmarshal(text, &digits); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(digits)
	*h = decoded
	return err
}

// Bytes returns the bytes of a string of hexadecimal digits. It ends the test if the string has anything else.
func Bytes(t testing.TB, digits string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// A Wycheproof is a file of test vectors from the project Wycheproof, with groups of type G.
type Wycheproof[G any] struct {
	NumberOfTests int
	TestGroups    []G
}

// A Case has the fields common to all vectors of Wycheproof.
type Case struct {
	TcID    int
	Comment string
	Flags   []string
	// Result is valid, invalid or acceptable.
	Result string
}

// String names the vector, for messages.
func (c Case) String() string { return fmt.Sprintf("tcId %d (%s) %v", c.TcID, c.Comment, c.Flags) }

// Valid returns true for valid and false for invalid. It ends the test if the result is neither.
func (c Case) Valid(t testing.TB) bool {
	t.Helper()
	if c.Result != "valid" && c.Result != "invalid" {
		t.Fatalf("%v: unknown result %q", c, c.Result)
	}
	return c.Result == "valid"
}

// These types are the groups in the files of Wycheproof. Sizes are in bits.
type (
	// AESGCM is a group of aes_gcm_test.json.
	AESGCM struct {
		IVSize, KeySize, TagSize int
		Tests                    []struct {
			Case
			Key, IV, AAD, Msg, CT, Tag Hex
		}
	}
	// Ed25519 is a group of ed25519_test.json.
	Ed25519 struct {
		PublicKey struct{ PK Hex }
		Tests     []struct {
			Case
			Msg, Sig Hex
		}
	}
	// X25519 is a group of x25519_test.json.
	X25519 struct {
		Curve string
		Tests []struct {
			Case
			Public, Private, Shared Hex
		}
	}
	// MLKEM is a group of mlkem_768_test.json (decapsulation), mlkem_768_encaps_test.json or mlkem_768_keygen_seed_test.json. Each of these files has
	// some of the fields.
	MLKEM struct {
		ParameterSet string
		Tests        []struct {
			Case
			Seed, EK, DK, M, C, K Hex
		}
	}
)

// A PointCase is a signature with unusual points, from ed25519vectors.json.
type PointCase struct {
	A, R, S Hex
	M       string
	Flags   []string
}

// ACVPMLKEM768 is the content of acvp_mlkem768.json.
type ACVPMLKEM768 struct {
	KeyGen []struct {
		TcID           int
		D, Z, EKSHA256 Hex
	}
	Encapsulation []struct {
		TcID              int
		EK, M, K, CSHA256 Hex
	}
}

// A Tally counts the tested and skipped vectors of a file.
type Tally struct{ ran, left map[string]int }

// NewTally returns a Tally without counts.
func NewTally() *Tally { return &Tally{map[string]int{}, map[string]int{}} }

// Ran counts a tested vector of a group.
func (c *Tally) Ran(group string) { c.ran[group]++ }

// Left counts a skipped vector, under the reason for skipping it.
func (c *Tally) Left(reason string) { c.left[reason]++ }

// Check fails the test if the file does not have total vectors, or if the counts of tested or skipped vectors differ from ran or left. It logs the
// skipped vectors with the reasons.
func (c *Tally) Check(t testing.TB, total int, ran, left map[string]int) {
	t.Helper()
	if !maps.Equal(c.ran, ran) {
		t.Errorf("tested %s; expected %s", show(c.ran), show(ran))
	}
	if !maps.Equal(c.left, left) {
		t.Errorf("not applicable %s; expected %s", show(c.left), show(left))
	}
	if n := sum(c.ran) + sum(c.left); n != total {
		t.Errorf("%d vectors were counted; the file has %d", n, total)
	}
	t.Logf("%d of %d vectors: %s", sum(c.ran), total, show(c.ran))
	if len(c.left) > 0 {
		t.Logf("not applicable: %s", show(c.left))
	}
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

func show(counts map[string]int) string {
	if len(counts) == 0 {
		return "none"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(parts, ", ")
}
