package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"time"
)

// runServe answers requests until ctx is done, and then finishes the requests in flight. When the service listens, runServe writes its URL to
// stdout. It logs to stderr.
func runServe(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "`address` to listen on; port 0 is any free one")
	impl := flags.String("impl", "rustgo", "implementation of Ed25519: rustgo or go")
	keyFile := flags.String("key", "", "`file` with the seed as 64 hexadecimal digits; without it the key is random and lost at the end")
	generate := flags.Bool("generate", false, "make the key file if it does not exist")
	timeout := flags.Duration("timeout", 5*time.Second, "longest time to read a request, and to write its answer")
	grace := flags.Duration("grace", 10*time.Second, "longest time that requests in flight get after SIGINT or SIGTERM")
	profile := flags.String("cpuprofile", "", "write a CPU profile to this `file`")
	if err := parse(flags, args, stdout); err != nil {
		return err
	}
	if *timeout <= 0 || *grace <= 0 {
		return errors.New("-timeout and -grace must be above 0")
	}
	newKey, err := keyMaker(*impl)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	seed, err := seedFor(*keyFile, *generate, log)
	if err != nil {
		return err
	}
	key := newKey(seed)
	clear(seed)
	if *profile != "" {
		stop, err := startProfile(*profile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", listener.Addr().String(), "impl", *impl)
	fmt.Fprintf(stdout, "http://%s\n", listener.Addr())
	return serve(ctx, listener, newHandler(key, log), *timeout, *grace, log)
}

// seedFor returns the seed in the file. If name is empty, or if generate is true and the file does not exist, it returns a new seed.
func seedFor(name string, generate bool, log *slog.Logger) ([]byte, error) {
	if name == "" {
		log.Warn("the key is random and will be lost; -key FILE names one that stays")
		return newSeed(), nil
	}
	if _, err := os.Lstat(name); generate && errors.Is(err, os.ErrNotExist) {
		seed := newSeed()
		if err := writeSeed(name, seed); err != nil {
			return nil, err
		}
		log.Info("made a key", "file", name)
		return seed, nil
	}
	return readSeed(name)
}

func startProfile(name string) (stop func() error, err error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

// serve answers requests until ctx is done. Then it closes the listener and finishes the requests in flight. It returns an error if finishing takes
// longer than grace.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, timeout, grace time.Duration, log *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: timeout,
		ReadTimeout:       timeout,
		WriteTimeout:      2 * timeout, // starts at the end of the headers, so it covers the body and the answer
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("shutting down", "grace", grace)
	limit, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		server.Close()
		return fmt.Errorf("requests in flight took longer than %v: connections cut", grace)
	}
	log.Info("stopped")
	return nil
}
