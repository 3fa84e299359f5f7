//! Tests of names and types that Go does not allow.

use super::values::*;
use super::*;
use rustgo_schema::{object, role};

fn refused(functions: &[Function], constants: &[rustgo_schema::Constant]) -> Vec<String> {
    messages(bind(&Package::new(functions, constants), options()))
}

/// Makes a function that takes a value by reference.
fn takes(name: &str, ty: Type) -> Function {
    export(name, vec![field("x", pointer(false, ty))], vec![])
}

/// Makes a struct with a text, for which the generated file declares a raw type.
fn of_text(name: &str) -> Type {
    Type::Struct { decl: decl(name), size: 24, align: 8, fields: vec![member("Text", 0, text())] }
}

#[test]
fn declarations_with_the_same_name() {
    let nested = Type::Struct {
        decl: rustgo_schema::Decl { rust_path: "demo::inner::Point".into(), line: 9, ..decl("Point") },
        size: 8,
        align: 8,
        fields: vec![member("X", 0, basic(Basic::Int))],
    };
    for (functions, constants, expected) in [
        (
            vec![takes("F", point()), takes("G", nested)],
            vec![],
            "2 types would be Point in Go: demo::Point (src/lib.rs:3) and demo::inner::Point (src/lib.rs:9)",
        ),
        (
            vec![takes("F", point()), export("Point", vec![], vec![])],
            vec![],
            "2 things would be Point in Go: the function demo::point (src/lib.rs:7) and the type demo::Point (src/lib.rs:3)",
        ),
        (
            vec![takes("F", color())],
            vec![constant("ColorRed", basic(Basic::Int), &[0; 8])],
            "2 constants would be ColorRed in Go: demo::Color (src/lib.rs:3) and demo::COLORRED (src/lib.rs:5)",
        ),
        (
            vec![export("rust_owned", vec![], vec![]), export("F", vec![], result(text())), release()],
            vec![],
            "demo::rust_owned cannot be \"rust_owned\" in Go: the generated file uses that name",
        ),
        (
            // The raw type of a struct with a text, and the function that makes an error of texts.
            vec![export("F", vec![], vec![field("", of_text("failure")), field("", Type::Failure {})]), release()],
            vec![],
            "demo::failure cannot be \"failure\" in Go: the generated file would declare rust_failure twice",
        ),
        (
            vec![export("F", vec![], result(of_text("owned"))), release()],
            vec![],
            "demo::owned cannot be \"owned\" in Go: the generated file would declare rust_owned twice",
        ),
        (
            // The raw function of a function with a wrapper, and the function that copies a list.
            vec![export("slice", vec![], result(list(basic(Basic::Int)))), release()],
            vec![],
            "demo::slice cannot be \"rust_slice\" in Go: the generated file uses that name",
        ),
        (
            // The raw type of a struct, and the raw function of a method.
            vec![method("Point", "F", vec![field("self", point())], vec![]), export("G", vec![], result(of_text("Point_F"))), release()],
            vec![],
            "demo::Point::F cannot be \"rust_Point_F\" in Go: the generated file uses that name",
        ),
        (vec![export("iter", vec![], vec![]), takes("F", basic(Basic::Int))], vec![], ""),
        (
            vec![export("unsafe", vec![], vec![]), takes("F", basic(Basic::Int))],
            vec![],
            "demo::unsafe cannot be \"unsafe\" in Go: an imported package has that name",
        ),
        (
            vec![method("Point", "X", vec![field("self", point())], vec![])],
            vec![],
            "Point.X would be 2 things in Go: a field and the method demo::Point::X (src/lib.rs:7)",
        ),
        (
            vec![method("Queue", "Close", vec![field("self", pointer(true, queue(object::CLOSE)))], vec![])],
            vec![],
            "Queue.Close would be 2 things in Go: the method demo::Queue::Close (src/lib.rs:7) and a method that rustgo adds",
        ),
        (
            vec![
                method("Point", "F", vec![field("self", point())], vec![]),
                Function { line: 8, ..method("Point", "F", vec![field("self", point())], vec![]) },
            ],
            vec![],
            "2 functions would be rust_Point_F in Go: demo::Point::F (src/lib.rs:7) and demo::Point::F (src/lib.rs:8)",
        ),
        (
            vec![method("Point", "for", vec![field("self", point())], vec![])],
            vec![],
            "demo::Point::for cannot be \"for\" in Go: it is not a Go identifier",
        ),
    ] {
        if expected.is_empty() {
            assert!(bind(&Package::new(&functions, &constants), options()).is_ok());
        } else {
            assert_eq!(refused(&functions, &constants).first().map(String::as_str), Some(expected));
        }
    }
    let Type::Struct { decl, size, align, .. } = point() else { unreachable!() };
    let odd =
        Type::Struct { decl, size, align, fields: vec![member("a-b", 0, basic(Basic::Uint64)), member("B", 8, basic(Basic::Uint64))] };
    assert_eq!(refused(&[takes("F", odd)], &[]), ["a field of demo::Point cannot be \"a-b\" in Go: it is not a Go identifier"]);
}

