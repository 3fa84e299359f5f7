//! Converts declared types to Go declarations with the methods and constants that Go programmers expect: String, Error, Close.

use super::build::{func, method, param};
use super::convert::{RT, of_boxed, of_error, of_inline, of_struct, value};
use super::locals::unused;
use super::task;
use crate::api::{Declared, Package, Role, declared_method, go_type, is_direct, raw_type, show};
use crate::gosrc::{Declaration, Element, Func, Member, Type as GoDecl, TypeBody, Value, Values};
use rustgo_schema::{Basic, Decl, GoType, Type, Variant, object as bits};
use std::collections::BTreeSet;

/// The Go declarations of one exported type: public declarations (`shown`), and declarations that only wrappers use (`hidden`). The hidden
/// declarations come at the end of the generated file.
#[derive(Default)]
pub struct Parts {
    pub shown: Vec<Declaration>,
    pub hidden: Vec<Declaration>,
}

/// A function that replaces links to Rust items in documentation by Go names.
pub type Doc<'a> = &'a dyn Fn(&str) -> String;

/// Makes the Go declarations of an exported type.
pub fn declare(package: &Package, declared: &Declared, doc: Doc<'_>) -> Parts {
    let decl = &declared.decl;
    match &declared.ty {
        Type::Struct { fields, .. } => structure(declared, fields, doc),
        Type::Enum { base, variants, .. } => Parts { shown: enumeration(package, declared, base, variants, doc), ..Parts::default() },
        Type::Object { words, flags, implements, .. } => {
            let mut parts = if *words == 0 { heap_object(package, declared, *flags, doc) } else { inline_object(declared, *words, doc) };
            let interfaces = implements.lines().filter_map(|text| GoType::parse(text).ok());
            parts.shown.extend(interfaces.map(|interface| implemented(decl, show(interface))));
            parts
        }
        Type::Error { single, size: 4, cases, .. } => numbered_error(package, declared, *single, cases, doc),
        Type::Error { single, cases, .. } => error(declared, *single, cases, doc),
        Type::Trait { methods, .. } => interface(declared, methods, doc),
        _ => Parts::default(),
    }
}

fn place(decl: &Decl) -> String {
    format!("{}:{}", decl.file, decl.line)
}

/// Makes the declaration of the type without its methods.
fn itself(declared: &Declared, ty: TypeBody, doc: Doc<'_>) -> Declaration {
    let decl = &declared.decl;
    GoDecl { doc: doc(&decl.doc), name: decl.go_name.clone(), ty, place: place(decl) }.into()
}

/// Makes Go's struct fields. Fields of size 0 are left out.
fn members(fields: &[rustgo_schema::Member], ty: impl Fn(&Type) -> String, doc: Doc<'_>) -> Vec<Member> {
    let sized = fields.iter().filter(|field| field.ty.layout().size > 0);
    sized.map(|field| Member { doc: doc(&field.doc), name: field.go_name.clone(), ty: ty(&field.ty) }).collect()
}

/// Lists the Go expressions `X: …, Y: …` that convert the fields from raw values. `raw` returns the raw expression of the field with this name.
fn converted(fields: &[rustgo_schema::Member], raw: impl Fn(&str) -> String) -> Vec<String> {
    let sized = fields.iter().filter(|field| field.ty.layout().size > 0);
    sized.map(|field| format!("{}: {}", field.go_name, value(&field.ty, &raw(&field.go_name)))).collect()
}

fn structure(declared: &Declared, fields: &[rustgo_schema::Member], doc: Doc<'_>) -> Parts {
    let decl = &declared.decl;
    let shown = vec![itself(declared, TypeBody::Struct(members(fields, go_type, doc)), doc)];
    if is_direct(&declared.ty) {
        return Parts { shown, hidden: Vec::new() };
    }
    let name = raw_type(&declared.ty);
    let text = format!("{name} is a {} as Rust writes it.", decl.go_name);
    let raw =
        GoDecl { doc: text, name: name.clone(), ty: TypeBody::Struct(members(fields, raw_type, &|_| String::new())), place: String::new() };
    let parameter = unused("raw", &[decl.go_name.clone(), converted(fields, |_| String::new()).join(" ")].join(" "));
    let body = format!("return {}{{{}}}", decl.go_name, converted(fields, |field| format!("{parameter}.{field}")).join(", "));
    let convert = func(&of_struct(decl), &[(&parameter, &name)], &decl.go_name, "", &body);
    Parts { shown, hidden: vec![raw.into(), convert] }
}

