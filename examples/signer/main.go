// Signer is an HTTP service that signs transactions with Ed25519, by crypto/ed25519 or by rustgo.dev/packages/ed25519. It includes a load generator
// and a comparison of the two implementations.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: signer serve|load|compare [flags]
  serve    answers POST /sign, GET /public-key, /healthz and /metrics
  load     sends transactions to a running service and reports latencies
  compare  runs the service with each implementation in turns, under the same load
signer COMMAND -h lists the flags of a command.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal the default behaviour is restored, so a second signal ends the process immediately.
	context.AfterFunc(ctx, stop)
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "signer: error:", err)
		os.Exit(1)
	}
}

// run runs the command named by args, until it ends or ctx is done.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return errors.New("no command: want serve, load or compare; signer -h says more")
	}
	var err error
	switch args[0] {
	case "serve":
		err = runServe(ctx, args[1:], stdout, stderr)
	case "load":
		err = runLoad(ctx, args[1:], stdout)
	case "compare":
		err = runCompare(ctx, args[1:], stdout, stderr)
	case "-h", "-help", "--help", "help":
		fmt.Fprintln(stdout, usage)
	default:
		err = fmt.Errorf("unknown command %q: want serve, load or compare", args[0])
	}
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}

// parse reads the flags. After -h it writes the list of flags to stdout and returns flag.ErrHelp.
func parse(flags *flag.FlagSet, args []string, stdout io.Writer) error {
	// Without this, the flag package would also print the error that main prints.
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		fmt.Fprintf(stdout, "usage: signer %s [flags]\n", flags.Name())
		flags.PrintDefaults()
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return err
}
