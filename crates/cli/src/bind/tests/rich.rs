//! Tests with a package that contains every kind of export. Go must accept the generated file.

use super::values::*;
use super::*;
use rustgo_schema::{Constant, object, role};

pub fn functions() -> Vec<Function> {
    let number = || basic(Basic::Uint64);
    let bytes = || slice(basic(Basic::Uint8));
    let queue = || queue(object::CLOSE);
    let regex = || Type::Object { decl: decl("Regex"), words: 0, flags: 0, implements: "fmt.Stringer".into() };
    let this = |mutable, ty| field("self", pointer(mutable, ty));
    vec![
        export("Greet", vec![field("name", basic(Basic::String))], result(text())),
        export("Version", vec![], result(Type::Text { freed: false })),
        export("Squares", vec![field("n", basic(Basic::Uint))], result(list(number()))),
        export("Bytes", vec![], result(list(basic(Basic::Uint8)))),
        export("Primes", vec![], result(Type::List { freed: false, elem: Box::new(number()) })),
        export("Split", vec![field("s", basic(Basic::String))], result(list(text()))),
        export("Names", vec![], result(Type::List { freed: false, elem: Box::new(Type::Text { freed: false }) })),
        export("Grid", vec![], result(list(list(number())))),
        export("Pair", vec![], result(Type::Array { len: 2, elem: Box::new(text()) })),
        export("Pairs", vec![], result(list(Type::Array { len: 2, elem: Box::new(text()) }))),
        export("Tokens", vec![field("s", basic(Basic::String))], vec![field("", list(token())), field("", parse_error())]),
        export("Parse", vec![field("s", basic(Basic::String))], vec![field("point", point()), field("ok", basic(Basic::Bool))]),
        export("Load", vec![field("s", bytes())], vec![field("t", token()), field("e", Type::Failure {})]),
        export("Read", vec![field("s", bytes())], vec![field("", number()), field("", read_error())]),
        export("Check", vec![field("s", bytes())], result(syntax_error())),
        export("Fail", vec![field("s", bytes())], result(sourced_error())),
        export("Paint", vec![field("c", color()), field("at", pointer(true, point())), field("all", slice(point()))], result(color())),
        export("AppendHex", vec![field("dst", Type::Append { elem: Box::new(basic(Basic::Uint8)) }), field("src", bytes())], vec![]),
        export(
            "AppendPoints",
            vec![field("dst", Type::Append { elem: Box::new(point()) }), field("a", bytes())],
            vec![field("n", basic(Basic::Int)), field("err", Type::Failure {})],
        ),
        Function { borrows: true, ..export("Trim", vec![field("s", basic(Basic::String))], result(basic(Basic::String))) },
        export("Count", vec![field("n", number())], result(Type::Iterator { items: vec![number()] })),
        next("", "Count", vec![number()]),
        end("", "Count"),
        of("Queue", role::FUNCTION, export("NewQueue", vec![], result(queue()))),
        of(
            "Queue",
            role::FUNCTION,
            export("OpenQueue", vec![field("s", basic(Basic::String))], vec![field("", queue()), field("", Type::Failure {})]),
        ),
        of("Queue", role::FUNCTION, export("Merge", vec![field("a", pointer(false, queue())), field("b", pointer(true, queue()))], vec![])),
        method("Queue", "Push", vec![this(true, queue()), field("x", number())], vec![]),
        method("Queue", "Pop", vec![this(true, queue())], vec![field("", number()), field("", basic(Basic::Bool))]),
        method("Queue", "Len", vec![this(false, queue())], result(basic(Basic::Uint))),
        method("Queue", "IntoList", vec![field("self", queue())], result(list(number()))),
        method("Queue", "Drain", vec![this(true, queue())], result(Type::Iterator { items: vec![number(), text()] })),
        next("Queue", "Drain", vec![number(), text()]),
        end("Queue", "Drain"),
        dropping("Queue"),
        of(
            "Regex",
            role::FUNCTION,
            export("NewRegex", vec![field("pattern", basic(Basic::String))], vec![field("", regex()), field("", syntax_error())]),
        ),
        method("Regex", "IsMatch", vec![this(false, regex()), field("s", basic(Basic::String))], result(basic(Basic::Bool))),
        method("Regex", "String", vec![this(false, regex())], result(text())),
        method(
            "Regex",
            "Find",
            vec![this(false, regex()), field("s", basic(Basic::String))],
            result(Type::Iterator { items: vec![basic(Basic::String)] }),
        ),
        next("Regex", "Find", vec![basic(Basic::String)]),
        end("Regex", "Find"),
        dropping("Regex"),
        of("Hasher", role::FUNCTION, export("NewHasher", vec![], result(hasher()))),
        of(
            "Hasher",
            role::FUNCTION,
            export("ParseHasher", vec![field("s", bytes())], vec![field("", hasher()), field("", Type::Failure {})]),
        ),
        method(
            "Hasher",
            "Write",
            vec![this(true, hasher()), field("p", bytes())],
            vec![field("n", basic(Basic::Int)), field("err", Type::Failure {})],
        ),
        method("Hasher", "Sum64", vec![this(false, hasher())], result(number())),
        method("Point", "Length", vec![field("self", point())], result(basic(Basic::Float64))),
        method("Point", "Double", vec![this(true, point())], vec![]),
        text_of("ParseError"),
        release(),
    ]
}

