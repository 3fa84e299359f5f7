package main

import (
	"bytes"
	"context"
	stded25519 "crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// target is a service that receives load.
type target struct {
	clients   []http.Client // each client has a connection of its own, like clients on different machines
	url       string
	publicKey string // hexadecimal digits
	verifier  stded25519.PublicKey
	verify    int // the signature of each request whose number is a multiple of verify is checked
}

// newTarget gets the public key from the service. timeout is the time limit of a request.
func newTarget(ctx context.Context, address string, concurrency, verify int, timeout time.Duration) (*target, error) {
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("-url is %q: want such as http://127.0.0.1:8080", address)
	}
	t := &target{clients: make([]http.Client, concurrency), url: strings.TrimSuffix(address, "/"), verify: verify}
	for i := range t.clients {
		t.clients[i] = http.Client{Transport: &http.Transport{MaxConnsPerHost: 1, DisableCompression: true}, Timeout: timeout}
	}
	body, err := t.get(ctx, "/public-key")
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("%s/public-key: %w", t.url, err)
	}
	key, err := hex.DecodeString(a.PublicKey)
	if err != nil || len(key) != stded25519.PublicKeySize {
		return nil, fmt.Errorf("%s/public-key has no public key", t.url)
	}
	t.publicKey, t.verifier = a.PublicKey, key
	return t, nil
}

func (t *target) close() {
	for i := range t.clients {
		t.clients[i].CloseIdleConnections()
	}
}

// loadTransaction returns the transaction of request i.
func loadTransaction(i int) transaction {
	return transaction{From: "alice", To: "bob", Amount: 100, Nonce: uint64(i)}
}

func (t *target) send(ctx context.Context, client, i int) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url+"/sign", bytes.NewReader(loadTransaction(i).canonical()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	// If the service has closed an idle connection, net/http sends a POST request again only if the request has this header. A header without values
	// is not sent to the service.
	request.Header["Idempotency-Key"] = nil
	return t.do(client, request)
}

// check verifies the signature of every verify-th answer, always with crypto/ed25519.
func (t *target) check(i int, body []byte) error {
	if i%t.verify != 0 {
		return nil
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return fmt.Errorf("answer is not valid: %w", err)
	}
	if a.PublicKey != t.publicKey {
		return fmt.Errorf("public key of the answer is %q, that of the service %q", a.PublicKey, t.publicKey)
	}
	signature, err := hex.DecodeString(a.Signature)
	if err != nil || !stded25519.Verify(t.verifier, loadTransaction(i).canonical(), signature) {
		return errors.New("signature does not verify")
	}
	return nil
}

func (t *target) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url+path, nil)
	if err != nil {
		return nil, err
	}
	return t.do(0, request)
}

func (t *target) do(client int, request *http.Request) ([]byte, error) {
	response, err := t.clients[client].Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s: %s", request.URL, response.Status, strings.TrimSpace(string(body[:min(len(body), 200)])))
	}
	return body, nil
}

// counters are counts of the service since its start.
type counters struct {
	cpu        float64 // seconds of processor time
	signing    float64 // seconds in the function that signs
	signatures float64
}

func (t *target) counters(ctx context.Context) (counters, error) {
	body, err := t.get(ctx, "/metrics")
	if err != nil {
		return counters{}, err
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(body))
	if err != nil {
		return counters{}, fmt.Errorf("%s/metrics: %w", t.url, err)
	}
	cpu, sign := families[metricCPU].GetMetric(), families[metricSign].GetMetric()
	if len(cpu) == 0 || len(sign) == 0 {
		return counters{}, fmt.Errorf("%s/metrics has no %s or no %s", t.url, metricCPU, metricSign)
	}
	h := sign[0].GetHistogram()
	return counters{cpu[0].GetCounter().GetValue(), h.GetSampleSum(), float64(h.GetSampleCount())}, nil
}
