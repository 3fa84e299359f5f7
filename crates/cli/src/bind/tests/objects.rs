//! Tests of objects, iterators, and the marks for the race detector.

use super::values::*;
use super::*;
use rustgo_schema::{object, role};

#[test]
fn heap_objects_are_passed_as_pointers() {
    let regex = || Type::Object { decl: decl("Regex"), words: 0, flags: 0, implements: "fmt.Stringer\nMatcher".into() };
    let this = || field("self", pointer(false, regex()));
    let new = export("NewRegex", vec![field("r", basic(Basic::Uint))], vec![field("", regex()), field("", Type::Failure {})]);
    let text = text_of_file(
        &[
            of("Regex", role::FUNCTION, new),
            method("Regex", "Count", vec![this(), field("r", basic(Basic::Uint))], result(basic(Basic::Uint))),
            method("Regex", "String", vec![this()], result(text())),
            dropping("Regex"),
            release(),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "import", "func rust_Regex_drop"),
        r#"import (
	"fmt"
	"unsafe"

	rustgo_rt "rustgo.dev/go/rt"
)

// Regex is a type.
type Regex struct { // src/lib.rs:3
	rust_Regex rustgo_rt.Object
}

var _ fmt.Stringer = (*Regex)(nil)

var _ Matcher = (*Regex)(nil)

func NewRegex(r uint) (*Regex, error) { // src/lib.rs:7
	value, failure := rust_NewRegex(r)
	return rust_Regex_object(value), rust_failure(failure)
}

//go:noescape
func rust_NewRegex(r uint) (unsafe.Pointer, rust_owned)

func (regex *Regex) Count(r uint) uint { // src/lib.rs:7
	u := rustgo_rt.Lend((*rustgo_rt.Object)(unsafe.Pointer(regex)), "Regex.Count", "Regex")
	defer u.Release("Regex.Count")
	value := rust_Regex_Count((*Regex)(unsafe.Pointer(&u)), r)
	u.Returned()
	return value
}

//go:noescape
func rust_Regex_Count(regex *Regex, r uint) uint

func (r *Regex) String() string { // src/lib.rs:7
	u := rustgo_rt.Lend((*rustgo_rt.Object)(unsafe.Pointer(r)), "Regex.String", "Regex")
	defer u.Release("Regex.String")
	value := rust_Regex_String((*Regex)(unsafe.Pointer(&u)))
	u.Returned()
	return rust_string(value)
}

//go:noescape
func rust_Regex_String(r *Regex) rust_owned

//go:noescape
func rust_Regex_drop(value unsafe.Pointer)
"#
    );
    let made = "// rust_Regex_object makes a Regex of the address of a value in the Rust heap.\nfunc rust_Regex_object(raw unsafe.Pointer) *Regex {\n\treturn (*Regex)(unsafe.Pointer(rustgo_rt.NewObject(raw, rust_Regex_drop)))\n}\n";
    assert!(text.contains(made), "{text}");
}

