//! Makes the bodies of raw functions for processors for which the package has no assembly. For these processors the package contains the *translated
//! crate*: WebAssembly, translated to Go. A body copies the arguments to the memory of the translated crate, calls the shim (the function that the
//! macro generates around an export), and copies the results back (`go/rt/translated`). The wrappers are the same as around assembly.
//!
//! A *codec* is a Go function that stores a value in the memory of the translated crate (`Put…`) or loads one (`Get…`).

use super::build::func;
use super::declare::{SOURCES, raw_fields};
use super::helpers;
use super::locals::Locals;
use super::wrapper;
use crate::api::{Declared, Function, Package, Role, elem_type, is_direct, raw_type};
use crate::gosrc::{self, Declaration, Func, Import, Value, Values};
use rustgo_schema::{Basic, Layout, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the file with the declarations of a translated crate.
pub const TRANSLATED_FILE: &str = "rustgo_other.go";
/// The names under which the file imports `rt/translated` and the translated crate.
const TRANSLATED: &str = "rustgo_translated";
const WASM: &str = "rustgo_wasm";
/// The variable with the translated crate.
const CRATE: &str = "rust_crate";
/// The constant with the marker.
const ORIGIN: &str = "rust_origin";

/// The translated crate, for the file with its declarations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The import path of the package that wasm2go has made.
    pub crate_path: String,
    /// The import path of `rt/translated`.
    pub runtime_path: String,
    /// The constraint under which Go builds the file.
    pub build: String,
    /// The indices of the shims in the module's table of functions, by the names of the raw functions.
    pub shims: BTreeMap<String, u64>,
    /// The marker of the translated code ([`crate::marker`]).
    pub marker: String,
}

impl Translated {
    pub fn imports(&self) -> Vec<Import> {
        let import = |path: &str, name: &str| Import { path: path.into(), name: Some(name.into()) };
        vec![import(&self.crate_path, WASM), import(&self.runtime_path, TRANSLATED)]
    }

    /// Gives bodies to the raw functions among the declarations. Leaves out the function that checks the layout of the memory that assembly shares
    /// with Go.
    pub fn applied(&self, package: &Package, declarations: Vec<Declaration>) -> Vec<Declaration> {
        let raw = |name: &str| package.functions.values().find(|function| function.symbol == name);
        let mut shown: Vec<Declaration> = Vec::new();
        for declaration in declarations {
            match declaration {
                Declaration::Func(func) if func.name == "_" => {}
                Declaration::Func(func) if func.body.is_none() => {
                    let func = Func { directives: Vec::new(), ..func };
                    let func = match raw(&func.name) {
                        Some(function) => self.with_body(package, function, func),
                        None => func,
                    };
                    shown.push(func.into());
                }
                declaration => shown.push(declaration),
            }
        }
        let value = vec![
            format!("{TRANSLATED}.New(func() {TRANSLATED}.Module {{"),
            format!("\t{TRANSLATED}.Keep({ORIGIN})"),
            format!("\treturn {WASM}.New()"),
            "})".to_owned(),
        ];
        let doc = format!("{ORIGIN} names the crates in this code, for rustgo audit: docs/trust.md.");
        let marker = vec![format!("{:?}", self.marker)];
        let values = vec![Value { doc, name: ORIGIN.into(), value: marker, ..Value::default() }];
        shown.push(Values { keyword: "const", values }.into());
        let doc = format!("{CRATE} is the Rust crate, translated to Go.");
        let values = vec![Value { doc, name: CRATE.into(), value, ..Value::default() }];
        shown.push(Values { keyword: "var", values }.into());
        let codecs = helpers::needed(codecs(package, &Names::of(package)), &shown);
        shown.extend(codecs);
        shown
    }

    /// Gives a body to the declaration of a raw function.
    fn with_body(&self, package: &Package, function: &Function, declared: Func) -> Func {
        let function = with_free_names(function);
        let Func { params, results, .. } = function.declare_raw();
        Func { body: Some(self.body(package, &function)), params, results, ..declared }
    }

    fn body(&self, package: &Package, function: &Function) -> Vec<String> {
        if function.role == Role::Release {
            // The function that frees the memory of results has nothing to do here, because translated raw functions copy results and free the memory
            // of the results at once.
            return Vec::new();
        }
        if matches!(function.role, Role::Drop | Role::End) {
            let mut lines = vec![format!("{CRATE}.Drop({}, func() {{", function.params[0].go.name)];
            lines.extend(self.call(package, function).iter().map(|line| format!("\t{line}")));
            lines.push("})".into());
            return lines;
        }
        self.call(package, function)
    }