#[test]
fn predeclared_names() {
    let with = |go_name: &str| rustgo_schema::Decl { go_name: go_name.into(), ..decl("Thing") };
    let color = |name: &str| Type::Enum {
        decl: decl("Color"),
        base: Box::new(basic(Basic::Uint8)),
        variants: vec![rustgo_schema::Variant { go_name: name.into(), ..variant("Color", "Red", 0, vec![]) }],
    };
    for name in ["true", "nil", "len", "uint", "error", "append", "min", "new", "any", "iota"] {
        let structure = Type::Struct { decl: with(name), size: 8, align: 8, fields: vec![member("X", 0, basic(Basic::Uint64))] };
        for (functions, constants, path, hint) in [
            (vec![export(name, vec![], vec![])], vec![], format!("demo::{name}"), "#[rustgo::export(name = \"GoName\")]"),
            (
                vec![takes("F", structure)],
                vec![],
                "demo::Thing".into(),
                "#[rustgo(name = \"GoName\")], or #[rustgo::object(name = \"GoName\")]",
            ),
            (vec![takes("F", color(name))], vec![], "demo::Color".into(), "#[rustgo(name = \"GoName\")]"),
            (
                vec![],
                vec![constant(name, basic(Basic::Bool), &[0])],
                format!("demo::{}", name.to_uppercase()),
                "#[rustgo::export(name = \"GoName\")]",
            ),
        ] {
            let Err(Failure::Refused(reasons)) = bind(&Package::new(&functions, &constants), options()) else {
                panic!("{path} is accepted")
            };
            let said: Vec<String> =
                reasons.into_iter().map(|reason| format!("{}; {}", reason.message, reason.hint.unwrap_or_default())).collect();
            let why = "that name is predeclared in Go; declaring it would change its meaning in the whole package";
            assert_eq!(said, [format!("{path} cannot be {name:?} in Go: {why}; choose another name: {hint}")]);
        }
        // Methods and fields may have predeclared names.
        let method = method("Point", name, vec![field("self", point())], vec![]);
        assert!(bind(&Package::new(&[method], &[]), options()).is_ok());
    }
}