pub fn constants() -> Vec<Constant> {
    let float = |value: f64| value.to_bits().to_le_bytes();
    vec![
        Constant { doc: "Max is the most.".into(), ..constant("Max", basic(Basic::Uint32), &[5, 0, 0, 0]) },
        constant("Least", basic(Basic::Int16), &[0xfe, 0xff]),
        constant("Ratio", basic(Basic::Float64), &float(0.1)),
        constant("Huge", basic(Basic::Float32), &1e30_f32.to_bits().to_le_bytes()),
        constant("Endless", basic(Basic::Float64), &float(f64::INFINITY)),
        constant("Minus", basic(Basic::Float64), &float(-0.0)),
        constant("Umlaut", basic(Basic::Rune), &u32::from('ü').to_le_bytes()),
        constant("Bell", basic(Basic::Rune), &[7, 0, 0, 0]),
        constant("Title", basic(Basic::String), "a \"b\"\n\\ü\u{7}".as_bytes()),
        constant("Best", color(), &[7]),
        constant("Table", Type::Array { len: 70, elem: Box::new(basic(Basic::Uint8)) }, &(100..170).collect::<Vec<u8>>()),
        constant("Origin", point(), &[[3, 0, 0, 0, 0, 0, 0, 0], float(1.5)].concat()),
        Constant { variable: true, ..constant("Level", basic(Basic::Uint8), &[1]) },
        constant("Corners", Type::Array { len: 2, elem: Box::new(color()) }, &[0, 7]),
    ]
}

/// Sets the offsets of the functions' arguments and results.
fn laid_out(functions: Vec<Function>) -> Vec<Function> {
    let place = |fields: &mut Vec<rustgo_schema::Field>, start: u32| {
        let mut end = start;
        for field in fields {
            let layout = field.ty.layout();
            field.offset = end.next_multiple_of(u32::try_from(layout.align).unwrap());
            end = field.offset + u32::try_from(layout.size).unwrap();
        }
        end
    };
    let lay_out = |mut function: Function| {
        let end = place(&mut function.params, 0);
        function.results_offset = end.next_multiple_of(8);
        function.frame_size = if function.results.is_empty() { end } else { place(&mut function.results, function.results_offset) };
        function
    };
    functions.into_iter().map(lay_out).collect()
}

/// Returns assembly for `go vet` with functions that name their arguments and results as generated assembly does.
fn assembly(package: &Package) -> String {
    let mut text = String::from("#include \"textflag.h\"\n");
    for function in package.functions.values() {
        text += &format!("\nTEXT ·{}(SB), NOSPLIT, $0-{}\n", function.symbol, function.size);
        let first = [function.params.first(), function.results.first()];
        for (param, register) in first.into_iter().zip(["DI", "SI"]).filter_map(|(param, register)| Some((param?, register))) {
            text += &format!("\tLEAQ {}+{}(FP), {register}\n", param.first_word, param.field.offset);
        }
        text += "\tRET\n";
    }
    text
}

