// Package step runs a linux/arm64 program under qemu's GDB stub, one instruction of Rust at a time, and at each of them unwinds the
// stack as Go's runtime would if a signal came just there.
//
// It keeps its own stack of calls: each BL or BLR pushes SP and the return address, each RET pops them. Against these it compares what the
// unwinder (runtime.unwinder, for a machine with a link register) would find:
//
//   - SP plus the delta in Go's SP table is SP at entry of the function;
//   - the return address is the word at SP if the delta is positive, else x30;
//   - for each caller the same holds with its own delta at the return address, and that address lies in the caller.
//
// The walk of a call ends where it leaves generated code: for Go, by its return, or for the runtime, to grow the stack or to panic.
package step

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Qemu is the emulator's name. Debian has it in the package qemu-user-static.
const Qemu = "qemu-aarch64-static"

// limited is a shell's text that runs the program $0 with no more than 2 GiB of address space. At each breakpoint the emulator goes through
// a table of all the address space that is reserved: with the 32 GiB that the heap asks for on a machine with 16 GiB that takes seconds.
const limited = `ulimit -v 2097152 && exec "$0" "$@"`

// stepped is how often a function is stepped through as a callee in one walk; after that it runs freely to its return,
// so that the steps go to code not yet seen.
const stepped = 2

// Report is what was seen.
type Report struct {
	Steps   int
	PCs     map[uint64]bool // instructions of generated code that were executed, one step each at least
	Entered map[string]int  // calls of each function at which walks begin
	Depth   int             // the most frames of generated code at once
	Wrong   []string        // one for each instruction and kind
}

type frame struct {
	function *Function
	sp, lr   uint64 // at entry
}

type run struct {
	*stub
	*Report
	binary *Binary
	left   map[*Function]int // steps that walks from there may still take
	told   map[string]bool
}

// Run starts the program in the folder and follows the calls of each export, and those of the formatter of panic messages, until that
// function has taken so many steps, at most half of them in one call. It ends when all have, or with the program. An error says that the stepping or the program failed, not that a
// frame is wrong.
func Run(ctx context.Context, b *Binary, steps int, output io.Writer, folder string, args ...string) (*Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	temp, err := os.MkdirTemp("", "step")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	socket := filepath.Join(temp, "gdb")
	qemu := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, Qemu, "-g", socket, b.Path}, args...)...)
	// One goroutine at a time, and no signal and no collection that could come between two steps.
	qemu.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	qemu.Dir = folder
	qemu.Stdout, qemu.Stderr = output, output
	if err := qemu.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		qemu.Wait()
	}()
	defer func() {
		cancel()
		<-ended
	}()
	gdb, err := dial(socket, ended)
	if err != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	defer gdb.conn.Close()
	defer context.AfterFunc(ctx, func() { gdb.conn.Close() })()
	r := &run{gdb, &Report{PCs: map[uint64]bool{}, Entered: map[string]int{}}, b, map[*Function]int{}, map[string]bool{}}
	if err := r.follow(steps); err != nil && !errors.Is(err, errExited) {
		return nil, fmt.Errorf("after %d steps: %w", r.Steps, errors.Join(err, ctx.Err()))
	}
	return r.Report, nil
}

// follow walks calls until no function has steps left.
func (r *run) follow(steps int) error {
	for _, f := range r.binary.Functions {
		if f.followed {
			r.left[f] = steps
			if err := r.breakpoint(true, f.Entry); err != nil {
				return err
			}
		}
	}
	for len(r.left) > 0 {
		if err := r.resume("c"); err != nil {
			return err
		}
		regs, err := r.registers()
		if err != nil {
			return err
		}
		f := r.binary.Function(regs.pc)
		if f == nil || f.Entry != regs.pc || !f.followed {
			return fmt.Errorf("stopped at %#x, where no walk begins", regs.pc)
		}
		if err := r.breakpoint(false, f.Entry); err != nil {
			return err
		}
		r.Entered[f.Name]++
		before := r.Steps
		if err := r.walk(f, regs, min(r.left[f], steps/2)); err != nil {
			return err
		}
		if r.left[f] -= r.Steps - before; r.left[f] <= 0 {
			delete(r.left, f)
		} else if err := r.breakpoint(true, f.Entry); err != nil {
			return err
		}
	}
	return nil
}

