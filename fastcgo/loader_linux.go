//go:build amd64 || arm64

package fastcgo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// A dynamic loader keeps a list of the libraries in a process, in which debuggers find them: the list starts at the entry DT_DEBUG of the program's
// dynamic section (r_debug and link_map in <link.h>). The functions in this file find C functions in this list, so that no file of the package needs
// a C compiler or makes the program depend on a library. The search is sound because
//
//   - the functions are in libraries that were loaded before the program. These libraries are at the start of the list and are never closed. So
//     another thread that loads or closes libraries does not change the part of the list that a successful search reads.
//   - the search is made only in programs with cgo, where the C library makes the threads. In other programs a thread lacks the C library's
//     thread-local storage, so no function of the C library may be called.

// These constants are types of segments, tags of the dynamic section, entries of the auxiliary vector, and sizes of table entries. System V gABI,
// chapter 5.
const (
	ptDynamic, ptPhdr                           = 2, 6
	dtHash, dtStrtab, dtSymtab, dtDebug         = 4, 5, 6, 21
	dtGnuHash, dtVersym                         = 0x6ffffef5, 0x6ffffff0
	atPhdr, atPhnum                             = 3, 5
	phdrSize, symSize                   uintptr = 56, 24
)

var errStatic = errors.New("this program has no dynamic loader")

const openMode = 2 // RTLD_NOW; RTLD_LOCAL is 0

// loaderFunctions returns dlopen, dlsym and dlerror.
func loaderFunctions() (open, symbol, message unsafe.Pointer, err error) {
	if open, err = loaderSymbol("dlopen"); err != nil {
		return nil, nil, nil, err
	}
	if symbol, err = loaderSymbol("dlsym"); err != nil {
		return nil, nil, nil, err
	}
	message, err = loaderSymbol("dlerror")
	return open, symbol, message, err
}

// loaderSymbol returns the address of a C function in the libraries of the process, in the order in which the dynamic loader searches them.
func loaderSymbol(name string) (f unsafe.Pointer, err error) {
	if !iscgo {
		return nil, errors.New("this program has no C library, because it is built without cgo")
	}
	err = eachImage(func(m *image) bool {
		f = pointer(m.find(name))
		return f == nil
	})
	if err == nil && f == nil {
		err = fmt.Errorf("no library of this process has the function %s", name)
	}
	return f, err
}

// eachImage calls visit for the program and its libraries, in the order of the list, until visit returns false.
func eachImage(visit func(m *image) bool) error {
	auxv, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		return err
	}
	dynamic, err := programDynamic(auxv)
	if err != nil {
		return err
	}
	debug := uintptr(0)
	for at := dynamic; wordAt(at, 0) != 0; at += 16 {
		if wordAt(at, 0) == dtDebug {
			debug = wordAt(at, 8)
		}
	}
	if debug == 0 {
		return errStatic
	}
	for l := wordAt(debug, 8); l != 0; l = wordAt(l, 24) { // fields of link_map: l_addr, l_name, l_ld, l_next
		if !visit(newImage(wordAt(l, 0), wordAt(l, 16))) {
			break
		}
	}
	return nil
}

// programDynamic returns the address of the program's dynamic section, given the auxiliary vector.
func programDynamic(auxv []byte) (uintptr, error) {
	var headers, count uintptr
	for ; len(auxv) >= 16; auxv = auxv[16:] {
		switch value := uintptr(binary.NativeEndian.Uint64(auxv[8:])); binary.NativeEndian.Uint64(auxv) {
		case atPhdr:
			headers = value
		case atPhnum:
			count = value
		}
	}
	self, dynamic := uintptr(0), uintptr(0)
	for ; headers != 0 && count > 0; count-- {
		at := headers + (count-1)*phdrSize
		switch halfAt(at, 0) {
		case ptPhdr:
			self = wordAt(at, 16)
		case ptDynamic:
			dynamic = wordAt(at, 16)
		}
	}
	if self == 0 || dynamic == 0 {
		return 0, errStatic
	}
	return headers - self + dynamic, nil
}

// image holds the addresses of those tables of a loaded library that a search reads. An address is 0 if the library does not have the table.
type image struct {
	base                                   uintptr
	symbols, names, hash, gnuHash, version uintptr
}

func newImage(base, dynamic uintptr) *image {
	m := &image{base: base}
	for at := dynamic; at != 0 && wordAt(at, 0) != 0; at += 16 {
		address := wordAt(at, 8)
		if address < base {
			address += base // some loaders leave the offset there, others write the address
		}
		switch wordAt(at, 0) {
		case dtSymtab:
			m.symbols = address
		case dtStrtab:
			m.names = address
		case dtHash:
			m.hash = address
		case dtGnuHash:
			m.gnuHash = address
		case dtVersym:
			m.version = address
		}
	}
	return m
}

// find returns the address of a function that the library defines, or 0.
func (m *image) find(name string) uintptr {
	if m.symbols == 0 || m.names == 0 {
		return 0
	}
	switch {
	case m.gnuHash != 0:
		return m.findByGnuHash(name)
	case m.hash != 0: // number of buckets, number of symbols, buckets, chains
		for i := range uintptr(halfAt(m.hash, 4)) {
			if f := m.function(i, name); f != 0 {
				return f
			}
		}
	}
	return 0
}

// findByGnuHash looks a name up in a table DT_GNU_HASH. The table consists of the number of buckets, the index of its first symbol, the number of
// words of the filter, the shift of the filter, the filter, the buckets, and the hashes of all its symbols. If the lowest bit of a hash is set, its
// symbol is the last one of a bucket.
func (m *image) findByGnuHash(name string) uintptr {
	hash := uint32(5381)
	for _, c := range []byte(name) {
		hash = 33*hash + uint32(c)
	}
	count, first := halfAt(m.gnuHash, 0), uintptr(halfAt(m.gnuHash, 4))
	if count == 0 {
		return 0
	}
	buckets := m.gnuHash + 16 + 8*uintptr(halfAt(m.gnuHash, 8))
	hashes := buckets + 4*uintptr(count)
	i := uintptr(halfAt(buckets, 4*uintptr(hash%count)))
	if i < first {
		return 0
	}
	for ; ; i++ {
		h := halfAt(hashes, 4*(i-first))
		if h|1 == hash|1 {
			if f := m.function(i, name); f != 0 {
				return f
			}
		}
		if h&1 != 0 {
			return 0
		}
	}
}

// function returns the address of symbol i if symbol i is the default version of a defined function with this name. Otherwise it returns 0.
func (m *image) function(i uintptr, name string) uintptr {
	s := m.symbols + symSize*i // st_name, st_info, st_other, st_shndx, st_value
	kind, section, value := byteAt(s, 4), halfAt(s, 4)>>16, wordAt(s, 8)
	const function, global, weak, hidden = 2, 1, 2, 0x8000
	if binding := kind >> 4; kind&15 != function || binding != global && binding != weak || section == 0 || value == 0 {
		return 0
	}
	if m.version != 0 && *(*uint16)(pointer(m.version + 2*i))&hidden != 0 {
		return 0
	}
	at := m.names + uintptr(halfAt(s, 0))
	for k, c := range []byte(name) {
		if byteAt(at, uintptr(k)) != c {
			return 0
		}
	}
	if byteAt(at, uintptr(len(name))) != 0 {
		return 0
	}
	return m.base + value
}