fn enumeration(package: &Package, declared: &Declared, base: &Type, variants: &[Variant], doc: Doc<'_>) -> Vec<Declaration> {
    let decl = &declared.decl;
    let is_signed = matches!(base, Type::Basic(Basic::Int8 | Basic::Int16 | Basic::Int32 | Basic::Int64 | Basic::Int));
    let number = |variant: &Variant| if is_signed { variant.value.cast_signed().to_string() } else { variant.value.to_string() };
    let mut shown = vec![itself(declared, TypeBody::Other(go_type(base)), doc)];
    shown.extend(constants(decl, variants, number, doc));
    if !package.methods(&decl.rust_path).any(|method| method.name == "String") {
        let cases: String = variants.iter().map(|v| format!("case {}:\n\treturn {:?}\n", v.go_name, v.name)).collect();
        let format = if is_signed { "FormatInt(int64" } else { "FormatUint(uint64" };
        let receiver = unused(&receiver(&decl.go_name), &cases);
        let body = format!(
            "switch {receiver} {{\n{cases}}}\nreturn {:?} + strconv.{format}({receiver}), 10) + \")\"",
            format!("{}(", decl.go_name)
        );
        let text = "String returns the name of the value in Rust.";
        shown.push(method((&receiver, &decl.go_name), "String", "string", text, &body));
    }
    shown
}

/// Makes the constants of an enum, or of an error type whose values are numbers.
fn constants(decl: &Decl, variants: &[Variant], number: impl Fn(&Variant) -> String, doc: Doc<'_>) -> Option<Declaration> {
    let constant = |variant: &Variant| Value {
        doc: doc(&variant.doc),
        name: variant.go_name.clone(),
        ty: decl.go_name.clone(),
        value: vec![number(variant)],
        place: String::new(),
    };
    let values: Vec<Value> = variants.iter().map(constant).collect();
    (!values.is_empty()).then(|| Values { keyword: "const", values }.into())
}

/// Returns the receiver's name for methods without parameters.
fn receiver(type_name: &str) -> String {
    let first = type_name.chars().next().filter(char::is_ascii_alphabetic).unwrap_or('x');
    first.to_ascii_lowercase().to_string()
}

fn heap_object(package: &Package, declared: &Declared, flags: u64, doc: Doc<'_>) -> Parts {
    let decl = &declared.decl;
    // The field's name contains the type's name, so that Go cannot convert one object type to another.
    let field = Member { doc: String::new(), name: format!("rust_{}", decl.go_name), ty: format!("{RT}.Object") };
    let mut shown = vec![itself(declared, TypeBody::Struct(vec![field]), doc)];
    if flags & bits::CLOSE != 0 {
        let receiver = receiver(&decl.go_name);
        let text = format!(
            "Close frees the {name}'s memory in the Rust heap. It returns an error if the {name} is closed already, or if a call uses it.",
            name = decl.go_name
        );
        let call = format!("{}.Close", decl.go_name);
        let body = format!("return {RT}.Close({}, {call:?}, {:?})", super::convert::object(&receiver), decl.go_name);
        shown.push(method((&receiver, &format!("*{}", decl.go_name)), "Close", "error", &text, &body));
    }
    let raw = unused("raw", &decl.go_name);
    let is_task = package.of_role(Some(&decl.rust_path), Role::Drop).is_some_and(|function| function.task.is_some());
    let makes = match (is_task, package.no_threads) {
        (true, true) => "NewThreadObject",
        (true, false) => "NewTaskObject",
        (false, _) => "NewObject",
    };
    let made = format!("{makes}({raw}, rust_{}_drop)", decl.go_name);
    let convert = func(
        &of_boxed(decl),
        &[(&raw, "unsafe.Pointer")],
        &format!("*{}", decl.go_name),
        &format!("{} makes a {} of the address of a value in the Rust heap.", of_boxed(decl), decl.go_name),
        &format!("return (*{})(unsafe.Pointer({RT}.{made}))", decl.go_name),
    );
    Parts { shown, hidden: vec![convert] }
}

