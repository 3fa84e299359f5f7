package rules

import "encoding/json"

// Matching returns the names of the rules that hold for the facts, in the order in which they were added. Package json encodes the facts: a struct or map.
func (e *Engine) Matching(facts any) ([]string, error) {
	text, err := json.Marshal(facts)
	if err != nil {
		return nil, err
	}
	return e.MatchingJSON(string(text))
}
