use super::{Basic, Field, Function, Type, gosrc};

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
    }
}

fn params(export: &rustgo_schema::Function) -> Vec<String> {
    Function::new(export).params.into_iter().map(|param| param.go.name).collect()
}

fn results(export: &rustgo_schema::Function) -> Vec<String> {
    Function::new(export).results.into_iter().map(|result| result.go.name).collect()
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
    let words: Vec<String> = Function::new(&export).results.into_iter().map(|result| result.first_word).collect();
    assert_eq!(words, ["ret", "ret1"]);
    let functions = vec![Function::new(&export).declare()];
    let text = gosrc::File { package: "demo".into(), functions, ..gosrc::File::default() }.print();
    if let Some(formatted) = gosrc::tests::gofmt(&text) {
        assert_eq!(formatted, text);
    }
}

#[test]
fn parameters_are_not_what_the_assembler_knows() {
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
    assert_eq!(Function::new(&export).results[1].first_word, "type_");
}

#[test]
fn assembly_names_the_first_word() {
    let bytes = Type::Slice { mutable: false, elem: Box::new(Type::Basic(Basic::Uint8)) };
    let key = Type::Pointer { mutable: false, elem: Box::new(bytes.clone()) };
    for (ty, word) in [(bytes, "x_base"), (Type::Basic(Basic::String), "x_base"), (Type::Basic(Basic::Rune), "x"), (key, "x")] {
        assert_eq!(Function::new(&export("F", vec![field("x", ty)], vec![])).params[0].first_word, word);
    }
}
