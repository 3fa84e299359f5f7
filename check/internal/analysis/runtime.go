package analysis

import "strings"

// service is a function of rustgo's package rt or of Go's runtime that generated code may call.
type service struct {
	returns bool
	stack   int    // number of bytes below the return address that the function needs
	gives   string // the capability that a call gives to a package, or empty
	all     bool   // changes callee-saved registers too, except the frame pointer, and keeps the word below SP where Go's prologue stores it
}

const heapStack, smallStack = 1536, 96

// services lists the functions of rt that packages may call (docs/abi.md). The checker refuses calls of other functions of rt.
var services = map[string]service{
	"enter":               {stack: smallStack},
	"throw":               {stack: smallStack},
	"raiseException":      {stack: smallStack},
	"resumeException":     {stack: smallStack},
	"unwound":             {stack: smallStack},
	"missing":             {stack: smallStack},
	"corrupt":             {stack: smallStack},
	"exhausted":           {}, // needs only the 800 bytes that each stack check leaves free
	"malloc":              {returns: true, stack: heapStack, gives: "heap"},
	"calloc":              {returns: true, stack: heapStack, gives: "heap"},
	"realloc":             {returns: true, stack: heapStack, gives: "heap"},
	"alignedAlloc":        {returns: true, stack: heapStack, gives: "heap"},
	"posixMemalign":       {returns: true, stack: heapStack, gives: "heap"},
	"usableSize":          {returns: true, stack: heapStack, gives: "heap"},
	"free":                {returns: true, stack: heapStack, gives: "heap"},
	"threadLocal":         {returns: true, stack: heapStack, gives: "thread-local variables"},
	"emulatedThreadLocal": {returns: true, stack: heapStack, gives: "thread-local variables"},
	"randomBytes":         {returns: true, stack: heapStack, gives: "random"},
	"random":              {returns: true, stack: smallStack, gives: "random"},
	"clock":               {returns: true, stack: smallStack, gives: "clock"},
	"writeOut":            {returns: true, stack: smallStack, gives: "output"},
	"auxiliary":           {returns: true, stack: smallStack, gives: "processor features"},
	"processor":           {returns: true, stack: smallStack, gives: "scheduler"},
	"thread":              {returns: true, stack: smallStack, gives: "scheduler"},
	"rustState":           {returns: true, stack: smallStack},
	"commit":              {returns: true, stack: smallStack, gives: "memory of the system"},
	"release":             {returns: true, stack: smallStack, gives: "memory of the system"},
	"relax":               {returns: true, stack: smallStack, gives: "waiting"},
	"giveWay":             {returns: true, stack: 176, gives: "waiting"},
	"callGo":              {returns: true, stack: 176, gives: "calls of Go functions"},
	"enterCall":           {returns: true, all: true, gives: "blocking calls"},
	"leaveCall":           {returns: true, all: true, gives: "blocking calls"},
}

// original is the import path of rustgo's package rt.
const original = "rustgo.dev/go/rt"

// runtimeName returns the name that a symbol has in rustgo's package rt or in a copy of it. The second result reports whether the symbol is in one of
// these packages.
func runtimeName(symbol string) (string, bool) {
	path, name := runtimePath(symbol)
	return name, path != ""
}

// runtimePath returns the import path and the name of a symbol in rustgo's package rt or in a copy of it. The import path of a copy ends in
// /internal/rustgo/rt. For other symbols, runtimePath returns two empty strings.
func runtimePath(symbol string) (string, string) {
	at := strings.LastIndexByte(symbol, '/')
	path, name, found := strings.Cut(symbol[at+1:], ".")
	if path = symbol[:at+1] + path; !found || path != original && !strings.HasSuffix(path, "/internal/rustgo/rt") {
		return "", ""
	}
	return path, name
}