#[test]
fn well_known_methods() {
    let number = |ty| field("", basic(ty));
    let failure = || field("", Type::Failure {});
    let bytes = || list(basic(Basic::Uint8));
    let of_point = |name: &str, params: Vec<rustgo_schema::Field>, results: Vec<rustgo_schema::Field>| {
        let this = field("self", pointer(false, point()));
        [method("Point", name, [vec![this], params].concat(), results), release()]
    };
    let byte = || field("c", basic(Basic::Uint8));
    let reader = |name: &str| Type::Interface { kept: false, name: name.into() };
    for (name, params, results, expected) in [
        ("ReadByte", vec![], vec![number(Basic::Uint8), failure()], None),
        ("ReadByte", vec![], vec![number(Basic::Uint8)], Some(("ReadByte() byte", "ReadByte() (byte, error)"))),
        ("ReadByte", vec![], vec![number(Basic::Int8), failure()], Some(("ReadByte() (int8, error)", "ReadByte() (byte, error)"))),
        ("WriteByte", vec![byte()], vec![failure()], None),
        ("WriteByte", vec![byte()], vec![], Some(("WriteByte(byte)", "WriteByte(byte) error"))),
        ("ReadRune", vec![], vec![number(Basic::Rune), number(Basic::Int), failure()], None),
        (
            "ReadRune",
            vec![],
            vec![number(Basic::Rune), number(Basic::Uint), failure()],
            Some(("ReadRune() (rune, uint, error)", "ReadRune() (rune, int, error)")),
        ),
        ("MarshalJSON", vec![], vec![field("", bytes()), failure()], None),
        ("MarshalJSON", vec![], result(text()), Some(("MarshalJSON() string", "MarshalJSON() ([]byte, error)"))),
        ("GobDecode", vec![field("b", slice(basic(Basic::Uint8)))], vec![failure()], None),
        ("Seek", vec![field("x", basic(Basic::Uint64))], vec![], None),
        ("Seek", vec![field("x", basic(Basic::Int64))], vec![], Some(("Seek(int64)", "Seek(int64, int) (int64, error)"))),
        ("ReadFrom", vec![field("r", reader("io.Reader"))], vec![number(Basic::Int64), failure()], None),
        (
            "ReadFrom",
            vec![field("r", reader("io.Reader"))],
            vec![number(Basic::Uint64), failure()],
            Some(("ReadFrom(io.Reader) (uint64, error)", "ReadFrom(io.Reader) (int64, error)")),
        ),
        ("ReadFrom", vec![byte()], vec![], None),
        ("WriteTo", vec![field("w", reader("io.Writer"))], vec![], Some(("WriteTo(io.Writer)", "WriteTo(io.Writer) (int64, error)"))),
        ("Scan", vec![], vec![], None),
        ("Format", vec![], result(text()), None),
        ("Is", vec![], vec![], None),
    ] {
        let expected = expected.map(|(signature, known)| {
            format!(
                "demo::Point::{name} cannot be {signature} in Go: a method of this name has the signature {known} there, and go vet reports others"
            )
        });
        match bind(&Package::new(&of_point(name, params, results), &[]), options()) {
            Ok(_) => assert_eq!(None, expected, "{name}"),
            refused => assert_eq!(messages(refused), Vec::from_iter(expected)),
        }
    }
    let [lock, unlock, try_lock] = ["Lock", "Unlock", "TryLock"].map(|name| of_point(name, vec![], vec![])).map(|[method, _]| method);
    let why = "demo::Point::Unlock cannot be the method Unlock() in Go, because the type has a method Lock() too: go vet reports copies of such a type, and generated code copies this one";
    assert_eq!(refused(&[lock.clone(), unlock.clone()], &[]), [why]);
    assert!(bind(&Package::new(&[unlock, try_lock], &[]), options()).is_ok());
    let [error, release] = of_point("Error", vec![], result(text()));
    let [unwrap, _] = of_point("Unwrap", vec![], result(text()));
    assert_eq!(
        refused(&[error, unwrap, release], &[]),
        [
            "demo::Point::Unwrap cannot be Unwrap() string in Go: a method of this name has the signature Unwrap() error there, and go vet reports others"
        ]
    );
}

