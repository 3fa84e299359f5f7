//! Tests of the file with the package's code for other processors.

use super::values::*;
use super::*;
use rustgo_schema::role;

fn translated(functions: &[Function]) -> String {
    let translated = Translated {
        crate_path: "example.com/wasm".into(),
        runtime_path: "example.com/translated".into(),
        build: "!amd64".into(),
        shims: BTreeMap::new(),
        marker: "marker".into(),
    };
    made(functions, Options { translated: Some(translated), ..options() }).unwrap().print()
}

/// Returns the function with this name, from its first line to its last.
fn function<'a>(text: &'a str, name: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("func {name}(")).unwrap_or_else(|| panic!("{name} is missing in {text}"));
    rest.split_once("\n}\n").expect("the end of the function").0
}

#[test]
fn parameters_hide_nothing() {
    let handle = || Type::Handle { of: "net.Conn".into() };
    let append = field("elems", Type::Append { elem: Box::new(basic(Basic::Uint8)) });
    let text = translated(&[
        export("Add", vec![append, field("length", basic(Basic::Uint))], vec![]),
        export("Same", vec![field("handle", handle())], result(handle())),
        export("Named", vec![field("call", basic(Basic::Uint))], vec![field("handle", handle())]),
    ]);
    let set = "func(elems2 unsafe.Pointer, length2 uint) {\n\t\telems.spill = rust_owned{elems2, length2, 0}\n\t}";
    assert!(function(&text, "rust_Add").contains(set), "{text}");
    let same = "handle2 handle.Of[net.Conn]) handle.Of[net.Conn] {";
    assert!(function(&text, "Same").starts_with(same), "{text}");
    assert!(function(&text, "Same").contains("Put64[handle.Of[net.Conn]](call, call.At(0), handle2)"), "{text}");
    assert!(function(&text, "Named").starts_with("call uint) (handle2 handle.Of[net.Conn]) {"), "{text}");
}

/// After a failed call the iterator may be lost. Then `Drop` does not call the function literal, which would panic.
#[test]
fn iterators_that_are_lost_are_not_ended() {
    let number = || basic(Basic::Uint64);
    let text = translated(&[
        export("Count", vec![field("n", number())], result(Type::Iterator { items: vec![number()] })),
        next("", "Count", vec![number()]),
        end("", "Count"),
        release(),
        of("Queue", role::FUNCTION, export("NewQueue", vec![], result(queue(0)))),
        dropping("Queue"),
    ]);
    for name in ["rust_Count_end", "rust_Queue_drop"] {
        let (params, body) = function(&text, name).split_once('\n').unwrap();
        let value = params.split(' ').next().unwrap();
        assert!(body.starts_with(&format!("\trust_crate.Drop({value}, func() {{\n")), "{text}");
    }
}