#[test]
fn objects_that_change_are_locked() {
    let queue = || queue(object::CLOSE);
    let this = |mutable| field("self", pointer(mutable, queue()));
    let text = text_of_file(
        &[
            method("Queue", "Len", vec![this(false)], result(basic(Basic::Uint))),
            method("Queue", "Push", vec![this(true), field("u", basic(Basic::Uint64))], vec![]),
            method("Queue", "Join", vec![this(true), field("other", queue())], result(basic(Basic::Bool))),
            of(
                "Queue",
                role::FUNCTION,
                export("Same", vec![field("a", pointer(false, queue())), field("b", pointer(false, queue()))], vec![]),
            ),
            dropping("Queue"),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "// Queue is", "func rust_Queue_drop"),
        r#"// Queue is a type.
type Queue struct { // src/lib.rs:3
	rust_Queue rustgo_rt.Object
}

// Close frees the Queue's memory in the Rust heap. It returns an error if the Queue is closed already, or if a call uses it.
func (q *Queue) Close() error {
	return rustgo_rt.Close((*rustgo_rt.Object)(unsafe.Pointer(q)), "Queue.Close", "Queue")
}

func Same(a, b *Queue) { // src/lib.rs:7
	u := rustgo_rt.Share((*rustgo_rt.Object)(unsafe.Pointer(a)), "Same", "Queue")
	defer u.Release("Same")
	u2 := rustgo_rt.Share((*rustgo_rt.Object)(unsafe.Pointer(b)), "Same", "Queue")
	defer u2.Release("Same")
	rust_Same((*Queue)(unsafe.Pointer(&u)), (*Queue)(unsafe.Pointer(&u2)))
	u.Returned()
	u2.Returned()
}

//go:noescape
func rust_Same(a, b *Queue)

func (q *Queue) Len() uint { // src/lib.rs:7
	u := rustgo_rt.Share((*rustgo_rt.Object)(unsafe.Pointer(q)), "Queue.Len", "Queue")
	defer u.Release("Queue.Len")
	value := rust_Queue_Len((*Queue)(unsafe.Pointer(&u)))
	u.Returned()
	return value
}

//go:noescape
func rust_Queue_Len(q *Queue) uint

func (q *Queue) Push(u uint64) { // src/lib.rs:7
	u2 := rustgo_rt.Exclusive((*rustgo_rt.Object)(unsafe.Pointer(q)), "Queue.Push", "Queue")
	defer u2.Release()
	rust_Queue_Push(q, u)
	u2.Returned()
}

//go:noescape
func rust_Queue_Push(q *Queue, u uint64)

func (q *Queue) Join(other *Queue) bool { // src/lib.rs:7
	u := rustgo_rt.Exclusive((*rustgo_rt.Object)(unsafe.Pointer(q)), "Queue.Join", "Queue")
	defer u.Release()
	u2 := rustgo_rt.Exclusive((*rustgo_rt.Object)(unsafe.Pointer(other)), "Queue.Join", "Queue")
	defer u2.Release()
	value := rust_Queue_Join(q, other)
	u.Returned()
	u2.Returned()
	return value
}

//go:noescape
func rust_Queue_Join(q, other *Queue) bool

//go:noescape
func rust_Queue_drop(value unsafe.Pointer)
"#
    );
    // If a type is not Sync, only one call at a time may use an object of the type.
    let cell = || super::values::queue(object::EXCLUSIVE);
    let text = text_of_file(&[method("Queue", "Len", vec![field("self", pointer(false, cell()))], result(basic(Basic::Uint)))], &[]);
    assert!(
        text.contains(
            "\tu := rustgo_rt.Exclusive((*rustgo_rt.Object)(unsafe.Pointer(q)), \"Queue.Len\", \"Queue\")\n\tdefer u.Release()\n"
        ),
        "{text}"
    );
}

#[test]
fn inline_objects_are_in_go_memory() {
    let this = |mutable| field("self", pointer(mutable, hasher()));
    let text = text_of_file(
        &[
            of("Hasher", role::FUNCTION, export("NewHasher", vec![], result(hasher()))),
            of("Hasher", role::FUNCTION, export("OpenHasher", vec![], vec![field("", hasher()), field("", basic(Basic::Bool))])),
            method("Hasher", "Sum64", vec![this(false)], result(basic(Basic::Uint64))),
            method(
                "Hasher",
                "Write",
                vec![this(true), field("p", slice(basic(Basic::Uint8)))],
                vec![field("n", basic(Basic::Int)), field("err", Type::Failure {})],
            ),
            release(),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "// Hasher is", "func rust_Hasher_Write"),
        r#"// Hasher is a type.
type Hasher struct { // src/lib.rs:3
	rust_Hasher [3]uint64
}

var _ io.Writer = (*Hasher)(nil)

func NewHasher() *Hasher { // src/lib.rs:7
	x := new(Hasher)
	*x = rust_NewHasher()
	return x
}

//go:noescape
func rust_NewHasher() Hasher

func OpenHasher() (*Hasher, bool) { // src/lib.rs:7
	value, ok := rust_OpenHasher()
	return rust_Hasher_pointer(value), ok
}

//go:noescape
func rust_OpenHasher() (Hasher, bool)

func (h *Hasher) Sum64() uint64 { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		if h != nil {
			rustgo_rt.RaceRead(unsafe.Pointer(h), 24)
		}
	}
	return rust_Hasher_Sum64(h)
}

//go:noescape
func rust_Hasher_Sum64(h *Hasher) uint64

func (h *Hasher) Write(p []byte) (n int, err error) { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		if h != nil {
			rustgo_rt.RaceWrite(unsafe.Pointer(h), 24)
		}
		rustgo_rt.RaceRead(unsafe.Pointer(unsafe.SliceData(p)), uintptr(len(p)))
	}
	value, failure := rust_Hasher_Write(h, p)
	return value, rust_failure(failure)
}

