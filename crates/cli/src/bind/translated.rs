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
        let codecs = helpers::needed(codecs(package), &shown);
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
                    let get = codec(Get, elem);
                    lines.push(format!("{TRANSLATED}.PutAppend({call}, {at}, &{name}.dst, {size}, {align}, {get}, {set})"));
                }
                ty => lines.push(match wrapper::object_use(package, ty) {
                    Some(is_loan) => format!("{TRANSLATED}.PutObject({call}, {at}, unsafe.Pointer({name}), {is_loan})"),
                    None => stored(ty, &call, &at, name),
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
            .map(|result| format!("{}({call}, {call}.At({}))", codec(Get, &result.field.ty), result.field.offset))
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
fn stored(ty: &Type, call: &str, at: &str, value: &str) -> String {
    let get = |mutable: bool, elem: &Type| if mutable { codec(Get, elem) } else { "nil".into() };
    match ty {
        Type::Pointer { mutable, elem } => {
            let Layout { size, align } = elem.layout();
            // Pointers to elements that cannot be stored exist only in iterators. Rust writes the elements and does not read them.
            let has_put = is_direct(elem) || matches!(**elem, Type::Object { words: 1.., .. });
            let put = if has_put { codec(Put, elem) } else { "nil".into() };
            format!("{TRANSLATED}.PutPointer({call}, {at}, {value}, {size}, {align}, {put}, {})", get(*mutable, elem))
        }
        Type::Slice { mutable, elem } => {
            let Layout { size, align } = elem.layout();
            format!("{TRANSLATED}.PutSlice({call}, {at}, {value}, {size}, {align}, {}, {})", codec(Put, elem), get(*mutable, elem))
        }
        Type::Array { elem, .. } => {
            format!("{TRANSLATED}.PutElements({call}, {at}, {value}[:], {}, {})", elem.layout().size, codec(Put, elem))
        }
        ty => format!("{}({call}, {at}, {value})", codec(Put, ty)),
    }
}

/// Returns a Go expression for the codec of a type. The Go type of the value is the [`raw_type`].
fn codec(way: Way, ty: &Type) -> String {
    let parameters = format!("call *{TRANSLATED}.Call, at uint64");
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
            literal(&format!("{parameters}, v {raw}"), "", &[stored(ty, "call", "at", "v")])
        }
        Type::Array { elem, .. } => {
            let load = format!("{TRANSLATED}.GetElements(call, at, v[:], {}, {})", elem.layout().size, codec(Get, elem));
            literal(&parameters, &format!("(v {raw})"), &[load, "return v".to_owned()])
        }
        Type::Slice { elem, .. } => {
            let load = format!("return {TRANSLATED}.GetSlice[{}](call, at, {})", elem_type(elem), elem.layout().size);
            literal(&parameters, &raw, &[load])
        }
        Type::List { freed, elem } => {
            let (Layout { size, align }, rest) = (elem.layout(), if *freed { ", 0" } else { "" });
            let load = format!("p, n := {TRANSLATED}.GetList(call, at, {size}, {align}, {}, {freed})", codec(Get, elem));
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
fn codecs(package: &Package) -> Vec<Declaration> {
    let mut list = Vec::new();
    for (name, raw, load, rest) in [
        ("rust_get_text", "rust_owned", "GetText(call, at, true)", ", 0"),
        ("rust_get_borrowed_text", "rust_borrowed", "GetText(call, at, false)", ""),
        ("rust_get_failure", "rust_owned", "GetFailure(call, at)", ", 0"),
    ] {
        let body = format!("p, n := {TRANSLATED}.{load}\nreturn {raw}{{p, n{rest}}}");
        list.push(get(name, raw, &body));
    }
    for declared in &package.types {
        list.extend(of_declared(declared));
    }
    list
}

fn get(name: &str, raw: &str, body: &str) -> Declaration {
    func(name, &[("call", &format!("*{TRANSLATED}.Call")), ("at", "uint64")], raw, "", body)
}

fn put(name: &str, raw: &str, body: &str) -> Declaration {
    func(name, &[("call", &format!("*{TRANSLATED}.Call")), ("at", "uint64"), ("v", raw)], "", "", body)
}

fn of_declared(declared: &Declared) -> Vec<Declaration> {
    let name = &declared.decl.go_name;
    let raw = raw_type(&declared.ty);
    let load = |offset: u64, ty: &Type| format!("{}(call, at+{offset})", codec(Get, ty));
    match &declared.ty {
        Type::Struct { fields, .. } => {
            let sized = || fields.iter().filter(|field| field.ty.layout().size > 0);
            let lines: Vec<String> = sized().map(|field| format!("v.{} = {}", field.go_name, load(field.offset, &field.ty))).collect();
            let mut list = vec![get(&Get.of(name), &raw, &format!("var v {raw}\n{}\nreturn v", lines.join("\n")))];
            if is_direct(&declared.ty) {
                let store = |field: &rustgo_schema::Member| {
                    stored(&field.ty, "call", &format!("at+{}", field.offset), &format!("v.{}", field.go_name))
                };
                let lines: Vec<String> = sized().map(store).collect();
                list.push(put(&Put.of(name), &raw, &lines.join("\n")));
            }
            list
        }
        Type::Object { words: 1.., .. } => {
            let elements = |way: &str| format!("{TRANSLATED}.{way}Elements(call, at, v.rust_{name}[:], 8, {TRANSLATED}.{way}64[uint64])");
            vec![
                get(&Get.of(name), &raw, &format!("var v {raw}\n{}\nreturn v", elements("Get"))),
                put(&Put.of(name), &raw, &elements("Put")),
            ]
        }
        Type::Error { size: 5.., single, cases, .. } => {
            let mut lines = vec![format!("v := {raw}{{code: {TRANSLATED}.Get32[uint32](call, at)}}")];
            lines.extend(
                ["if v.code == 0 {", "\treturn v", "}", "v.text = rust_get_text(call, at+8)", "switch v.code {"].map(str::to_owned),
            );
            for (index, (case, fields)) in cases.iter().zip(raw_fields(*single, cases)).enumerate() {
                lines.push(format!("case {}:", index + 1));
                lines.extend(fields.iter().map(|field| format!("\tv.{} = {}", field.name, load(field.of.offset, &field.of.ty))));
                lines.extend(case.sources().map(|member| format!("\tv.{SOURCES} = rust_get_failure(call, at+{})", member.offset)));
            }
            lines.extend(["}".to_owned(), "return v".to_owned()]);
            vec![get(&Get.of(name), &raw, &lines.join("\n"))]
        }
        _ => Vec::new(),
    }
}
