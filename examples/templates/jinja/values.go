package jinja

import "encoding/json"

// AddFunction lets templates call a Go function by this name. The arguments have the types to which package encoding/json decodes into an any. The
// result may be any value that encoding/json can encode.
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

// Render renders the template of this name. The values are a map or a struct that package encoding/json can encode.
func (e *Environment) Render(name string, values any) (string, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return "", err
	}
	return e.RenderJSON(name, string(text))
}