//go:noescape
func rust_Hasher_Write(h *Hasher, p []byte) (n int, err rust_owned)
"#
    );
    assert_eq!(
        part(&text, "// rust_Hasher_pointer", "func rust_Hasher_pointer"),
        r#"// rust_Hasher_pointer returns nil for the zero value, which is not a valid Hasher.
func rust_Hasher_pointer(raw Hasher) *Hasher {
	if raw.rust_Hasher[0] == 0 {
		return nil
	}
	return &raw
}
"#
    );
}

/// The items of an iterator are new objects, so no other call can use them yet.
#[test]
fn items_may_be_objects_that_change() {
    let queue = || queue(object::CLOSE);
    let this = field("self", pointer(false, queue()));
    let text = text_of_file(
        &[
            method("Queue", "Parts", vec![this], result(Type::Iterator { items: vec![queue()] })),
            next("Queue", "Parts", vec![queue()]),
            end("Queue", "Parts"),
            dropping("Queue"),
        ],
        &[],
    );
    for line in ["func (q *Queue) Parts() iter.Seq[*Queue] {", "var items [64]unsafe.Pointer", "values[i] = rust_Queue_object(items[i])"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// The code that fetches items declares variables of the items' types. So no parameter may have the name of such a type.
#[test]
fn parameters_do_not_hide_packages_of_items() {
    let conn = || Type::Handle { of: "net.Conn".into() };
    let numbers = ["net", "handle"].map(|name| field(name, basic(Basic::Uint64)));
    let conns = export("Conns", numbers.to_vec(), result(Type::Iterator { items: vec![conn()] }));
    let text = text_of_file(&[conns, next("", "Conns", vec![conn()]), end("", "Conns")], &[]);
    for line in ["func Conns(net_, handle_ uint64) iter.Seq[handle.Of[net.Conn]] {", "[64]handle.Of[net.Conn]\n"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn iterators_fetch_in_steps() {
    let queue = || queue(0);
    let text = text_of_file(
        &[
            export("Words", vec![field("s", basic(Basic::String))], result(Type::Iterator { items: vec![basic(Basic::String)] })),
            next("", "Words", vec![basic(Basic::String)]),
            end("", "Words"),
            method(
                "Queue",
                "Drain",
                vec![field("self", pointer(true, queue()))],
                result(Type::Iterator { items: vec![basic(Basic::Uint64), text()] }),
            ),
            next("Queue", "Drain", vec![basic(Basic::Uint64), text()]),
            end("Queue", "Drain"),
            release(),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "func Words", "func rust_Words_end"),
        r#"func Words(s string) iter.Seq[string] { // src/lib.rs:7
	return func(yield func(string) bool) {
		if rustgo_rt.RaceEnabled {
			rustgo_rt.RaceRead(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
		}
		rustgo_rt.Escape(unsafe.Pointer(unsafe.StringData(s)))
		it := rust_Words(s)
		inside := false // a Rust iterator that panicked must not run again
		defer func() {
			if !inside || *(*uint8)(it) != 3 { // unless a step was abandoned
				ended := false
				defer func() {
					if !ended && *(*uint8)(it) == 2 {
						rust_Words_end(it) // frees the memory
					}
				}()
				rust_Words_end(it)
				ended = true
			}
			runtime.KeepAlive(s)
		}()
		var items [64]string
		for want := uint(4); ; want = min(2*want, 64) {
			inside = true
			n := rust_Words_next(it, want, &items)
			inside = false
			for _, item := range items[:n] {
				if !yield(item) {
					return
				}
			}
			if n < want {
				return
			}
		}
	}
}

//go:noescape
func rust_Words(s string) unsafe.Pointer

//go:noescape
func rust_Words_next(it unsafe.Pointer, want uint, items *[64]string) uint

//go:noescape
func rust_Words_end(it unsafe.Pointer)
"#
    );
    assert_eq!(
        part(&text, "func (q *Queue) Drain", "func rust_Queue_Drain_end"),
        r#"func (q *Queue) Drain() iter.Seq2[uint64, string] { // src/lib.rs:7
	return func(yield func(uint64, string) bool) {
		u := rustgo_rt.Exclusive((*rustgo_rt.Object)(unsafe.Pointer(q)), "Queue.Drain", "Queue")
		defer u.Release()
		it := rust_Queue_Drain(q)
		u.Returned()
		inside := false // a Rust iterator that panicked must not run again
		defer func() {
			if !inside || *(*uint8)(it) != 3 { // unless a step was abandoned
				unwound := inside && *(*uint8)(it) == 1
				u.Run()
				ended := false
				defer func() {
					if !ended && *(*uint8)(it) == 2 {
						rust_Queue_Drain_end(it) // frees the memory
						u.Returned()
						u.Unwound()
					}
				}()
				rust_Queue_Drain_end(it)
				ended = true
				u.Returned()
				if unwound {
					u.Unwound()
				}
			}
			runtime.KeepAlive(q)
		}()
		var items [64]uint64
		var items_ [64]rust_owned
		var values [64]string
		for want := uint(4); ; want = min(2*want, 64) {
			u.Run()
			inside = true
			n := rust_Queue_Drain_next(it, want, &items, &items_)
			inside = false
			u.Returned()
			for i := range n {
				values[i] = rust_string(items_[i])
			}
			for i := range n {
				if !yield(items[i], values[i]) {
					return
				}
			}
			if n < want {
				return
			}
		}
	}
}

//go:noescape
func rust_Queue_Drain(q *Queue) unsafe.Pointer

//go:noescape
func rust_Queue_Drain_next(it unsafe.Pointer, want uint, items *[64]uint64, items_ *[64]rust_owned) uint

//go:noescape
func rust_Queue_Drain_end(it unsafe.Pointer)
"#
    );
}

#[test]
fn memory_is_reported_to_the_race_detector() {
    let inner = Type::Struct {
        decl: decl("Inner"),
        size: 24,
        align: 8,
        fields: vec![member("Name", 0, basic(Basic::String)), member("N", 16, basic(Basic::Int))],
    };
    let text = text_of_file(
        &[
            export("Strings", vec![field("names", slice(basic(Basic::String)))], vec![]),
            export("Rows", vec![field("rows", slice(Type::Slice { mutable: true, elem: Box::new(basic(Basic::Uint32)) }))], vec![]),
            export("Fill", vec![field("all", pointer(true, Type::Array { len: 3, elem: Box::new(inner.clone()) }))], vec![]),
            export("Read", vec![field("one", inner), field("text", pointer(false, basic(Basic::String)))], vec![]),
            export("Handles", vec![field("h", Type::Handle { of: String::new() }), field("x", basic(Basic::Uint))], vec![]),
            export("Empty", vec![field("x", slice(Type::Array { len: 0, elem: Box::new(basic(Basic::Uint)) }))], vec![]),
        ],
        &[],
    );
    assert_eq!(
        part(&text, "func Strings", "func Empty"),
        r#"func Strings(names []string) { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		rustgo_rt.RaceRead(unsafe.Pointer(unsafe.SliceData(names)), uintptr(len(names))*16)
		for _, element := range names {
			rustgo_rt.RaceRead(unsafe.Pointer(unsafe.StringData(element)), uintptr(len(element)))
		}
	}
	rust_Strings(names)
}

//go:noescape
func rust_Strings(names []string)

func Rows(rows [][]uint32) { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		rustgo_rt.RaceRead(unsafe.Pointer(unsafe.SliceData(rows)), uintptr(len(rows))*24)
		for _, element := range rows {
			rustgo_rt.RaceWrite(unsafe.Pointer(unsafe.SliceData(element)), uintptr(len(element))*4)
		}
	}
	rust_Rows(rows)
}

//go:noescape
func rust_Rows(rows [][]uint32)

func Fill(all *[3]Inner) { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		if all != nil {
			rustgo_rt.RaceWrite(unsafe.Pointer(all), 72)
			for _, element := range all {
				rustgo_rt.RaceRead(unsafe.Pointer(unsafe.StringData(element.Name)), uintptr(len(element.Name)))
			}
		}
	}
	rust_Fill(all)
}

//go:noescape
func rust_Fill(all *[3]Inner)

func Read(one Inner, text *string) { // src/lib.rs:7
	if rustgo_rt.RaceEnabled {
		rustgo_rt.RaceRead(unsafe.Pointer(unsafe.StringData(one.Name)), uintptr(len(one.Name)))
		if text != nil {
			rustgo_rt.RaceRead(unsafe.Pointer(text), 16)
			rustgo_rt.RaceRead(unsafe.Pointer(unsafe.StringData(*text)), uintptr(len(*text)))
		}
	}
	rust_Read(one, text)
}

//go:noescape
func rust_Read(one Inner, text *string)

//go:noescape
func Handles(h handle.Handle, x uint) // src/lib.rs:7

//go:noescape
func Empty(x [][0]uint) // src/lib.rs:7
"#
    );
}

