//! Tests objects in the Rust heap.

use crate::common::{Frame, Object, beside, find, method};
use rustgo_schema::{Type, role};
use std::sync::atomic::Ordering::Relaxed;

mod exports {
    use std::fmt;
    use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

    /// The number of live objects.
    pub static LIVE: AtomicIsize = AtomicIsize::new(0);

    /// Queue is a queue.
    #[rustgo::object(close, implements("fmt.Stringer", "io.Closer"))]
    #[derive(Debug)]
    pub struct Queue(Vec<u64>, String);

    impl Queue {
        fn of(list: Vec<u64>) -> Self {
            LIVE.fetch_add(1, Relaxed);
            Self(list, "name".into())
        }
    }

    impl Drop for Queue {
        fn drop(&mut self) {
            LIVE.fetch_sub(1, Relaxed);
        }
    }

    impl Clone for Queue {
        fn clone(&self) -> Self {
            assert!(self.0.len() < 5, "cannot clone");
            Self::of(self.0.clone())
        }
    }

    impl fmt::Display for Queue {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            if self.0.len() < 5 { write!(f, "{:?}", self.0) } else { Err(fmt::Error) }
        }
    }

    #[rustgo::export]
    impl Queue {
        pub fn new() -> Self {
            Self::of(Vec::new())
        }

        pub fn parse(text: &str) -> Result<Self, std::num::ParseIntError> {
            text.split(',').map(str::parse).collect::<Result<_, _>>().map(Self::of)
        }

        pub fn push(&mut self, x: u64) {
            self.0.push(x);
        }

        pub fn len(&self) -> usize {
            self.0.len()
        }

        pub fn name(&self) -> &str {
            &self.1
        }

        pub fn all(&self) -> Option<&[u64]> {
            self.0.first().map(|_| &*self.0)
        }

        pub fn find<'t>(&self, text: &'t str) -> &'t str {
            text.split(self.1.as_str()).next().unwrap_or(text)
        }

        pub fn longer<'a>(&'a self, other: Option<&'a Self>) -> (&'a [u64], &'a str) {
            let other = other.unwrap_or(self);
            if other.0.len() > self.0.len() { (&other.0, &other.1) } else { (&self.0, &self.1) }
        }

        // The bound `'b: 'a` lets the result borrow from the object for `'a`.
        pub fn either<'a, 'b: 'a>(&'b self, text: &'a str) -> Result<&'a str, &'a str> {
            if text.is_empty() { Ok(&self.1) } else { Err(text) }
        }

        pub fn append(&mut self, other: &Queue, more: Option<&Self>) {
            self.0.extend(&other.0);
            self.0.extend(more.iter().flat_map(|more| &more.0));
        }

        pub fn into_list(self) -> Vec<u64> {
            self.0.clone()
        }

        pub fn join(self, other: Queue) -> Self {
            Self::of([self.0.clone(), other.0.clone()].concat())
        }

        pub fn split(&self) -> Vec<Self> {
            self.0.iter().map(|x| Self::of(vec![*x])).collect()
        }

        pub fn half(&self) -> Option<(Self, u8)> {
            (self.0.len() > 1).then(|| (Self::of(self.0[..self.0.len() / 2].to_vec()), 1))
        }
    }

    /// An exclusive object that is neither `Clone` nor `Display`.
    #[rustgo::object(exclusive, name = "Cell")]
    pub struct Exclusive(std::cell::Cell<u8>);

    #[rustgo::export]
    impl Exclusive {
        pub fn new(x: u8) -> Self {
            Self(x.into())
        }

        pub fn swap(&self, x: u8) -> u8 {
            self.0.replace(x)
        }
    }

    #[rustgo::object]
    pub struct Sink(u64);

    #[rustgo::export(blocking_over = 100)]
    impl Sink {
        pub fn new() -> Self {
            Sink(0)
        }

        pub fn write(&mut self, data: &[u8]) {
            self.0 += data.len() as u64;
        }

        #[rustgo::export(blocking)]
        pub fn flush(&mut self) {
            self.0 = 0;
        }

        pub fn add(&mut self, x: u64) {
            self.0 += x;
        }
    }
}