    /// Returns the statements that call the function's shim.
    fn call(&self, package: &Package, function: &Function) -> Vec<String> {
        let names = Names::of(package);
        let mut locals = Locals::of(function);
        let call = locals.fresh("call");
        let shim = self.shims.get(&function.symbol).copied().unwrap_or_default();
        let keeps = function.makes_iterator();
        let mut lines = vec![format!("{call} := {CRATE}.Begin({shim}, {}, {keeps})", function.size), format!("defer {call}.End()")];
        for param in &function.params {
            let (name, at) = (&param.go.name, format!("{call}.At({})", param.field.offset));
            match &param.field.ty {
                Type::Append { elem } => {
                    let Layout { size, align } = elem.layout();
                    let [elems, length] = ["elems", "length"].map(|name| locals.fresh(name));
                    let stored = format!("{name}.spill = rust_owned{{{elems}, {length}, 0}}");
                    let set = literal(&format!("{elems} unsafe.Pointer, {length} uint"), "", &[stored]);
                    let get = codec(&names, Get, elem);
                    lines.push(format!("{TRANSLATED}.PutAppend({call}, {at}, &{name}.dst, {size}, {align}, {get}, {set})"));
                }
                ty => lines.push(match wrapper::object_use(package, ty) {
                    Some(is_loan) => format!("{TRANSLATED}.PutObject({call}, {at}, unsafe.Pointer({name}), {is_loan})"),
                    None => stored(&names, ty, &call, &at, name, function.role == Role::Next),
                }),
            }
        }
        lines.push(format!("{call}.Run({})", function.results_offset));
        if function.role == Role::End {
            lines.extend(function.params.first().map(|param| format!("{call}.Release({})", param.go.name)));
        }
        let mut results: Vec<String> = function
            .results
            .iter()
            .map(|result| format!("{}({call}, {call}.At({}))", codec(&names, Get, &result.field.ty), result.field.offset))
            .collect();
        // gofmt would indent the lines of several function literals in one list.
        if results.iter().filter(|result| result.contains('\n')).count() > 1 {
            for result in &mut results {
                let name = locals.fresh("result");
                lines.push(format!("{name} := {result}"));
                *result = name;
            }
        }
        if !results.is_empty() {
            lines.push(format!("return {}", results.join(", ")));
        }
        lines.iter().flat_map(|line| line.lines()).map(str::to_owned).collect()
    }
}

/// Renames the parameters and results that have the name of a type, or of the package of a type. The body mentions the types, and the name would hide
/// them there: `handle.Of[Task]` in a function with a parameter `handle`.
fn with_free_names(function: &Function) -> Function {
    let mut function = function.clone();
    let mut locals = Locals::of(&function);
    let all = || function.params.iter().chain(&function.results);
    let types = all().flat_map(|param| gosrc::words(&param.go.ty).chain(gosrc::words(&param.raw)));
    let types: BTreeSet<String> = types.map(str::to_owned).collect();
    for param in function.params.iter_mut().chain(&mut function.results).filter(|param| types.contains(&param.go.name)) {
        param.go.name = locals.fresh(&param.go.name);
    }
    function
}

/// The names of a codec's parameters and of the variable with the value. No type of the package has such a name, because the codec mentions types.
struct Names {
    call: String,
    at: String,
    value: String,
}

impl Names {
    fn of(package: &Package) -> Self {
        let is_type = |name: &str| package.types.iter().any(|declared| declared.decl.go_name == name);
        let free = |name: &str| {
            let mut name = name.to_owned();
            while is_type(&name) {
                name.push('_');
            }
            name
        };
        Self { call: free("call"), at: free("at"), value: free("v") }
    }
}

/// The direction of a codec.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Put,
    Get,
}
use Way::{Get, Put};

impl Way {
    fn name(self) -> &'static str {
        match self {
            Put => "Put",
            Get => "Get",
        }
    }

    /// Returns the name of the codec of a type that the package declares.
    fn of(self, name: &str) -> String {
        format!("rust_{}_{name}", self.name().to_lowercase())
    }
}

/// Returns a Go function literal.
fn literal(params: &str, results: &str, lines: &[String]) -> String {
    let body: String = lines.iter().flat_map(|line| line.lines()).map(|line| format!("\t{line}\n")).collect();
    let results = if results.is_empty() { String::new() } else { format!("{results} ") };
    format!("func({params}) {results}{{\n{body}}}")
}

