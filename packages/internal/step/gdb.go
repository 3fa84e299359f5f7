package step

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// stub is the other end of GDB's remote serial protocol, as qemu's user mode serves it: packets `$data#checksum`, each acknowledged
// by a `+` ("Debugging with GDB", appendix E).
type stub struct {
	conn   net.Conn
	in     *bufio.Reader
	acks   string // of the last reply, sent with the next command
	thread string // that of the last stop
}

var errExited = errors.New("the process has ended well")

// dial waits until somebody listens; ended says that nobody will.
func dial(socket string, ended <-chan struct{}) (*stub, error) {
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return &stub{conn: conn, in: bufio.NewReader(conn)}, nil
		}
		select {
		case <-ended:
			return nil, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *stub) command(data string) (string, error) {
	var sum byte
	for i := range len(data) {
		sum += data[i]
	}
	if _, err := fmt.Fprintf(s.conn, "%s$%s#%02x", s.acks, data, sum); err != nil {
		return "", err
	}
	if _, err := s.in.ReadString('$'); err != nil {
		return "", err
	}
	reply, err := s.in.ReadString('#')
	if err != nil {
		return "", err
	}
	_, err = s.in.Discard(2)
	s.acks = "+"
	return strings.TrimSuffix(reply, "#"), err
}

func (s *stub) breakpoint(set bool, pc uint64) error {
	verb := 'z'
	if set {
		verb = 'Z'
	}
	reply, err := s.command(fmt.Sprintf("%c0,%x,4", verb, pc))
	if err == nil && reply != "OK" {
		err = fmt.Errorf("breakpoint at %#x: reply %q", pc, reply)
	}
	return err
}

// resume steps ("s") or continues ("c") until the process stops at a trap. Other signals are delivered if the process runs freely;
// none may come between two steps.
func (s *stub) resume(how string) error {
	for {
		reply, err := s.command(how)
		switch {
		case err != nil:
			return err
		case reply == "W00":
			return errExited
		case reply[0] != 'T' || len(reply) < 3:
			return fmt.Errorf("ended or stopped with %q", reply)
		case reply[1:3] == "05":
			s.thread = reply[3:]
			return nil
		case how == "s":
			return fmt.Errorf("a signal comes between two instructions: %q", reply)
		}
		how = "C" + reply[1:3]
	}
}

type registers struct{ pc, sp, lr uint64 }

func (s *stub) registers() (registers, error) {
	reply, err := s.command("g")
	if err != nil {
		return registers{}, err
	}
	const lr, sp, pc = 30, 31, 32 // of words
	if len(reply) < 16*(pc+1) {
		return registers{}, fmt.Errorf("registers: %q", reply)
	}
	raw, err := hex.DecodeString(reply[16*lr : 16*(pc+1)])
	if err != nil {
		return registers{}, err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(raw[8*(i-lr):]) }
	return registers{pc: word(pc), sp: word(sp), lr: word(lr)}, nil
}

func (s *stub) word(address uint64) (uint64, error) {
	reply, err := s.command(fmt.Sprintf("m%x,8", address))
	if err != nil {
		return 0, err
	}
	raw, err := hex.DecodeString(reply)
	if err != nil || len(raw) != 8 {
		return 0, fmt.Errorf("memory at %#x: %q", address, reply)
	}
	return binary.LittleEndian.Uint64(raw), nil
}
