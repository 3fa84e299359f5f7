package jinja

import "encoding/json"

// AddFunction makes a Go function known to the templates under a name. Its arguments and its result have the types to which package json decodes.
func (e *Environment) AddFunction(name string, function func(arguments ...any) (any, error)) {
	e.AddJSON(name, func(arguments string) (string, error) {
		var given []any
		if err := json.Unmarshal([]byte(arguments), &given); err != nil {
			return "", err
		}
		result, err := function(given...)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(result)
		return string(text), err
	})
}

// Render renders the template of this name. Package json encodes the values: a map or a struct.
func (e *Environment) Render(name string, values any) (string, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return "", err
	}
	return e.RenderJSON(name, string(text))
}
