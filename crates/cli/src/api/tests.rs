use super::Function;
use crate::gosrc;
use rustgo_schema::{Basic, Field, Type};

pub(crate) fn field(name: &str, ty: Type) -> Field {
    Field { name: name.into(), ty, offset: 0 }
}

pub(crate) fn export(go_name: &str, params: Vec<Field>, results: Vec<Field>) -> rustgo_schema::Function {
    rustgo_schema::Function {
        go_name: go_name.into(),
        rust_path: format!("demo::{}", go_name.to_lowercase()),
        file: "src/lib.rs".into(),
        line: 7,
        doc: String::new(),
        stack: None,
        blocking: None,
        params,
        results,
        results_offset: 0,
        frame_size: 0,
        owner: String::new(),
        role: rustgo_schema::role::FUNCTION,
        borrows: false,
        nilable: 0,
        abandons: false,
        task: false,
    }
}

fn params(export: &rustgo_schema::Function) -> Vec<String> {
    Function::new(export, &[]).params.into_iter().map(|param| param.go.name).collect()
}

fn results(export: &rustgo_schema::Function) -> Vec<String> {
    Function::new(export, &[]).results.into_iter().map(|result| result.go.name).collect()
}

#[test]
fn parameters_get_names_go_allows() {
    let names = ["point_a", "type", "len", "_unused", "_", "r#match", "ret", "ret1", "a_b", "aB", "func", "byte", "_1"];
    let export = export(
        "F",
        names.iter().map(|name| field(name, Type::Basic(Basic::Uint64))).collect(),
        vec![field("", Type::Basic(Basic::Bool)), field("", Type::Basic(Basic::Bool))],
    );
    let expected = ["pointA", "type_", "len_", "unused", "arg4", "match", "ret_", "ret1_", "aB", "aB_", "func_", "byte_", "_1"];
    assert_eq!(params(&export), expected);
    assert_eq!(results(&export), ["", ""]);
    let words: Vec<String> = Function::new(&export, &[]).results.into_iter().map(|result| result.first_word).collect();
    assert_eq!(words, ["ret", "ret1"]);
    let declarations = vec![Function::new(&export, &[]).declare_raw().into()];
    let text = gosrc::File { package: "demo".into(), declarations, ..gosrc::File::default() }.print();
    if let Some(formatted) = gosrc::tests::gofmt(&text) {
        assert_eq!(formatted, text);
    }
}

#[test]
fn parameters_avoid_names_of_the_assembler() {
    let names = ["g", "AX", "R8", "NOSPLIT", "N", "G", "gg", "Ax"];
    let export = export(
        "F",
        names.iter().map(|name| field(name, Type::Basic(Basic::Uint64))).collect(),
        vec![field("SP", Type::Basic(Basic::Bool))],
    );
    assert_eq!(params(&export), ["g_", "AX_", "R8_", "NOSPLIT_", "N", "G", "gg", "Ax"]);
    assert_eq!(results(&export), ["SP_"]);
}

#[test]
fn parameters_that_are_not_ascii_get_other_names() {
    let names = ["größe", "arg0", "r#größe", "名", "a_ö", "arg4", "e"];
    let export = export(
        "F",
        names.iter().map(|name| field(name, Type::Basic(Basic::Uint64))).collect(),
        vec![field("länge", Type::Basic(Basic::Bool))],
    );
    assert_eq!(params(&export), ["arg0", "arg0_", "arg2", "arg3", "arg4", "arg4_", "e"]);
    assert_eq!(results(&export), ["res0"]);
}

#[test]
fn named_results_avoid_parameters() {
    let export = export(
        "F",
        vec![field("n", Type::Basic(Basic::Int))],
        vec![field("n", Type::Basic(Basic::Int)), field("type", Type::Basic(Basic::Bool))],
    );
    assert_eq!(results(&export), ["n_", "type_"]);
    assert_eq!(Function::new(&export, &[]).results[1].first_word, "type_");
}

#[test]
fn assembly_names_the_first_word() {
    let bytes = Type::Slice { mutable: false, elem: Box::new(Type::Basic(Basic::Uint8)) };
    let key = Type::Pointer { mutable: false, elem: Box::new(bytes.clone()) };
    for (ty, word) in [(bytes, "x_base"), (Type::Basic(Basic::String), "x_base"), (Type::Basic(Basic::Rune), "x"), (key, "x")] {
        assert_eq!(Function::new(&export("F", vec![field("x", ty)], vec![]), &[]).params[0].first_word, word);
    }
}

#[test]
fn assembly_names_the_first_word_of_composite_results() {
    let decl =
        || rustgo_schema::Decl { go_name: "T".into(), rust_path: "demo::T".into(), file: "a.rs".into(), line: 1, doc: String::new() };
    let member = |go_name: &str, ty| rustgo_schema::Member { go_name: go_name.into(), doc: String::new(), offset: 0, ty };
    let array = |len, elem| Type::Array { len, elem: Box::new(elem) };
    let fields = vec![member("Nothing", array(0, Type::Basic(Basic::Int))), member("Name", array(2, Type::Basic(Basic::String)))];
    for (ty, word) in [
        (Type::Struct { decl: decl(), size: 32, align: 8, fields }, "ret_Name_0_base"),
        (Type::Text { freed: true }, "ret_ptr"),
        (Type::List { freed: false, elem: Box::new(Type::Basic(Basic::Int)) }, "ret_ptr"),
        (Type::Failure {}, "ret_ptr"),
        (Type::Error { decl: decl(), single: true, size: 4, cases: Vec::new() }, "ret"),
        (Type::Error { decl: decl(), single: true, size: 40, cases: Vec::new() }, "ret_code"),
        (Type::Object { decl: decl(), words: 0, flags: 0, implements: String::new() }, "ret"),
        (Type::Object { decl: decl(), words: 2, flags: 0, implements: String::new() }, "ret_rust_T_0"),
        (array(2, Type::Text { freed: true }), "ret_0_ptr"),
    ] {
        assert_eq!(Function::new(&export("F", vec![], vec![field("", ty)]), &[]).results[0].first_word, word);
    }
}

#[test]
fn symbols_contain_the_role() {
    use rustgo_schema::role;
    for (role, name, owner, symbol) in [
        (role::FUNCTION, "Sum", "", "Sum"),
        (role::FUNCTION, "NewRegex", "demo::Regex", "NewRegex"),
        (role::METHOD, "Len", "demo::Regex", "rust_Regex_Len"),
        (role::DROP, "drop", "demo::Regex", "rust_Regex_drop"),
        (role::TEXT, "ParseError", "demo::ParseError", "rust_ParseError_text"),
        (role::NEXT, "Words", "", "rust_Words_next"),
        (role::NEXT, "Words", "demo::Regex", "rust_Regex_Words_next"),
        (role::END, "Words", "demo::Regex", "rust_Regex_Words_end"),
        (role::RELEASE, "release", "", "rust_release"),
    ] {
        let function = rustgo_schema::Function { role, owner: owner.into(), ..export(name, vec![], vec![]) };
        assert_eq!(Function::new(&function, &[]).symbol, symbol);
    }
}