/// Lets one test run at a time, because the tests count the same objects.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn live() -> isize {
    exports::LIVE.load(Relaxed)
}

fn queue(text: &str) -> Object {
    let shim = find("QueueParse");
    let mut frame = Frame::of(&shim.export);
    frame.text(0, text.as_bytes()).call(&shim);
    assert!(frame.failure(24).is_empty());
    Object::new(frame.get(16))
}

fn string(object: &Object) -> String {
    let shim = method("Queue", "String");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, object).call(&shim);
    frame.owned_text(8)
}

#[test]
fn records_describe_objects() {
    let new = find("NewQueue").export;
    let Type::Object { decl, words, flags, implements } = &new.results[0].ty else { panic!("an object") };
    assert_eq!((decl.go_name.as_str(), decl.doc.as_str()), ("Queue", "Queue is a queue."));
    assert_eq!((*words, *flags, implements.as_str()), (0, 1, "fmt.Stringer\nio.Closer"));
    assert_eq!((new.owner.as_str(), new.role), (decl.rust_path.as_str(), role::FUNCTION));
    let object = new.results[0].ty.clone();
    let pointer = |mutable| Type::Pointer { mutable, elem: Box::new(object.clone()) };
    let receiver = |name: &str| method("Queue", name).export.params[0].ty.clone();
    assert_eq!((receiver("Len"), receiver("Push"), receiver("IntoList")), (pointer(false), pointer(true), object.clone()));
    for (name, path) in [("Clone", "::<Clone>"), ("String", "::<Display>")] {
        let export = method("Queue", name).export;
        assert_eq!((export.rust_path, export.params[0].name.as_str()), (format!("{}{path}", decl.rust_path), "self"));
    }
    let find = method("Queue", "Find").export;
    assert!(find.borrows && find.results[0].ty == Type::Basic(rustgo_schema::Basic::String));
    let name = method("Queue", "Name").export;
    assert!(!name.borrows && name.results[0].ty == Type::Text { freed: false });

    let Type::Object { decl, flags, .. } = &crate::common::find("NewCell").export.results[0].ty else { panic!("an object") };
    assert_eq!((decl.go_name.as_str(), *flags), ("Cell", 2));
    let others = crate::common::exports().into_iter().filter(|shim| shim.export.owner.ends_with("::Exclusive"));
    let mut names: Vec<String> = others.map(|shim| shim.export.go_name).collect();
    names.sort();
    assert_eq!(names, ["NewCell", "Swap", "drop"]);
}

#[test]
fn objects_are_dropped_once() {
    let _alone = alone();
    let before = live();
    let one = queue("1,2");
    let shim = method("Queue", "Clone");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const one).call(&shim);
    let two = Object::new(frame.get(8));
    assert_eq!(live(), before + 2);
    one.end("Queue");
    assert_eq!((live(), string(&two)), (before + 1, "[1, 2]".into()));
    two.end("Queue");
    assert_eq!(live(), before);
    assert_eq!(beside("Queue", role::DROP).export.frame_size, 8);

    // A constructor that fails makes no object.
    let shim = find("QueueParse");
    let mut frame = Frame::of(&shim.export);
    frame.text(0, b"x").call(&shim);
    assert_eq!((frame.get::<usize>(16), frame.failure(24).len(), live()), (0, 1, before));

    // After a panic in Clone, Go still owns the object, and there is no copy.
    let full = queue("1,2,3,4,5");
    let shim = method("Queue", "Clone");
    assert_eq!(Frame::of(&shim.export).pointer(0, &raw const full).try_call(&shim), Err("cannot clone".into()));
    let shim = method("Queue", "String");
    let message = Frame::of(&shim.export).pointer(0, &raw const full).try_call(&shim).unwrap_err();
    assert!(message.contains("a Display implementation returned an error"), "{message}");
    full.end("Queue");
    assert_eq!(live(), before);
}