fn inline_object(declared: &Declared, words: u64, doc: Doc<'_>) -> Parts {
    let decl = &declared.decl;
    // The field's name contains the type's name, so that Go cannot convert one object type to another.
    let state = Member { doc: String::new(), name: format!("rust_{}", decl.go_name), ty: format!("[{words}]uint64") };
    let text = format!("{} returns nil for the zero value, which is not a valid {}.", of_inline(decl), decl.go_name);
    let convert = func(
        &of_inline(decl),
        &[("raw", &decl.go_name)],
        &format!("*{}", decl.go_name),
        &text,
        &format!("if raw.rust_{}[0] == 0 {{\n\treturn nil\n}}\nreturn &raw", decl.go_name),
    );
    Parts { shown: vec![itself(declared, TypeBody::Struct(vec![state]), doc)], hidden: vec![convert] }
}

/// Makes an interface that Go implements, and the function by which Rust calls its methods.
fn interface(declared: &Declared, methods: &[rustgo_schema::Method], doc: Doc<'_>) -> Parts {
    let element = |method: &rustgo_schema::Method| Element {
        doc: doc(&method.doc),
        text: format!("{}{}", method.go_name, declared_method(method).signature()),
    };
    let body = TypeBody::Interface(methods.iter().map(element).collect());
    Parts { shown: vec![itself(declared, body, doc)], hidden: vec![task::methods(&declared.decl, methods)] }
}

/// Makes a declaration with which Go's compiler checks that the type implements an interface.
fn implemented(decl: &Decl, interface: String) -> Declaration {
    let value = Value { name: "_".into(), ty: interface, value: vec![format!("(*{})(nil)", decl.go_name)], ..Value::default() };
    Values { keyword: "var", values: vec![value] }.into()
}

/// Makes an error type without fields. Rust passes only the number of an error to Go. When Go calls `Error`, Rust formats the text.
fn numbered_error(package: &Package, declared: &Declared, single: bool, cases: &[Variant], doc: Doc<'_>) -> Parts {
    let decl = &declared.decl;
    let name = &decl.go_name;
    let receiver = receiver(name);
    let n = unused("n", &receiver);
    let text = |number: &str| match package.of_role(Some(&decl.rust_path), Role::Text) {
        // The Go code calls Rust in a loop, because a Display implementation may write a different length each time.
        Some(function) => format!(
            "text := make([]byte, 128)\nfor {{\n\t{n} := {raw}({number}, text)\n\tif {n} <= uint(len(text)) {{\n\t\treturn string(text[:{n}])\n\t}}\n\ttext = make([]byte, 2*{n}) // the next may be longer\n}}",
            raw = function.symbol
        ),
        None => format!("return {name:?}"),
    };
    let given = unused("number", name);
    let says = "Error returns the text of the error's Display.";
    let mut shown = Vec::new();
    let error = if single {
        shown.push(itself(declared, TypeBody::Struct(Vec::new()), doc));
        shown.push(method(("", name), "Error", "string", says, &text("1")));
        format!("{name}{{}}")
    } else {
        shown.push(itself(declared, TypeBody::Other("uint32".into()), doc));
        shown.extend(constants(decl, cases, number_of(cases), doc));
        let unknown = format!("return {:?} + strconv.FormatUint(uint64({receiver}), 10) + \")\"", format!("{name}("));
        let body =
            format!("if {receiver} == 0 || {receiver} > {} {{\n\t{unknown}\n}}\n{}", cases.len(), text(&format!("uint32({receiver})")));
        shown.push(method((&receiver, name), "Error", "string", says, &body));
        format!("{name}({given})")
    };
    let body = format!("if {given} == 0 {{\n\treturn nil\n}}\nreturn {error}");
    Parts { shown, hidden: vec![func(&of_error(decl), &[(&given, "uint32")], "error", "", &body)] }
}

/// Returns a function that gives each variant of an error type its number in Go. The number 0 means no error.
fn number_of(cases: &[Variant]) -> impl Fn(&Variant) -> String {
    move |case| cases.iter().position(|other| other.go_name == case.go_name).map_or(0, |index| index + 1).to_string()
}