// walk follows one call.
func (r *run) walk(first *Function, regs registers, limit int) error {
	calls, thread := []frame{{first, regs.sp, regs.lr}}, r.thread
	seen := map[*Function]int{} // calls stepped through
	for end := r.Steps + limit; r.Steps < end; {
		if err := r.unwind(calls, regs); err != nil {
			return err
		}
		before := regs
		if err := r.resume("s"); err != nil {
			return err
		}
		if r.thread != thread {
			return fmt.Errorf("another thread stopped: %s, not %s", r.thread, thread)
		}
		var err error
		if regs, err = r.registers(); err != nil {
			return err
		}
		r.Steps++
		r.PCs[before.pc] = true
		top := &calls[len(calls)-1]
		from, to := top.function.at(before.pc), r.binary.Function(regs.pc)
		switch op := r.binary.instruction(before.pc); {
		case isReturn(op):
			if regs.pc != top.lr || regs.sp != top.sp {
				r.wrong(from, "returns to %#x with SP %#x, was called from %#x with %#x", regs.pc, regs.sp, top.lr, top.sp)
				return nil
			}
			calls = calls[:len(calls)-1]
		case to == nil:
			return nil
		case isCall(op):
			if to.Entry != regs.pc {
				r.wrong(from, "calls %s", to.at(regs.pc))
				return nil
			}
			calls = append(calls, frame{to, before.sp, before.pc + instructionSize})
			r.Depth = max(r.Depth, len(calls))
			if seen[to]++; seen[to] > stepped {
				if returned, err := r.finish(calls[len(calls)-1]); err != nil || !returned {
					return err
				}
				calls = calls[:len(calls)-1]
				if regs, err = r.registers(); err != nil {
					return err
				}
			}
		case to != top.function: // a tail jump
			if to.Entry != regs.pc {
				r.wrong(from, "jumps to %s", to.at(regs.pc))
				return nil
			}
			top.function = to
		}
		if len(calls) == 0 {
			return nil
		}
	}
	return nil
}

// finish lets a call run to its return, and says whether it has: it may end in a panic.
func (r *run) finish(call frame) (returned bool, err error) {
	stops := []uint64{call.lr}
	for _, name := range []string{"enter", "missing", "exhausted"} {
		if s, linked := r.binary.symbols["rustgo.dev/go/rt."+name+".abi0"]; linked {
			stops = append(stops, s.Value)
		}
	}
	if err := r.breakpoints(true, stops); err != nil {
		return false, err
	}
	for {
		if err := r.resume("c"); err != nil {
			return false, err
		}
		regs, err := r.registers()
		if err != nil {
			return false, err
		}
		if regs.pc != call.lr || regs.sp == call.sp {
			return regs.pc == call.lr, r.breakpoints(false, stops)
		}
		// A deeper level of a recursion returns to the same address.
		if err := errors.Join(r.breakpoint(false, call.lr), r.resume("s"), r.breakpoint(true, call.lr)); err != nil {
			return false, err
		}
	}
}

func (r *run) breakpoints(set bool, at []uint64) error {
	for _, pc := range at {
		if err := r.breakpoint(set, pc); err != nil {
			return err
		}
	}
	return nil
}

// unwind walks the stack from the registers as Go's runtime does, and compares each frame with the calls that were seen.
func (r *run) unwind(calls []frame, regs registers) error {
	inner := calls[len(calls)-1].function.at(regs.pc)
	pc, sp := regs.pc, regs.sp
	for i := len(calls) - 1; i >= 0; i-- {
		call, innermost := calls[i], i == len(calls)-1
		where := inner
		if !innermost {
			where = call.function.at(pc) + ", a caller's frame"
		}
		if !call.function.Contains(pc) {
			r.wrong(where, "the return address %#x is not in this function", pc)
			return nil
		}
		delta := call.function.Delta(pc)
		if entry := sp + uint64(int64(delta)); entry != call.sp {
			r.wrong(where, "SP %#x with the table's %d is %#x, but SP was %#x at entry", sp, delta, entry, call.sp)
			return nil
		}
		lr := regs.lr
		if !innermost || delta > 0 {
			var err error
			if lr, err = r.word(sp); err != nil {
				return err
			}
		}
		if lr != call.lr {
			r.wrong(where, "the return address found is %#x, but the call returns to %#x", lr, call.lr)
			return nil
		}
		pc, sp = lr, call.sp
	}
	return nil
}

// wrong notes each instruction and kind once.
func (r *run) wrong(where, format string, args ...any) {
	if kind := where + strings.SplitN(format, "%", 2)[0]; !r.told[kind] {
		r.told[kind] = true
		r.Wrong = append(r.Wrong, where+": "+fmt.Sprintf(format, args...))
	}
}