#[test]
fn methods_use_the_value_in_place() {
    let _alone = alone();
    let mut one = queue("1");
    let push = method("Queue", "Push");
    Frame::of(&push.export).pointer(0, &raw const one).word(8, 7).call(&push);
    assert_eq!(string(&one), "[1, 7]");
    // `entered` shows Go that a call has entered the object, until Go has observed the call's return and clears the field.
    assert_eq!(unsafe { std::mem::take(&mut (*one.inner).entered) }, 1);
    let len = method("Queue", "Len");
    let mut frame = Frame::of(&len.export);
    assert_eq!(one.begun, 1);
    one.begun = 0;
    frame.pointer(0, &raw const one).call(&len);
    assert_eq!(frame.get::<usize>(8), 2);
    assert_eq!((one.begun, unsafe { (*one.inner).entered }), (1, 0));

    let append = method("Queue", "Append");
    let (two, three) = (queue("2"), queue("3"));
    let mut frame = Frame::of(&append.export);
    frame.pointer(0, &raw const one).pointer(8, &raw const two).word(16, 0).call(&append);
    frame.pointer(16, &raw const three).call(&append);
    assert_eq!(all(&one), (1, vec![1, 7, 2, 2, 3]));
    for object in [one, two, three] {
        object.end("Queue");
    }
}

fn all(object: &Object) -> (u8, Vec<u64>) {
    let shim = method("Queue", "All");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, object).call(&shim);
    (frame.bytes()[24], frame.shared(8))
}

#[test]
fn results_borrowed_from_self_are_copied() {
    let _alone = alone();
    let (one, two) = (queue("1,2"), queue("3,4,5"));
    let shim = method("Queue", "Name");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const one).call(&shim);
    assert_eq!((frame.shared_text(8), all(&one)), ("name".into(), (1, vec![1, 2])));
    let shim = method("Queue", "Longer");
    for other in [&raw const two, std::ptr::null()] {
        let mut frame = Frame::of(&shim.export);
        frame.pointer(0, &raw const one).pointer(8, other).call(&shim);
        let expected = if other.is_null() { vec![1, 2] } else { vec![3, 4, 5] };
        assert_eq!((frame.shared::<u64>(16), frame.shared_text(32)), (expected, "name".into()));
    }
    let shim = method("Queue", "Either");
    assert_eq!((shim.export.borrows, &shim.export.results[0].ty), (false, &Type::Text { freed: false }));
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const one).text(8, b"").call(&shim);
    assert_eq!((frame.shared_text(24), frame.failure(40).len()), ("name".into(), 0));
    frame.text(8, b"text").call(&shim);
    assert_eq!((frame.shared_text(24), frame.failure(40)), (String::new(), vec!["text".to_owned()]));
    // A result that borrows from another argument than the object is not copied.
    let shim = method("Queue", "Find");
    let text = "abnamecd";
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const one).text(8, text.as_bytes()).call(&shim);
    assert_eq!(frame.get::<[usize; 2]>(24), [text.as_ptr().addr(), 2]);
    one.end("Queue");
    two.end("Queue");
}

