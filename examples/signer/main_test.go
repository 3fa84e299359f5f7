package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asMain is an environment variable that makes the test program run main instead of the tests. Tests use it if they need the service in a separate
// process.
const asMain = "SIGNER_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestExitCodeAndMessage(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"", "no command: want serve, load or compare; signer -h says more"},
		{"sign", `unknown command "sign": want serve, load or compare`},
		{"serve -impl openssl", `unknown implementation "openssl": want go or rustgo`},
		{"serve extra", `unexpected argument "extra"`},
		{"serve -timeout 0s", "-timeout and -grace must be above 0"},
		{"serve -timeout soon", `invalid value "soon" for flag -timeout: parse error`},
		{"serve -key no/such.hex", "key file no/such.hex does not exist; -generate makes one"},
		{"serve -addr 127.0.0.1:port -key ../signer", "key file ../signer is not a regular file"},
		{"load -open -closed", "-open and -closed exclude each other"},
		{"load -rate NaN", "-rate must be above 0 and at most 1000000"},
		{"load -rate 1 -duration 10ms", "-rate and -duration make less than one request"},
		{"load -concurrency 0", "-concurrency and -verify must be above 0"},
		{"load -warmup -1s", "-duration and -timeout must be above 0, and -warmup not below"},
		{"load -url localhost:8080", `-url is "localhost:8080": want such as http://127.0.0.1:8080`},
		{"compare -rounds 0", "-rounds must be above 0"},
	} {
		command := exec.Command(self, strings.Fields(c.args)...)
		command.Env = append(os.Environ(), asMain+"=1")
		var stdout, stderr bytes.Buffer
		command.Stdout, command.Stderr = &stdout, &stderr
		err := command.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("signer %s: %v, want exit code 1", c.args, err)
		}
		if got, want := stderr.String(), "signer: error: "+c.want+"\n"; got != want {
			t.Errorf("signer %s: stderr %q, want %q", c.args, got, want)
		}
		if stdout.Len() > 0 {
			t.Errorf("signer %s: stdout %q", c.args, &stdout)
		}
	}
}

func TestHelp(t *testing.T) {
	for args, want := range map[string]string{"-h": "usage: signer serve|load|compare", "serve -h": "-impl string", "load -h": "-rate float",
		"compare -h": "-rounds int"} {
		var stdout bytes.Buffer
		if err := run(context.Background(), strings.Fields(args), &stdout, &stdout); err != nil {
			t.Errorf("signer %s: %v", args, err)
		}
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("signer %s lacks %q:\n%s", args, want, &stdout)
		}
	}
}
