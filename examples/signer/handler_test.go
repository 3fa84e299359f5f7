package main

import (
	"bytes"
	stded25519 "crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

var (
	quiet      = slog.New(slog.DiscardHandler)
	testSeed   = bytes.Repeat([]byte{7}, stded25519.SeedSize)
	testPublic = stded25519.NewKeyFromSeed(testSeed).Public().(stded25519.PublicKey)
)

func testHandler(t *testing.T, impl string) http.Handler {
	t.Helper()
	makeKey, err := keyMaker(impl)
	if err != nil {
		t.Fatal(err)
	}
	return newHandler(makeKey(testSeed), quiet)
}

func post(h http.Handler, contentType string, body io.Reader) (int, answer, error) {
	request := httptest.NewRequest(http.MethodPost, "/sign", body)
	request.Header.Set("Content-Type", contentType)
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	var a answer
	err := json.Unmarshal(recorder.Body.Bytes(), &a)
	return recorder.Code, a, err
}

// TestSignatures compares the signatures of both implementations, and verifies them with crypto/ed25519.
func TestSignatures(t *testing.T) {
	canonical := `{"from":"alice","to":"bob-2","amount":18446744073709551615,"nonce":7}`
	for _, c := range []struct{ name, kind, body, signed string }{
		{"JSON", "application/json", canonical, canonical},
		{"JSON in another form", "application/json; charset=utf-8", "{\n \"nonce\": 7, \"to\": \"bob\", \"to\": \"bob-2\",\n" +
			"\"amount\": 18446744073709551615, \"From\": \"\\u0061lice\"}\n", canonical},
		{"one byte", "application/octet-stream", "\x00", "\x00"},
		{"JSON as bytes", "application/octet-stream", "{ }", "{ }"},
		{"block of SHA-512", "application/octet-stream", strings.Repeat("x", 128), strings.Repeat("x", 128)},
		{"largest", "application/octet-stream", strings.Repeat("\xff", maxBody), strings.Repeat("\xff", maxBody)},
	} {
		signatures := map[string]string{}
		for _, impl := range implementations {
			code, a, err := post(testHandler(t, impl), c.kind, strings.NewReader(c.body))
			if code != http.StatusOK || err != nil || a.Error != "" {
				t.Errorf("%s: %s: %d %+v %v", c.name, impl, code, a, err)
			}
			signature, err := hex.DecodeString(a.Signature)
			if err != nil || !stded25519.Verify(testPublic, []byte(c.signed), signature) {
				t.Errorf("%s: %s: signature %s does not verify", c.name, impl, a.Signature)
			}
			if a.PublicKey != hex.EncodeToString(testPublic) {
				t.Errorf("%s: %s: public key %s, want %x", c.name, impl, a.PublicKey, testPublic)
			}
			signatures[impl] = a.Signature
		}
		if signatures["go"] != signatures["rustgo"] {
			t.Errorf("%s: go signs %s, rustgo %s", c.name, signatures["go"], signatures["rustgo"])
		}
	}
}

func TestCanonicalIsJSON(t *testing.T) {
	for _, want := range []transaction{loadTransaction(0), loadTransaction(math.MaxInt64),
		{"a.b:c_D-9", strings.Repeat("z", maxAccount), 1, math.MaxUint64}} {
		fromJSON, err := json.Marshal(want)
		if err != nil || !bytes.Equal(want.canonical(), fromJSON) {
			t.Errorf("canonical form %s, json.Marshal writes %s, %v", want.canonical(), fromJSON, err)
		}
		if got, err := parseTransaction(want.canonical()); err != nil || got != want {
			t.Errorf("%s is read as %+v, %v", want.canonical(), got, err)
		}
	}
}

func TestBadInput(t *testing.T) {
	const isJSON, isRaw = "application/json", "application/octet-stream"
	accounts := ` must have 1 to 64 characters`
	for _, c := range []struct {
		kind, body string
		code       int
		want       string
	}{
		{isRaw, "", 400, "body is empty"},
		{isJSON, "", 400, "body is empty"},
		{isRaw, strings.Repeat("x", maxBody+1), 413, "body is larger than 65536 bytes"},
		{isJSON, strings.Repeat(" ", maxBody+1), 413, "body is larger than 65536 bytes"},
		{"", "x", 415, `content type is "": want application/json or application/octet-stream`},
		{"text/plain", "x", 415, `content type is "text/plain": want application/json or application/octet-stream`},
		{"a/b;;", "x", 415, `content type is "a/b;;": want application/json or application/octet-stream`},
		{isJSON, " ", 400, "transaction is not valid: unexpected end of JSON input"},
		{isJSON, `{"from":"a"`, 400, "transaction is not valid: unexpected end of JSON input"},
		{isJSON, `nonce`, 400, "transaction is not valid: invalid character 'o' in literal null (expecting 'u')"},
		{isJSON, `{"fee":1}`, 400, `transaction is not valid: json: unknown field "fee"`},
		{isJSON, `null`, 400, `transaction is not valid: "from"` + accounts},
		{isJSON, `{"from":"a","amount":1}`, 400, `transaction is not valid: "to"` + accounts},
		{isJSON, `{"from":"` + strings.Repeat("a", 65) + `","to":"b","amount":1}`, 400, `transaction is not valid: "from"` + accounts},
		{isJSON, `{"from":"a","to":"b\"","amount":1}`, 400, `transaction is not valid: "to" may have letters, digits and -_.: only`},
		{isJSON, `{"from":"\ud800","to":"b","amount":1}`, 400, `transaction is not valid: "from" may have letters, digits and -_.: only`},
		{isJSON, `{"from":"a","to":"b"}`, 400, `transaction is not valid: "amount" must be above 0`},
		{isJSON, `{"from":"a","to":"b","amount":1}{}`, 400, "transaction is not valid: text after the JSON object"},
		{isJSON, `{"from":"a","to":"b","amount":1},`, 400, "transaction is not valid: text after the JSON object"},
	} {
		code, a, err := post(testHandler(t, "rustgo"), c.kind, strings.NewReader(c.body))
		if code != c.code || a != (answer{Error: c.want}) || err != nil {
			t.Errorf("%s %.40q: %d %+v %v, want %d %s", c.kind, c.body, code, a, err, c.code, c.want)
		}
	}
	// For these bodies the service must not return encoding/json's error messages.
	for _, body := range []string{`[]`, `"x"`, `{"amount":-1}`, `{"amount":18446744073709551616}`, `{"amount":1.5}`, `{"to":1}`,
		strings.Repeat("[", maxBody)} {
		code, a, err := post(testHandler(t, "rustgo"), isJSON, strings.NewReader(body))
		if code != 400 || !strings.HasPrefix(a.Error, "transaction is not valid: ") || a.Signature != "" || err != nil {
			t.Errorf("%.40q: %d %+v %v", body, code, a, err)
		}
	}
	broken := iotest.ErrReader(errors.New("connection lost"))
	code, a, err := post(testHandler(t, "rustgo"), isRaw, broken)
	if code != 400 || a.Error != "cannot read the body: connection lost" || err != nil {
		t.Errorf("broken body: %d %+v %v", code, a, err)
	}
}

func FuzzParseTransaction(f *testing.F) {
	f.Add([]byte(`{"from":"alice","to":"bob","amount":1,"nonce":0}`))
	f.Add([]byte(`{"from":"alice","from":"bob"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		first, err := parseTransaction(body)
		if err != nil {
			return
		}
		if second, err := parseTransaction(first.canonical()); err != nil || second != first {
			t.Errorf("%q is %+v, its canonical form %s is %+v, %v", body, first, first.canonical(), second, err)
		}
	})
}

func TestOtherPathsAndMetrics(t *testing.T) {
	h := testHandler(t, "rustgo")
	post(h, "application/octet-stream", strings.NewReader("x"))
	post(h, "application/octet-stream", strings.NewReader("y"))
	post(h, "text/plain", strings.NewReader("x"))
	for _, c := range []struct {
		method, path string
		code         int
		want         []string
	}{
		{"GET", "/sign", 405, nil},
		{"POST", "/public-key", 405, nil},
		{"GET", "/none", 404, nil},
		{"GET", "/healthz", 200, []string{"ok\n"}},
		{"GET", "/public-key", 200, []string{`{"public_key":"` + hex.EncodeToString(testPublic) + `"}` + "\n"}},
		{"GET", "/metrics", 200, []string{`signer_requests_total{code="200"} 2`, `signer_requests_total{code="415"} 1`,
			`signer_request_duration_seconds_count{code="200"} 2`, `signer_request_duration_seconds_bucket{code="200",le="+Inf"} 2`,
			"signer_requests_in_flight 0", "signer_sign_duration_seconds_count 2"}},
	} {
		recorder := httptest.NewRecorder()
		h.ServeHTTP(recorder, httptest.NewRequest(c.method, c.path, nil))
		if recorder.Code != c.code {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, recorder.Code, c.code)
		}
		for _, want := range c.want {
			if !strings.Contains(recorder.Body.String(), want) {
				t.Errorf("%s %s lacks %q:\n%s", c.method, c.path, want, recorder.Body)
			}
		}
	}
}
