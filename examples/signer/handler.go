package main

import (
	"crypto"
	stded25519 "crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// maxBody is the size in bytes of the largest request body.
const maxBody = 64 << 10

// Names of the metrics that the load generator reads.
const (
	metricCPU  = "process_cpu_seconds_total" // name of this metric in Prometheus' process collector
	metricSign = "signer_sign_duration_seconds"
)

// answer is the JSON object of an answer; keys and signatures are in hexadecimal digits.
type answer struct {
	PublicKey string `json:"public_key,omitempty"`
	Signature string `json:"signature,omitempty"`
	Error     string `json:"error,omitempty"`
}

// service answers requests. Several goroutines may use it at the same time.
type service struct {
	key       crypto.Signer
	publicKey string
	signing   prometheus.Histogram
	log       *slog.Logger
}

// newHandler serves POST /sign, GET /public-key, GET /healthz and GET /metrics. The key must be an Ed25519 key.
func newHandler(key crypto.Signer, log *slog.Logger) http.Handler {
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "signer_request_duration_seconds",
		Help: "Time to answer POST /sign, by status code.", Buckets: prometheus.ExponentialBuckets(20e-6, 2, 16)}, []string{"code"})
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "signer_requests_total",
		Help: "Answers to POST /sign, by status code."}, []string{"code"})
	inFlight := prometheus.NewGauge(prometheus.GaugeOpts{Name: "signer_requests_in_flight", Help: "Requests of POST /sign in flight."})
	signing := prometheus.NewHistogram(prometheus.HistogramOpts{Name: metricSign,
		Help: "Time to make a signature, without HTTP and JSON.", Buckets: prometheus.ExponentialBuckets(4e-6, 2, 14)})
	registry := prometheus.NewRegistry()
	registry.MustRegister(latency, requests, inFlight, signing,
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewGoCollector())

	public := hex.EncodeToString(key.Public().(stded25519.PublicKey))
	s := &service{key, public, signing, log}
	mux := http.NewServeMux()
	mux.Handle("POST /sign", promhttp.InstrumentHandlerInFlight(inFlight,
		promhttp.InstrumentHandlerDuration(latency, promhttp.InstrumentHandlerCounter(requests, http.HandlerFunc(s.sign)))))
	mux.HandleFunc("GET /public-key", func(w http.ResponseWriter, _ *http.Request) {
		s.reply(w, http.StatusOK, answer{PublicKey: public})
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}

func (s *service) sign(w http.ResponseWriter, r *http.Request) {
	message, code, err := readMessage(w, r)
	if err != nil {
		s.reply(w, code, answer{Error: err.Error()})
		return
	}
	start := time.Now()
	signature, err := s.key.Sign(nil, message, crypto.Hash(0))
	s.signing.Observe(time.Since(start).Seconds())
	if err != nil {
		s.log.Error("cannot sign", "err", err)
		s.reply(w, http.StatusInternalServerError, answer{Error: "cannot sign"})
		return
	}
	s.reply(w, http.StatusOK, answer{PublicKey: s.publicKey, Signature: hex.EncodeToString(signature)})
}

// readMessage returns the bytes to sign: the canonical form of a transaction in JSON, or the unchanged body. If there is an error, readMessage also
// returns the HTTP status code for it.
func readMessage(w http.ResponseWriter, r *http.Request) ([]byte, int, error) {
	const isJSON, isRaw = "application/json", "application/octet-stream"
	header := r.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(header)
	if err != nil || kind != isJSON && kind != isRaw {
		return nil, http.StatusUnsupportedMediaType, fmt.Errorf("content type is %q: want %s or %s", header, isJSON, isRaw)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, fmt.Errorf("body is larger than %d bytes", maxBody)
	case err != nil:
		return nil, http.StatusBadRequest, fmt.Errorf("cannot read the body: %w", err)
	case len(body) == 0:
		return nil, http.StatusBadRequest, errors.New("body is empty")
	case kind == isRaw:
		return body, 0, nil
	}
	t, err := parseTransaction(body)
	if err != nil {
		return nil, http.StatusBadRequest, err
	}
	return t.canonical(), 0, nil
}

func (s *service) reply(w http.ResponseWriter, code int, a answer) {
	body, err := json.Marshal(a)
	if err != nil { // cannot happen, because the fields are strings
		s.log.Error("cannot write an answer", "err", err)
		code = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(append(body, '\n')) // an error means that the client has disconnected
}