#[test]
fn invalid_objects_are_refused() {
    let _alone = alone();
    let one = queue("1");
    let push = method("Queue", "Push");
    let call = |at: *const Object| Frame::of(&push.export).pointer(0, at).word(8, 1).try_call(&push);
    assert_eq!(call(std::ptr::null()), Err("nil pointer passed for parameter self".into()));
    let zero = Object { inner: std::ptr::null_mut(), begun: 0 };
    assert_eq!(call(&raw const zero), Err("the Queue passed for parameter self was not made by a constructor".into()));
    let value = unsafe { std::mem::take(&mut (*one.inner).value) };
    assert_eq!(call(&raw const one), Err("the Queue passed for parameter self is closed".into()));
    unsafe { (*one.inner).value = value };
    assert_eq!(call(&raw const one), Ok(()));

    // Passes the same object twice, also through copies of Go's struct.
    let append = method("Queue", "Append");
    let copy = Object { inner: one.inner, begun: 0 };
    let two = queue("2");
    let call = |a: &Object, b: &Object, c: *const Object| {
        let mut frame = Frame::of(&append.export);
        frame.pointer(0, a).pointer(8, b).pointer(16, c).try_call(&append)
    };
    assert_eq!(call(&one, &one, std::ptr::null()), Err("parameters self and other overlap".into()));
    assert_eq!(call(&one, &copy, std::ptr::null()), Err("parameters self and other overlap".into()));
    assert_eq!(call(&one, &two, &raw const copy), Err("parameters self and more overlap".into()));
    assert_eq!(call(&one, &two, &raw const two), Ok(()));
    let join = method("Queue", "Join");
    let mut frame = Frame::of(&join.export);
    assert_eq!(
        frame.pointer(0, &raw const one).pointer(8, &raw const copy).try_call(&join),
        Err("parameters self and other overlap".into())
    );
    one.end("Queue");
    two.end("Queue");
}

#[test]
fn objects_are_given_and_taken() {
    let _alone = alone();
    let before = live();
    let (one, two) = (queue("1"), queue("2,3"));
    let shim = method("Queue", "Join");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const one).pointer(8, &raw const two).call(&shim);
    // Rust has dropped both values, and Go sees that the values are gone.
    for taken in [one, two] {
        assert_eq!(unsafe { (*taken.inner).value }, 0);
        taken.end("Queue");
    }
    let joined = Object::new(frame.get(16));
    assert_eq!((string(&joined), live()), ("[1, 2, 3]".into(), before + 1));

    let shim = method("Queue", "Split");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const joined).call(&shim);
    let parts: Vec<Object> = frame.owned::<usize>(8).into_iter().map(Object::new).collect();
    assert_eq!((parts.iter().map(string).collect::<String>(), live()), ("[1][2][3]".into(), before + 4));
    let shim = method("Queue", "Half");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const parts[0]).call(&shim);
    assert_eq!((frame.get::<usize>(8), frame.bytes()[16..18].to_vec()), (0, vec![0, 0]));
    frame.pointer(0, &raw const joined).call(&shim);
    let half = Object::new(frame.get(8));
    assert_eq!((string(&half), frame.bytes()[16..18].to_vec()), ("[1]".into(), vec![1, 1]));
    parts.into_iter().chain([half]).for_each(|object| object.end("Queue"));

    let shim = method("Queue", "IntoList");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const joined).call(&shim);
    assert_eq!((frame.owned::<u64>(8), live()), (vec![1, 2, 3], before));
    assert_eq!(frame.try_call(&shim), Err("the Queue passed for parameter self is closed".into()));
    joined.end("Queue");

    let new = find("NewQueue");
    let mut frame = Frame::of(&new.export);
    frame.call(&new);
    let empty = Object::new(frame.get(0));
    assert_eq!(all(&empty), (0, vec![]));
    empty.end("Queue");
    let new = find("NewCell");
    let mut frame = Frame::of(&new.export);
    frame.put(0, &[5]).call(&new);
    let cell = Object::new(frame.get(8));
    let shim = method("Exclusive", "Swap");
    let mut frame = Frame::of(&shim.export);
    frame.pointer(0, &raw const cell).put(8, &[6]).call(&shim);
    assert_eq!(frame.bytes()[16], 5);
    cell.end("Exclusive");
}

#[test]
fn blocking_over_on_an_impl_needs_bytes() {
    let of_sink = ["Write", "Flush", "Add"].map(|name| method("Sink", name).export.blocking);
    assert_eq!((find("NewSink").export.blocking, of_sink), (None, [Some(100), Some(0), None]));
}
