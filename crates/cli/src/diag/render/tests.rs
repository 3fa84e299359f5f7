use super::super::ErrorCode;
use super::*;

fn refusal() -> Diagnostic {
    let call =
        |function: &str, how, line| Call { place: Place { file: Some("src/lib.rs".into()), line: Some(line), ..Place::of(function) }, how };
    Diagnostic::new(ErrorCode::StackLimit, "recursion without a stated stack budget")
        .at(Place { function: "demo::walk".into(), file: Some("src/lib.rs".into()), line: Some(12), inlined: None })
        .chain(vec![call("demo::sum", Some("calls"), 4), call("demo::walk", Some("may call"), 12), call("demo::walk", None, 12)])
        .note("a frame of demo::walk is 112 bytes")
        .hint("state a budget: #[rustgo::export(stack = \"64k\")]\nor write a loop")
}

#[test]
fn text_for_people() {
    assert_eq!(
        human(&refusal(), Style::Plain),
        "\
rustgo: error: recursion without a stated stack budget
  --> src/lib.rs:12 (demo::walk)
    demo::sum (src/lib.rs:4)
        calls demo::walk (src/lib.rs:12)
        may call demo::walk (src/lib.rs:12)
  note: a frame of demo::walk is 112 bytes
  hint: state a budget: #[rustgo::export(stack = \"64k\")]
        or write a loop
"
    );
}

#[test]
fn unknown_places_are_left_out() {
    let at =
        |function: &str, file: Option<&str>, line| Place { function: function.into(), file: file.map(str::to_owned), line, inlined: None };
    for (place, expected) in [
        (at("f", None, None), "  --> f\n"),
        (at("f", None, Some(3)), "  --> f\n"),
        (at("f", Some("a.rs"), None), "  --> a.rs (f)\n"),
        (at("", Some("a.rs"), Some(3)), "  --> a.rs:3\n"),
    ] {
        assert_eq!(human(&Diagnostic::new(ErrorCode::Decode, "x").at(place), Style::Plain), format!("rustgo: error: x\n{expected}"));
    }
}

#[test]
fn others_are_named_briefly() {
    let at = |name: &&str| Place { function: (*name).into(), file: Some("src/lib.rs".into()), line: Some(7), inlined: None };
    let with = |names: &[&str]| Diagnostic { others: names.iter().map(at).collect(), ..Diagnostic::new(ErrorCode::Syscall, "x") };
    for (names, expected) in [
        (&["a"][..], "1 more function: a"),
        (&["a", "b", "c", "d"], "4 more functions: a, b, c, d"),
        (&["a", "b", "c", "d", "e"], "5 more functions: a, b, c, d and 1 other"),
        (&["a", "b", "c", "d", "e", "f"], "6 more functions: a, b, c, d and 2 others"),
    ] {
        let text = format!("rustgo: error: x\n  note: the same holds for {expected}\n");
        assert_eq!(human(&with(names), Style::Plain), text);
    }
    let line = json(&with(&["a", "b", "c", "d", "e", "f"]));
    assert_eq!(line.matches(r#","file":"src/lib.rs","line":7}"#).count(), 6, "{line}");
}

#[test]
fn colours_change_no_text() {
    let colored = human(&refusal(), Style::Colored);
    assert!(colored.contains("\x1b[1m\x1b[31merror\x1b[0m") || colored.contains("\x1b[31m"), "{colored:?}");
    assert_eq!(anstream::adapter::strip_str(&colored).to_string(), human(&refusal(), Style::Plain));
}

#[test]
fn json_for_programs() {
    assert_eq!(
        json(&refusal()),
        concat!(
            r#"{"severity":"error","code":"stack-limit","kind":"stack","message":"recursion without a stated stack budget","#,
            r#""place":{"function":"demo::walk","file":"src/lib.rs","line":12},"#,
            r#""chain":[{"function":"demo::sum","file":"src/lib.rs","line":4,"how":"calls"},"#,
            r#"{"function":"demo::walk","file":"src/lib.rs","line":12,"how":"may call"},"#,
            r#"{"function":"demo::walk","file":"src/lib.rs","line":12,"how":null}],"#,
            r#""others":[],"notes":["a frame of demo::walk is 112 bytes"],"#,
            r#""hint":"state a budget: #[rustgo::export(stack = \"64k\")]\nor write a loop"}"#
        )
    );
    assert_eq!(
        json(&Diagnostic::new(ErrorCode::Output, "a \"b\"")),
        r#"{"severity":"error","code":"output","kind":"build","message":"a \"b\"","place":null,"chain":[],"others":[],"notes":[],"hint":null}"#
    );
    assert_eq!(event_json("done", "wrote 2 files"), r#"{"severity":"done","message":"wrote 2 files"}"#);
}

#[test]
fn inlined_code_is_at_the_authors_line() {
    let inlined = Some(Source { file: "/rustc/library/x.rs".into(), line: 75 });
    let place = Place { file: Some("src/lib.rs".into()), line: Some(7), inlined, ..Place::of("demo::run") };
    let diagnostic = Diagnostic::new(ErrorCode::ThreadLocal, "x").at(place);
    assert_eq!(
        human(&diagnostic, Style::Plain),
        "rustgo: error: x\n  --> src/lib.rs:7, by code inlined from /rustc/library/x.rs:75 (demo::run)\n"
    );
    let place = r#""place":{"function":"demo::run","file":"src/lib.rs","line":7,"inlined":{"file":"/rustc/library/x.rs","line":75}}"#;
    assert!(json(&diagnostic).contains(place), "{}", json(&diagnostic));
}