/// Writes the package's files and checks them with gofmt, Go's compiler and go vet. Returns the folder and the text of the Go file, or None if Go
/// is not installed.
fn accepted(functions: Vec<Function>, constants: &[Constant]) -> Option<(tempfile::TempDir, String)> {
    let package = Package::new(&laid_out(functions), constants);
    let file = bind(&package, Options { package: "demo".into(), ..Options::default() });
    let text = file.unwrap_or_else(|failure| panic!("{failure:?}")).print();
    if let Some(formatted) = gosrc::tests::gofmt(&text) {
        assert_eq!(formatted, text);
    }
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("go.mod", "module demo\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => ./go\n");
    write("go/go.mod", "module rustgo.dev/go\n\ngo 1.24\n");
    write("go/rt/rt.go", include_str!("../../verify/rt.go.txt"));
    write("rustgo.go", &text);
    write("rustgo_amd64.s", &assembly(&package));
    if go(&dir, &["vet", "."], &text).is_none() {
        eprintln!("skipped: the go command cannot be run; put it into PATH");
        return None;
    }
    Some((dir, text))
}

/// Returns the output of a go command that must succeed. None if go cannot be run.
fn go(dir: &tempfile::TempDir, args: &[&str], text: &str) -> Option<String> {
    let mut go = std::process::Command::new("go");
    let output = go.args(args).current_dir(dir.path()).envs([("GOFLAGS", ""), ("GOWORK", "off"), ("GOARCH", "amd64")]).output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}\n{text}");
    Some(said)
}

/// Go's compiler and go vet accept the package. Skipped on a machine without Go.
#[test]
fn real_go_accepts_it() {
    let Some((dir, text)) = accepted(functions(), &constants()) else { return };
    // Go's compiler can inline wrappers, so a call of a wrapper costs no more than a call of the assembly function.
    let said = go(&dir, &["build", "-gcflags=-m", "."], &text).unwrap_or_default();
    for name in ["NewHasher", "(*Hasher).Sum64", "Paint", "Trim", "Point.Length", "Version", "Count"] {
        assert!(said.contains(&format!(": can inline {name}\n")), "{name}: {said}");
    }
}