#[test]
fn layouts_that_differ_in_go() {
    let with = |size, align, fields| Type::Struct { decl: decl("Point"), size, align, fields };
    let fields = |y| vec![member("X", 0, basic(Basic::Uint8)), member("Y", y, basic(Basic::Uint32))];
    for (ty, expected) in [
        (with(8, 4, fields(1)), "demo::Point cannot be a struct in Go: the field Y is at byte 1 in Rust and would be at byte 4 in Go"),
        (
            with(16, 16, fields(4)),
            "demo::Point cannot be a struct in Go: in Rust it has 16 bytes and the alignment 16, in Go it would have 8 bytes and the alignment 4",
        ),
        (
            with(5, 1, vec![member("X", 0, basic(Basic::Uint8))]),
            "demo::Point cannot be a struct in Go: in Rust it has 5 bytes and the alignment 1, in Go it would have 1 bytes and the alignment 1",
        ),
    ] {
        assert_eq!(refused(&[takes("F", ty)], &[]), [expected]);
    }
    let Type::Error { decl, single, cases, .. } = syntax_error() else { unreachable!() };
    let error = Type::Error { decl, single, size: 56, cases };
    assert_eq!(
        refused(&[export("F", vec![], result(error)), release()], &[]),
        [
            "demo::SyntaxError cannot be a struct in Go: in Rust it has 56 bytes and the alignment 8, in Go it would have 48 bytes and the alignment 8"
        ]
    );
}

#[test]
fn types_in_forbidden_places() {
    let iterator = || Type::Iterator { items: vec![basic(Basic::Uint)] };
    let array = |elem, len| Type::Array { len, elem: Box::new(elem) };
    let append = || field("a", Type::Append { elem: Box::new(basic(Basic::Uint8)) });
    let locked = || pointer(false, queue(object::CLOSE));
    for (function, expected) in [
        (export("F", vec![field("x", text())], vec![]), "the parameter x has the type string, which only results can have"),
        (export("F", vec![field("x", slice(token()))], vec![]), "the parameter x has the type []Token, which only results can have"),
        (export("F", vec![append(), append()], vec![]), "it appends to several slices"),
        (
            export("F", vec![field("qs", slice(locked()))], vec![]),
            "the parameter qs refers to several objects that only one call may use at a time",
        ),
        (export("F", vec![], vec![field("", iterator()), field("", Type::Failure {})]), "it returns more than an iterator"),
        (export("F", vec![append()], result(iterator())), "it returns more than an iterator"),
        (export("F", vec![], result(list(iterator()))), "it returns more than an iterator"),
        (export("F", vec![], result(iterator())), "no record describes how the items of its iterator are fetched"),
        (export("F", vec![], result(array(text(), 33))), "it returns an array of 33 elements that each have to be converted"),
        (export("F", vec![], result(pointer(false, token()))), "it returns a reference to Token"),
        (export("F", vec![], result(Type::Append { elem: Box::new(basic(Basic::Uint8)) })), "it returns what can only be a parameter"),
        (export("F", vec![], result(queue(0))), "no record describes how a Queue is dropped"),
        (export("F", vec![], result(parse_error())), "no record describes how the text of a ParseError is found"),
        (of("", role::METHOD, export("F", vec![], vec![])), "it is a method of nothing"),
    ] {
        assert_eq!(
            refused(&[function, release()], &[]),
            [format!("demo::F cannot be in Go: {expected}").replace("demo::F", &path_of(expected))]
        );
    }
    assert_eq!(refused(&[export("F", vec![], result(text()))], &[]), ["demo::f cannot be in Go: no record describes how memory is freed"]);
}

/// Returns the Rust path of a method. The path contains the method's type.
fn path_of(expected: &str) -> String {
    if expected.contains("method") { "demo::F".into() } else { "demo::f".into() }
}

#[test]
fn invalid_interfaces() {
    let implements = |text: &str| Type::Object { decl: decl("Queue"), words: 0, flags: 0, implements: text.into() };
    for (text, expected) in [
        ("*io.Writer", "the Go type \"*io.Writer\" cannot be implemented: it is a pointer"),
        (
            "example.com/x.Y",
            "the Go type \"example.com/x.Y\" cannot be named: only the standard library's packages can be; declare a name for it in the Go package, as in `type Task = queue.Task`",
        ),
        ("Queue", "Queue would be a type and the type demo::Queue in Go"),
    ] {
        assert_eq!(refused(&[takes("F", implements(text))], &[]), [expected]);
    }
}

