package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// slowServer serves a handler in which each request waits until release is closed. It returns when a request is in flight.
func slowServer(t *testing.T, grace time.Duration, release chan struct{}) (addr string, stop func(), served chan error,
	answered chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	inner, entered := testHandler(t, "rustgo"), make(chan struct{})
	served, answered = make(chan error, 1), make(chan string, 1)
	go func() {
		served <- serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(entered)
			<-release
			inner.ServeHTTP(w, r)
		}), time.Minute, grace, quiet)
	}()
	addr = listener.Addr().String()
	go func() {
		response, err := http.Post("http://"+addr+"/sign", "application/octet-stream", strings.NewReader("x"))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- response.Status + " " + string(body)
	}()
	<-entered
	return addr, stop, served, answered
}

func TestShutdownFinishesRequestInFlight(t *testing.T) {
	release := make(chan struct{})
	addr, stop, served, answered := slowServer(t, time.Minute, release)
	stop()
	// Shutdown closes the listener first. When connections are refused, the request in flight is answered only if Shutdown waits for it.
	for {
		connection, err := net.Dial("tcp", addr)
		if err != nil {
			break
		}
		connection.Close()
	}
	select {
	case err := <-served:
		t.Errorf("ended with a request in flight: %v", err)
	default:
	}
	close(release)
	if got := <-answered; !strings.HasPrefix(got, `200 OK {"public_key":"`) {
		t.Errorf("request in flight: %s", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestShutdownGivesUp(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	_, stop, served, answered := slowServer(t, time.Millisecond, release)
	stop()
	want := "requests in flight took longer than 1ms: connections cut"
	if err := <-served; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if got := <-answered; strings.HasPrefix(got, "200") {
		t.Errorf("cut request: %s", got)
	}
}

func TestServeErrors(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	args := []string{"serve", "-addr", listener.Addr().String()}
	if err := run(context.Background(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "address already in use") &&
		runtime.GOOS != "windows" {
		t.Errorf("port in use: %v", err)
	}
}

// TestSignalEndsProcess starts the service in a separate process, as the command compare does, with a key and a profile in files.
func TestSignalEndsProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM; run the tests on Linux or macOS")
	}
	t.Setenv(asMain, "1")
	keyFile, profile := filepath.Join(t.TempDir(), "seed.hex"), filepath.Join(t.TempDir(), "cpu.prof")
	if err := writeSeed(keyFile, testSeed); err != nil {
		t.Fatal(err)
	}
	for _, impl := range implementations {
		service, err := startChild(context.Background(), "-impl", impl, "-key", keyFile, "-cpuprofile", profile)
		if err != nil {
			t.Fatal(err)
		}
		target, err := newTarget(context.Background(), service.url, 1, 1, time.Minute)
		if err == nil {
			var body []byte
			if body, err = target.send(context.Background(), 0, 1); err == nil {
				err = target.check(1, body)
			}
			target.close()
		}
		if err != nil {
			t.Errorf("%s: %v", impl, err)
		}
		if err := service.stop(); err != nil {
			t.Errorf("%s: %v", impl, err)
		}
		if logs := service.stderr.String(); !strings.Contains(logs, "impl="+impl) || !strings.Contains(logs, "msg=stopped") {
			t.Errorf("%s: logs lack the start or the end:\n%s", impl, logs)
		}
		if info, err := os.Stat(profile); err != nil || info.Size() == 0 {
			t.Errorf("%s: no profile: %v", impl, err)
		}
	}
}

func TestChildThatFails(t *testing.T) {
	t.Setenv(asMain, "1")
	_, err := startChild(context.Background(), "-impl", "none")
	if err == nil || !strings.Contains(err.Error(), `signer: error: unknown implementation "none": want go or rustgo`) {
		t.Errorf("%v", err)
	}
}

func TestSlowClientIsCut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, listener, testHandler(t, "go"), 300*time.Millisecond, time.Minute, quiet) }()
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	io.WriteString(connection, "POST /sign HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\n1234")
	// The client never sends the rest of the request. The end of the stream shows that the server has closed the connection.
	text, err := io.ReadAll(connection)
	if err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 400 ") || !strings.Contains(string(text), "cannot read the body: ") {
		t.Errorf("%q, %v", text, err)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