/// Returns a Go statement that stores the value of a parameter, or of a part of a parameter.
///
/// If `is_fetched` is true, `ty` is a pointer to an item of an iterator, which Rust writes and does not read.
fn stored(names: &Names, ty: &Type, call: &str, at: &str, value: &str, is_fetched: bool) -> String {
    let get = |mutable: bool, elem: &Type| if mutable { codec(names, Get, elem) } else { "nil".into() };
    match ty {
        Type::Pointer { mutable, elem } => {
            let Layout { size, align } = elem.layout();
            let has_put = !is_fetched && (is_direct(elem) || matches!(**elem, Type::Object { words: 1.., .. }));
            let put = if has_put { codec(names, Put, elem) } else { "nil".into() };
            format!("{TRANSLATED}.PutPointer({call}, {at}, {value}, {size}, {align}, {put}, {})", get(*mutable, elem))
        }
        Type::Slice { mutable, elem } => {
            let Layout { size, align } = elem.layout();
            format!("{TRANSLATED}.PutSlice({call}, {at}, {value}, {size}, {align}, {}, {})", codec(names, Put, elem), get(*mutable, elem))
        }
        Type::Array { elem, .. } => {
            format!("{TRANSLATED}.PutElements({call}, {at}, {value}[:], {}, {})", elem.layout().size, codec(names, Put, elem))
        }
        ty => format!("{}({call}, {at}, {value})", codec(names, Put, ty)),
    }
}

/// Returns a Go expression for the codec of a type. The Go type of the value is the [`raw_type`].
fn codec(names: &Names, way: Way, ty: &Type) -> String {
    let Names { call, at, value } = names;
    let parameters = format!("{call} *{TRANSLATED}.Call, {at} uint64");
    let run = |function: &str| format!("{TRANSLATED}.{}{function}", way.name());
    let raw = raw_type(ty);
    match ty {
        Type::Basic(Basic::String) => run("String"),
        Type::Basic(basic) => format!("{}[{}]", run(of_basic(*basic)), basic.go_name()),
        Type::Enum { decl, base, .. } => match &**base {
            Type::Basic(basic) => format!("{}[{}]", run(of_basic(*basic)), decl.go_name),
            _ => run("String"),
        },
        Type::Handle { .. } => format!("{}[{raw}]", run("64")),
        Type::Address {} | Type::Object { words: 0, .. } => run("Address"),
        Type::Iterator { .. } => run("Iterator"),
        Type::Error { size: 4, .. } => format!("{}[uint32]", run("32")),
        Type::Object { decl, .. } | Type::Struct { decl, .. } | Type::Error { decl, .. } => way.of(&decl.go_name),
        Type::Text { freed: true } => "rust_get_text".into(),
        Type::Text { freed: false } => "rust_get_borrowed_text".into(),
        Type::Failure {} => "rust_get_failure".into(),
        Type::Array { .. } | Type::Pointer { .. } | Type::Slice { .. } if way == Put => {
            literal(&format!("{parameters}, {value} {raw}"), "", &[stored(names, ty, call, at, value, false)])
        }
        Type::Array { elem, .. } => {
            let load = format!("{TRANSLATED}.GetElements({call}, {at}, {value}[:], {}, {})", elem.layout().size, codec(names, Get, elem));
            literal(&parameters, &format!("({value} {raw})"), &[load, format!("return {value}")])
        }
        Type::Slice { elem, .. } => {
            let load = format!("return {TRANSLATED}.GetSlice[{}]({call}, {at}, {})", elem_type(elem), elem.layout().size);
            literal(&parameters, &raw, &[load])
        }
        Type::List { freed, elem } => {
            let (Layout { size, align }, rest) = (elem.layout(), if *freed { ", 0" } else { "" });
            let load = format!("p, n := {TRANSLATED}.GetList({call}, {at}, {size}, {align}, {}, {freed})", codec(names, Get, elem));
            literal(&parameters, &raw, &[load, format!("return {raw}{{p, n{rest}}}")])
        }
        // These types need no codec. Results are never pointers, an `Append` is never a part of another type, and `fallback::refuse` refuses the
        // others.
        Type::Pointer { .. } | Type::Append { .. } | Type::Func { .. } | Type::Interface { .. } | Type::Trait { .. } => String::new(),
    }
}

