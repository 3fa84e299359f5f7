package main

import (
	"crypto/mlkem"
	"encoding/hex"
	"fmt"
	"strings"

	"rustgo.dev/bench/crypto/internal/column"
)

// agree checks that all columns have the same results for the same inputs. It returns the number of compared results.
func agree(processes map[string]*process) (int, error) {
	key, err := mlkem.NewDecapsulationKey768(column.KEMSeed())
	if err != nil {
		return 0, err
	}
	shared, ciphertext := key.EncapsulationKey().Encapsulate()
	first, of, compared := map[string]string{}, map[string]string{}, 0
	for _, c := range all {
		p := processes[c.name]
		if p == nil {
			continue
		}
		var results map[string]string
		if err := p.ask(&results, "check", hex.EncodeToString(ciphertext)); err != nil {
			return 0, err
		}
		for name, result := range results {
			if name == "encaps" { // the result is random, so crypto/mlkem decapsulates it
				text, secret, _ := strings.Cut(result, ":")
				raw, err := hex.DecodeString(text)
				if err != nil {
					return 0, err
				}
				own, err := key.Decapsulate(raw)
				if err != nil || hex.EncodeToString(own) != secret {
					return 0, fmt.Errorf("%s: encaps: crypto/mlkem gets another shared key from its ciphertext (%v)", c.name, err)
				}
			} else if want, there := first[name]; !there {
				first[name], of[name] = result, c.name
			} else if result != want {
				return 0, fmt.Errorf("%s: %s is %s, and in column %s %s", c.name, name, result, of[name], want)
			}
			compared++
		}
		if got, there := results["decaps"]; there && got != hex.EncodeToString(shared) {
			return 0, fmt.Errorf("%s: decaps is %s, and by crypto/mlkem %x", c.name, got, shared)
		}
	}
	for name, result := range first { // all columns could agree on a wrong result
		wrong := strings.HasSuffix(result, " false")
		switch name, _, _ := strings.Cut(name, " "); name {
		case "aes", "chacha", "sign", "batch": // the right input is accepted and the changed input refused
			wrong = !strings.Contains(result, "true false")
		}
		if wrong {
			return 0, fmt.Errorf("%s: %s: a right result is refused, or a wrong one accepted: %s", of[name], name, result)
		}
	}
	return compared, nil
}
