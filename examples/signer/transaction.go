package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxAccount is the largest number of characters of an account's name.
const maxAccount = 64

// transaction is the JSON object that a client sends to be signed.
type transaction struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Amount uint64 `json:"amount"` // in the smallest unit of the currency
	Nonce  uint64 `json:"nonce"`
}

// parseTransaction reads one JSON object. Unknown fields are an error.
func parseTransaction(body []byte) (transaction, error) {
	var t transaction
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&t); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("unexpected end of JSON input")
		}
		return t, fmt.Errorf("transaction is not valid: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return t, errors.New("transaction is not valid: text after the JSON object")
	}
	if err := checkAccount("from", t.From); err != nil {
		return t, err
	}
	if err := checkAccount("to", t.To); err != nil {
		return t, err
	}
	if t.Amount == 0 {
		return t, errors.New(`transaction is not valid: "amount" must be above 0`)
	}
	return t, nil
}

func checkAccount(field, name string) error {
	if len(name) == 0 || len(name) > maxAccount {
		return fmt.Errorf("transaction is not valid: %q must have 1 to %d characters", field, maxAccount)
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == ':':
		default:
			return fmt.Errorf("transaction is not valid: %q may have letters, digits and -_.: only", field)
		}
	}
	return nil
}

// canonical returns the bytes to sign: JSON without spaces, with the fields in the order of the type. The service does not sign the client's bytes,
// because another parser may read them differently. For example, if two fields have one name, another parser may use the first field, and this
// parser uses the last.
func (t transaction) canonical() []byte {
	b := make([]byte, 0, 128)
	b = append(b, `{"from":"`...) // no character of a name needs escaping: see checkAccount
	b = append(b, t.From...)
	b = append(b, `","to":"`...)
	b = append(b, t.To...)
	b = append(b, `","amount":`...)
	b = strconv.AppendUint(b, t.Amount, 10)
	b = append(b, `,"nonce":`...)
	b = strconv.AppendUint(b, t.Nonce, 10)
	return append(b, '}')
}