/// Makes an error type with fields: a struct, or an interface with a struct for each variant.
fn error(declared: &Declared, single: bool, cases: &[Variant], doc: Doc<'_>) -> Parts {
    let decl = &declared.decl;
    let raw = raw_type(&declared.ty);
    let mut parts = Parts::default();
    let marker = marker(&decl.go_name);
    if !single {
        let element = |text: &str| Element { doc: String::new(), text: text.into() };
        parts.shown.push(itself(declared, TypeBody::Interface(vec![element("error"), element(&format!("{marker}()"))]), doc));
    }
    for case in cases {
        let (name, docs, place) = match single {
            true => (&decl.go_name, &decl.doc, place(decl)),
            false => (&case.go_name, &case.doc, String::new()),
        };
        let (text, said) = (own_field(&case.fields, TEXT), own_field(&case.fields, SAID));
        let sources = case.sources();
        let mut fields = members(&case.fields, go_type, doc);
        // The field is a pointer to the source. errors.Is compares two errors with == before it calls the method Is, and == panics if it compares
        // sources of a type that is not comparable.
        fields.iter_mut().filter(|field| sources.is_some_and(|of| of.go_name == field.name)).for_each(|field| field.ty.insert(0, '*'));
        fields.extend([(&text, "string"), (&said, "bool")].map(|(name, ty)| Member {
            doc: String::new(),
            name: name.clone(),
            ty: ty.into(),
        }));
        parts.shown.push(GoDecl { doc: doc(docs), name: name.clone(), ty: TypeBody::Struct(fields), place }.into());
        let receiver = unused(&receiver(name), name);
        let says = "Error returns the text of the error's Display, or the type's name if the value was made in Go.";
        let body = format!("if !{receiver}.{said} {{\n\treturn {name:?}\n}}\nreturn {receiver}.{text}");
        parts.shown.push(method((&receiver, name), "Error", "string", says, &body));
        if let Some(sources) = sources {
            let says = "Unwrap returns the result of the error's source method, or nil if it had none.";
            let source = format!("{receiver}.{}", sources.go_name);
            let body = format!("if {source} == nil {{\n\treturn nil\n}}\nreturn *{source}");
            parts.shown.push(method((&receiver, name), "Unwrap", "error", says, &body));
        }
        let own: Vec<&str> = [text.as_str(), &said].into_iter().chain(sources.map(|sources| sources.go_name.as_str())).collect();
        parts.shown.push(is_method(&receiver, name, &own, &case.fields));
        if !single {
            parts.shown.push(method(("", name), &marker, "", "", ""));
        }
    }
    let raw_fields = raw_fields(single, cases);
    let sourced = cases.iter().find_map(Variant::sources);
    let doc = format!("{raw} is a {} as Rust writes it.", decl.go_name);
    parts
        .hidden
        .push(GoDecl { doc, name: raw.clone(), ty: TypeBody::Struct(raw_members(&raw_fields, sourced)), place: String::new() }.into());
    let names = cases.iter().map(|case| format!("{} {}", case.go_name, converted(&case.fields, |_| String::new()).join(" ")));
    let given = unused("raw", &names.chain([decl.go_name.clone()]).collect::<Vec<String>>().join(" "));
    let made = |(case, raw): (&Variant, &Vec<Raw<'_>>)| {
        let field = |field: &Raw<'_>| format!("{}: {}", field.of.go_name, value(&field.of.ty, &format!("{given}.{}", field.name)));
        let mut fields: Vec<String> = raw.iter().map(field).collect();
        fields.extend(case.sources().map(|sources| format!("{}: rust_source({given}.{SOURCES})", sources.go_name)));
        fields.push(format!("{}: rust_string({given}.text)", own_field(&case.fields, TEXT)));
        fields.push(format!("{}: true", own_field(&case.fields, SAID)));
        format!("return {}{{{}}}", if single { &decl.go_name } else { &case.go_name }, fields.join(", "))
    };
    let made: Vec<String> = cases.iter().zip(&raw_fields).map(made).collect();
    let body = match (single, made.as_slice()) {
        (true, [made]) => format!("if {given}.code == 0 {{\n\treturn nil\n}}\n{made}"),
        _ => {
            let cases = made.iter().enumerate().map(|(index, made)| format!("case {}:\n\t{made}\n", index + 1));
            format!("switch {given}.code {{\n{}}}\nreturn nil", cases.collect::<String>())
        }
    };
    parts.hidden.push(func(&of_error(decl), &[(&given, &raw)], "error", "", &body));
    parts
}

/// The name of the field with an error's text.
const TEXT: &str = "text";
/// The name of the bool field that is true if Rust has made the error, so that the field [`TEXT`] holds its text. Without this field Go could not
/// distinguish an empty text from no text.
const SAID: &str = "said";
/// The name of the field that holds the texts of the error's sources, in the raw type of the error (the struct that Rust writes).
pub const SOURCES: &str = "source";

