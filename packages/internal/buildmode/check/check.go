// Package check is what the programs of the build modes run: every function of the packages, with results that are checked.
package check

import (
	"encoding/hex"
	"fmt"
	"runtime"

	"rustgo.dev/packages/edwards25519"
	"rustgo.dev/packages/internal/hammer"
)

// Run returns what is wrong, or "".
func Run() string {
	var k, p [32]byte
	hex.Decode(k[:], []byte("39129b3f7bbd7e17a39679b940018a737fc3bf430fcbc827029e67360aab3707"))
	edwards25519.ScalarBaseMult(&p, &k)
	if got, want := hex.EncodeToString(p[:]), "1cc4789ed5ea69f84ad460941ba0491ff532c1af1fa126733d6c7b62f7ebcbcf"; got != want {
		return fmt.Sprintf("edwards25519.ScalarBaseMult gives %s, want %s", got, want)
	}
	errs := make(chan error)
	for i := range uint64(4) {
		go func() {
			for seed := range uint64(50) {
				for _, w := range hammer.Workloads {
					if err := w.Run(i*1000 + seed); err != nil {
						errs <- fmt.Errorf("%s: %w", w.Name, err)
						return
					}
				}
				if seed%10 == 0 {
					runtime.GC()
				}
			}
			errs <- nil
		}()
	}
	problem := ""
	for range 4 {
		if err := <-errs; err != nil {
			problem = err.Error()
		}
	}
	return problem
}