#[test]
fn calls_of_go_with_references_to_inline_objects() {
    let func = |kept| Type::Func { kept, params: vec![], results: vec![] };
    let task = |name: &str, params| Function { task: true, ..export(name, params, vec![]) };
    let inline = || field("x", pointer(false, hasher()));
    let called = "demo::f cannot be in Go: it calls Go functions, which could change the inline object x meanwhile";
    for (functions, expected) in [
        (vec![task("F", vec![inline(), field("f", func(false))])], called),
        (vec![task("F", vec![inline()]), task("G", vec![field("f", func(true))])], called),
        (vec![task("F", vec![inline()])], ""),
        (vec![task("F", vec![field("x", hasher()), field("f", func(false))])], ""),
    ] {
        if expected.is_empty() {
            assert!(bind(&Package::new(&functions, &[]), options()).is_ok(), "{functions:?}");
        } else {
            assert_eq!(refused(&functions, &[]), [expected], "{functions:?}");
        }
    }
}

#[test]
fn calls_of_go_with_results_borrowed_from_written_slices() {
    let func = || field("f", Type::Func { kept: false, params: vec![], results: vec![] });
    let slice = |mutable| field("x", Type::Slice { mutable, elem: Box::new(basic(Basic::Uint8)) });
    let task = |params| Function { task: true, borrows: true, ..export("F", params, result(basic(Basic::String))) };
    let why = "demo::f cannot be in Go: it calls Go functions, writes to x, and returns a part of an argument";
    assert_eq!(refused(&[task(vec![slice(true), func()])], &[]), [why]);
    for function in [task(vec![slice(false), func()]), task(vec![slice(true)])] {
        assert!(bind(&Package::new(&[function], &[]), options()).is_ok());
    }
}

#[test]
fn interfaces_that_go_does_not_allow() {
    let takes = |name: &str, methods| Function { task: true, ..export(name, vec![field("x", loader(false, methods))], vec![]) };
    let plain = |name: &str| required(name, "", vec![], vec![]);
    let byte = || Type::Basic(Basic::Uint8);
    let named = |go_name: &str| Method { go_name: go_name.into(), ..plain("f") };
    for (functions, expected) in [
        (vec![takes("F", vec![plain("load")]), takes("G", vec![plain("load")])], ""),
        (vec![takes("F", vec![required("read_byte", "", vec![], vec![byte(), Type::Failure {}])])], ""),
        (
            vec![takes("F", vec![required("read_byte", "", vec![], vec![byte()])])],
            "demo::Loader::read_byte cannot be ReadByte() byte in Go: a method of this name has the signature ReadByte() (byte, error) there, and go vet reports others",
        ),
        (vec![takes("F", vec![plain("load"), plain("load")])], "Loader.Load would be 2 things in Go: a method and a method"),
        (vec![takes("F", vec![named("a b")])], "a method of demo::Loader cannot be \"a b\" in Go: it is not a Go identifier"),
        (
            vec![takes("F", vec![plain("load")]), takes("G", vec![plain("store")])],
            "2 types would be Loader in Go: demo::Loader (src/lib.rs:3) and demo::Loader (src/lib.rs:3)",
        ),
        (
            vec![takes("Loader", vec![plain("load")])],
            "2 things would be Loader in Go: the function demo::loader (src/lib.rs:7) and the type demo::Loader (src/lib.rs:3)",
        ),
    ] {
        if expected.is_empty() {
            assert!(bind(&Package::new(&functions, &[]), options()).is_ok(), "{functions:?}");
        } else {
            assert_eq!(refused(&functions, &[]), [expected], "{functions:?}");
        }
    }
}
