package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// loadArgs are arguments for a short load of 100 requests.
var loadArgs = strings.Fields("-rate 1000 -duration 100ms -warmup 10ms -verify 3 -concurrency 8")

func TestLoad(t *testing.T) {
	for _, loop := range []string{"-open", "-closed"} {
		server := httptest.NewServer(testHandler(t, "rustgo"))
		defer server.Close()
		var out bytes.Buffer
		args := append([]string{"load", "-url", server.URL + "/", loop}, loadArgs...)
		if err := run(context.Background(), args, &out, io.Discard); err != nil {
			t.Errorf("%s: %v", loop, err)
		}
		want := []string{"closed loop: 8 requests in flight for 100ms\n", " 0 failed, 0 not sent; one signature in 3 verified\n"}
		if loop == "-open" {
			want = []string{"open loop: 1000 requests/s for 100ms, at most 8 in flight\n", "requests    100, 0 failed, 0 not sent;",
				"sent late   p50 "}
		}
		for _, line := range append(want, "throughput  ", "latency     p50 ", "service     ") {
			if !strings.Contains(out.String(), line) {
				t.Errorf("%s: output lacks %q:\n%s", loop, line, &out)
			}
		}
	}
}

// TestLoadFindsBadService sends load to services whose answers are wrong.
func TestLoadFindsBadService(t *testing.T) {
	good := testHandler(t, "go")
	forge := func(change func(*answer)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			recorder := httptest.NewRecorder()
			good.ServeHTTP(recorder, r)
			var a answer
			if err := json.Unmarshal(recorder.Body.Bytes(), &a); err != nil {
				panic(err)
			}
			change(&a)
			json.NewEncoder(w).Encode(a)
		}
	}
	for _, c := range []struct {
		name, path string
		handler    http.HandlerFunc
		want       string // text of the error; URL is replaced by the service's URL
	}{
		{"wrong signature", "POST /sign", forge(func(a *answer) { a.Signature = strings.Repeat("00", 64) }), "signature does not verify"},
		{"short signature", "POST /sign", forge(func(a *answer) { a.Signature = a.Signature[2:] }), "signature does not verify"},
		{"signature that is no number", "POST /sign", forge(func(a *answer) { a.Signature = "x" + a.Signature[1:] }), "signature does not verify"},
		{"another key", "POST /sign", forge(func(a *answer) { a.PublicKey = "00" }), `public key of the answer is "00", that of the service "`},
		{"no JSON", "POST /sign", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "signed") }, "answer is not valid: "},
		{"overload", "POST /sign", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", 503) },
			"the first: URL/sign: 503 Service Unavailable: busy"},
		{"slow", "POST /sign", func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // the server notices the end of the connection only after it has read the body
			<-r.Context().Done()
		}, "Client.Timeout exceeded"},
		{"no public key", "GET /public-key", forge(func(a *answer) { a.PublicKey = "" }), "URL/public-key has no public key"},
		{"other public key", "GET /public-key", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "key") },
			"URL/public-key: invalid character"},
		{"no metrics", "GET /metrics", http.NotFound, "URL/metrics: 404 Not Found: 404 page not found"},
		{"other metrics", "GET /metrics", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "up 1\n") },
			"URL/metrics has no process_cpu_seconds_total or no signer_sign_duration_seconds"},
	} {
		mux := http.NewServeMux()
		mux.Handle("/", good)
		mux.Handle(c.path, c.handler)
		server := httptest.NewServer(mux)
		args := append([]string{"load", "-url", server.URL}, loadArgs...)
		if c.name == "slow" {
			args = append(args, "-timeout", "50ms")
		}
		err := run(context.Background(), args, io.Discard, io.Discard)
		if want := strings.ReplaceAll(c.want, "URL", server.URL); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", c.name, err, want)
		}
		server.Close()
	}
}

func TestLoadOfNothing(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	if err := run(context.Background(), []string{"load", "-url", server.URL}, io.Discard, io.Discard); err == nil {
		t.Error("no error")
	}
}

func TestSleep(t *testing.T) {
	start := time.Now()
	sleep(context.Background(), 2*time.Millisecond)
	if d := time.Since(start); d < 2*time.Millisecond {
		t.Errorf("slept %v", d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	sleep(ctx, time.Hour)
	if ctx.Err() == nil {
		t.Error("did not sleep")
	}
}