/// Returns the name of a generated field: `name`, with underscores appended until no field of the author has the name.
fn own_field(fields: &[rustgo_schema::Member], name: &str) -> String {
    let mut name = name.to_owned();
    while fields.iter().any(|field| field.go_name == name) {
        name.push('_');
    }
    name
}

/// Returns the name of the method that only the variants of an error type have: `parseError`.
pub fn marker(type_name: &str) -> String {
    let first: String = type_name.chars().take(1).flat_map(char::to_lowercase).collect();
    let rest: String = type_name.chars().skip(1).collect();
    let name = first + &rest;
    if rustgo_schema::go_keywords::KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

/// Makes the method `Is`, by which `errors.Is` compares two errors: they are equal if the author's fields are equal. The generated fields, listed in
/// `own`, do not count: they hold the texts and the sources.
fn is_method(receiver: &str, name: &str, own: &[&str], fields: &[rustgo_schema::Member]) -> Declaration {
    let is_slice = |ty: &Type| matches!(ty, Type::List { .. } | Type::Slice { .. });
    let other = if receiver == "t" { "other" } else { "t" };
    let target = &unused("target", name);
    let same = match fields.iter().any(|field| field.ty.has(is_slice)) {
        true => format!("reflect.DeepEqual({other}, {receiver})"),
        false => format!("{other} == {receiver}"),
    };
    let all_of = |of: &str| own.iter().map(|field| format!("{of}.{field}")).collect::<Vec<_>>().join(", ");
    let none = &unused("none", name);
    let none_of = all_of(none);
    let body = format!(
        "{other}, ok := {target}.({name})\nvar {none} {name}\n{} = {none_of}\n{} = {none_of}\nreturn ok && {same}",
        all_of(other),
        all_of(receiver),
    );
    Func {
        doc: "Is reports whether the target is the same error, with the same fields.".into(),
        receiver: Some(param(receiver, name)),
        name: "Is".into(),
        params: vec![param(target, "error")],
        results: vec![param("", "bool")],
        body: Some(body.lines().map(str::to_owned).collect()),
        ..Func::default()
    }
    .into()
}

/// A field of a variant in the raw type of an error, the struct that Rust writes.
pub struct Raw<'a> {
    /// The field's name in the raw type, which contains the fields of all variants.
    pub name: String,
    pub of: &'a rustgo_schema::Member,
}

/// Lists the raw fields of each variant. Fields of size 0 and error sources are left out.
pub fn raw_fields(single: bool, cases: &[Variant]) -> Vec<Vec<Raw<'_>>> {
    let mut taken: BTreeSet<String> = ["code", "text", SOURCES].map(str::to_owned).into();
    let mut all = Vec::new();
    for case in cases {
        let mut of_case = Vec::new();
        for field in case.fields.iter().filter(|field| field.ty.layout().size > 0 && !field.is_sources()) {
            let mut name = if single { field.go_name.clone() } else { format!("{}_{}", case.name, field.go_name) };
            // Joining the names of a variant and a field can give the same name for two different pairs.
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            of_case.push(Raw { name, of: field });
        }
        all.push(of_case);
    }
    all
}

/// Lists the members of an error's raw type: the variant's number, the text, the texts of the error's sources (only if a variant has sources), and
/// the variants' fields ordered by offset.
fn raw_members(fields: &[Vec<Raw<'_>>], sources: Option<&rustgo_schema::Member>) -> Vec<Member> {
    let plain = |name: &str, ty: &str| Member { doc: String::new(), name: name.into(), ty: ty.into() };
    let fields = in_order(fields).into_iter().map(|raw| plain(&raw.name, &raw_type(&raw.of.ty)));
    let sources = sources.map(|_| plain(SOURCES, "rust_owned"));
    [plain("code", "uint32"), plain("text", "rust_owned")].into_iter().chain(sources).chain(fields).collect()
}

/// Lists the fields of all variants ordered by offset.
pub fn in_order<'a, 'b>(fields: &'a [Vec<Raw<'b>>]) -> Vec<&'a Raw<'b>> {
    let mut fields: Vec<&Raw<'_>> = fields.iter().flatten().collect();
    fields.sort_by_key(|raw| raw.of.offset);
    fields
}