/// Returns the name of a basic type's codecs, without `Put` and `Get`.
fn of_basic(basic: Basic) -> &'static str {
    match basic {
        Basic::Bool => "Bool",
        Basic::Int8 | Basic::Uint8 => "8",
        Basic::Int16 | Basic::Uint16 => "16",
        Basic::Int32 | Basic::Uint32 | Basic::Rune => "32",
        Basic::Int64 | Basic::Uint64 => "64",
        Basic::Int => "Int",
        Basic::Uint => "Uint",
        Basic::Float32 => "Float32",
        Basic::Float64 => "Float64",
        Basic::String => "String",
    }
}

/// Lists the codecs of texts and of the types that the package declares.
fn codecs(package: &Package, names: &Names) -> Vec<Declaration> {
    let mut list = Vec::new();
    for (name, raw, load, last, rest) in [
        ("rust_get_text", "rust_owned", "GetText", ", true", ", 0"),
        ("rust_get_borrowed_text", "rust_borrowed", "GetText", ", false", ""),
        ("rust_get_failure", "rust_owned", "GetFailure", "", ", 0"),
    ] {
        let body = format!("p, n := {TRANSLATED}.{load}({}, {}{last})\nreturn {raw}{{p, n{rest}}}", names.call, names.at);
        list.push(get(names, name, raw, &body));
    }
    for declared in &package.types {
        list.extend(of_declared(names, declared));
    }
    list
}

fn get(names: &Names, name: &str, raw: &str, body: &str) -> Declaration {
    func(name, &[(&names.call, &format!("*{TRANSLATED}.Call")), (&names.at, "uint64")], raw, "", body)
}

fn put(names: &Names, name: &str, raw: &str, body: &str) -> Declaration {
    func(name, &[(&names.call, &format!("*{TRANSLATED}.Call")), (&names.at, "uint64"), (&names.value, raw)], "", "", body)
}

fn of_declared(names: &Names, declared: &Declared) -> Vec<Declaration> {
    let Names { call, at, value } = names;
    let name = &declared.decl.go_name;
    let raw = raw_type(&declared.ty);
    let load = |offset: u64, ty: &Type| format!("{}({call}, {at}+{offset})", codec(names, Get, ty));
    match &declared.ty {
        Type::Struct { fields, .. } => {
            let sized = || fields.iter().filter(|field| field.ty.layout().size > 0);
            let lines: Vec<String> =
                sized().map(|field| format!("{value}.{} = {}", field.go_name, load(field.offset, &field.ty))).collect();
            let mut list = vec![get(names, &Get.of(name), &raw, &format!("var {value} {raw}\n{}\nreturn {value}", lines.join("\n")))];
            if is_direct(&declared.ty) {
                let store = |field: &rustgo_schema::Member| {
                    stored(names, &field.ty, call, &format!("{at}+{}", field.offset), &format!("{value}.{}", field.go_name), false)
                };
                let lines: Vec<String> = sized().map(store).collect();
                list.push(put(names, &Put.of(name), &raw, &lines.join("\n")));
            }
            list
        }
        Type::Object { words: 1.., .. } => {
            let elements =
                |way: &str| format!("{TRANSLATED}.{way}Elements({call}, {at}, {value}.rust_{name}[:], 8, {TRANSLATED}.{way}64[uint64])");
            vec![
                get(names, &Get.of(name), &raw, &format!("var {value} {raw}\n{}\nreturn {value}", elements("Get"))),
                put(names, &Put.of(name), &raw, &elements("Put")),
            ]
        }
        Type::Error { size: 5.., single, cases, .. } => {
            let mut lines = vec![format!("{value} := {raw}{{code: {TRANSLATED}.Get32[uint32]({call}, {at})}}")];
            lines.extend([
                format!("if {value}.code == 0 {{"),
                format!("\treturn {value}"),
                "}".to_owned(),
                format!("{value}.text = rust_get_text({call}, {at}+8)"),
                format!("switch {value}.code {{"),
            ]);
            for (index, (case, fields)) in cases.iter().zip(raw_fields(*single, cases)).enumerate() {
                lines.push(format!("case {}:", index + 1));
                lines.extend(fields.iter().map(|field| format!("\t{value}.{} = {}", field.name, load(field.of.offset, &field.of.ty))));
                lines
                    .extend(case.sources().map(|member| format!("\t{value}.{SOURCES} = rust_get_failure({call}, {at}+{})", member.offset)));
            }
            lines.extend(["}".to_owned(), format!("return {value}")]);
            vec![get(names, &Get.of(name), &raw, &lines.join("\n"))]
        }
        _ => Vec::new(),
    }
}
