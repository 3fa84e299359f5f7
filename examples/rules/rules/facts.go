package rules

import "encoding/json"

// Matching returns the names of the rules that hold for the facts, in the order in which they were added. The facts are a struct or a map that
// package encoding/json can encode.
func (e *Engine) Matching(facts any) ([]string, error) {
	text, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	return e.MatchingJSON(string(text))
}