/// Types of the package may have names that generated code uses for variables.
#[test]
fn variables_do_not_hide_types() {
    let named = |go_name: &str, ty: &dyn Fn(rustgo_schema::Decl) -> Type| ty(decl(go_name));
    let plain = |go_name: &str| {
        named(go_name, &|decl| Type::Struct { decl, size: 8, align: 8, fields: vec![member("X", 0, basic(Basic::Uint64))] })
    };
    let owning = |go_name: &str| {
        let fields = || vec![member("Text", 0, text()), member("All", 24, list(plain("item")))];
        named(go_name, &|decl| Type::Struct { decl, size: 48, align: 8, fields: fields() })
    };
    let error = |go_name: &str| {
        let fields = || vec![member("At", 32, basic(Basic::Uint64)), member("All", 40, list(plain("value")))];
        let case =
            || rustgo_schema::Variant { go_name: go_name.into(), name: go_name.into(), doc: String::new(), value: 0, fields: fields() };
        named(go_name, &|decl| Type::Error { decl, single: true, size: 64, cases: vec![case()] })
    };
    let numbered = |go_name: &str, single: bool| {
        let case = || variant(go_name, if single { "" } else { "Odd" }, 0, vec![]);
        named(go_name, &|decl| Type::Error { decl, single, size: 4, cases: vec![case()] })
    };
    let color = |go_name: &str, cases: [&'static str; 2]| {
        let variants = || {
            cases.map(|case| rustgo_schema::Variant { go_name: case.into(), ..variant("", case, u64::from(case > "l"), vec![]) }).to_vec()
        };
        named(go_name, &|decl| Type::Enum { decl, base: Box::new(basic(Basic::Uint8)), variants: variants() })
    };
    let inline = |go_name: &str| named(go_name, &|decl| Type::Object { decl, words: 2, flags: 0, implements: String::new() });
    let heap = |go_name: &str| named(go_name, &|decl| Type::Object { decl, words: 0, flags: object::CLOSE, implements: String::new() });
    let iterator = |items: Vec<Type>| result(Type::Iterator { items });
    let pairs = |ty: Type| list(Type::Array { len: 2, elem: Box::new(ty) });
    let functions = vec![
        // The wrapper has a variable `u` for the use of the locked receiver, and the element type is called `u` too.
        method("q", "Vs", vec![field("self", pointer(true, heap("q")))], result(list(plain("u")))),
        dropping("q"),
        export("Raw", vec![], result(list(owning("raw")))),
        export("Raws", vec![], result(pairs(owning("raw")))),
        export("Objects", vec![], result(pairs(inline("s")))),
        export("Heap", vec![], result(heap("ok"))),
        dropping("ok"),
        export("Inline", vec![], result(inline("x"))),
        export("Failing", vec![], vec![field("", plain("failure")), field("", error("e"))]),
        export("Aiming", vec![], result(error("target"))),
        export("Counting", vec![], result(numbered("number", true))),
        text_of("number"),
        export("Naming", vec![], result(numbered("n", false))),
        text_of("n"),
        export("Painting", vec![field("c", color("c", ["c_", "m"]))], result(color("k", ["k_", "z"]))),
        export("Painting2", vec![], result(color("lack", ["l", "o"]))),
        export("AppendA", vec![field("dst", Type::Append { elem: Box::new(plain("a")) })], result(plain("written"))),
        export("Its", vec![field("all", slice(plain("it")))], iterator(vec![plain("it"), plain("want")])),
        next("", "Its", vec![plain("it"), plain("want")]),
        end("", "Its"),
        export("Items", vec![], iterator(vec![plain("items")])),
        next("", "Items", vec![plain("items")]),
        end("", "Items"),
        export("Values", vec![], iterator(vec![owning("values"), plain("yield")])),
        next("", "Values", vec![owning("values"), plain("yield")]),
        end("", "Values"),
        release(),
    ];
    accepted(functions, &[constant("t", basic(Basic::Uint8), &[1]), constant("r", color("rr", ["d", "r_"]), &[0])]);
}

/// go vet checks assembly that names arguments. It names the elements of an array, but an array without elements has only its own name.
#[test]
fn arguments_without_a_size() {
    let nothing = || Type::Array { len: 0, elem: Box::new(basic(Basic::Uint8)) };
    let functions = vec![
        export("First", vec![field("a", nothing()), field("b", basic(Basic::Uint64))], result(basic(Basic::Uint64))),
        export(
            "Last",
            vec![field("b", basic(Basic::Uint64)), field("a", nothing())],
            vec![field("", basic(Basic::Bool)), field("", nothing())],
        ),
        export("Both", vec![field("a", nothing())], vec![field("", nothing()), field("", basic(Basic::Uint16))]),
        export("Only", vec![field("a", nothing())], result(nothing())),
    ];
    accepted(functions, &[]);
}

/// One struct in memory contains the fields of all variants, so the fields' names must differ.
#[test]
fn fields_of_variants_have_names_of_their_own() {
    let number = |name: &str, offset| member(name, offset, basic(Basic::Uint32));
    let cases = vec![variant("E", "A", 0, vec![number("B_C", 32), number("Text", 36)]), variant("E", "A_B", 1, vec![number("C", 40)])];
    let error = Type::Error { decl: decl("E"), single: false, size: 48, cases };
    let Some((_, text)) = accepted(vec![export("F", vec![], result(error)), release()], &[]) else { return };
    for line in [
        "\tA_B_C  uint32\n\tA_Text uint32\n\tA_B_C_ uint32\n",
        "return EA{B_C: raw.A_B_C, Text: raw.A_Text, text: ",
        "return EA_B{C: raw.A_B_C_, text: ",
        "_ = x[unsafe.Offsetof(rust_E{}.A_B_C_)-40]",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}