#[test]
fn memory_that_results_borrow_is_in_the_heap() {
    let trim = Function { borrows: true, ..export("Trim", vec![field("s", basic(Basic::String))], result(basic(Basic::String))) };
    let text = text_of_file(&[trim], &[]);
    assert!(text.ends_with("}\n\n//go:noescape\nfunc rust_Trim(s string) string\n"), "{text}");
    assert!(text.contains("\trustgo_rt.Escape(unsafe.Pointer(unsafe.StringData(s)))\n\treturn rust_Trim(s)\n"), "{text}");
}

/// The stack may move before Go copies the result, so the argument must be in the heap.
#[test]
fn memory_of_blocking_results_is_in_the_heap() {
    let data = || field("data", slice(basic(Basic::Uint8)));
    let blocking = |ty| Function { blocking: Some(0), ..export("Text", vec![data()], result(ty)) };
    let escape = "\trustgo_rt.Escape(unsafe.Pointer(unsafe.SliceData(data)))\n";
    for (freed, escapes) in [(false, true), (true, false)] {
        let text = text_of_file(&[blocking(Type::Text { freed }), release()], &[]);
        assert_eq!(text.contains(escape), escapes, "{text}");
    }
    let once = export("Text", vec![data()], result(Type::Text { freed: false }));
    assert!(!text_of_file(&[once], &[]).contains(escape));
}

#[test]
fn watched_methods_have_wrappers() {
    let sum = method("Hasher", "Sum64", vec![field("self", pointer(false, hasher()))], result(basic(Basic::Uint64)));
    let text = bind(&Package::new([&sum], &[]).watched(), options()).unwrap().print();
    assert!(text.contains("func (h *Hasher) Sum64() uint64 { // src/lib.rs:7\n\tdefer rustgo_rt.WatchCall().End()\n"), "{text}");
}
