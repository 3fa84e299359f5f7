//! The Go functions around raw ones: they lock objects, call, and convert the results.

use super::convert::{RT, is_repeated, object, value};
use super::locals::Locals;
use super::marks;
use crate::api::{Function, Package, Param, elem_type, go_type, is_direct};
use crate::gosrc;
use rustgo_schema::{Basic, Type, object as bits};

/// The results of a wrapper: what was appended to is the first.
pub fn results(function: &Function) -> Vec<gosrc::Param> {
    let mut results: Vec<gosrc::Param> = function.results.iter().map(|result| result.go.clone()).collect();
    if let Some(appended) = appended(function) {
        let is_named = results.first().is_some_and(|result| !result.name.is_empty());
        let name = if is_named { Locals::of(function).fresh("out") } else { String::new() };
        results.insert(0, gosrc::Param { name, ty: go_type(&appended.field.ty) });
    }
    results
}

/// The statements of a wrapper.
pub fn body(package: &Package, function: &Function) -> Vec<String> {
    let mut locals = Locals::of(function);
    let mut lines = Vec::new();
    if function.is_watched {
        lines.push(format!("defer {RT}.WatchCall().End()"));
    }
    lines.extend(marks::before(function, &mut locals));
    let locks = Locks::of(package, function, &mut locals);
    lines.extend(locks.begin.iter().cloned());
    lines.extend(lenders(function).map(|name| format!("defer runtime.KeepAlive({name})")));
    let mut back = Vec::new();
    let mut after: Vec<String> = locks.done().collect();
    let append = appended(function).map(|param| (param, locals.fresh("a")));
    if let Some((param, name)) = &append {
        if let Type::Append { elem } = &param.field.ty {
            lines.push(format!("{name} := rust_append[{}]{{dst: {}}}", elem_type(elem), param.go.name));
            after.extend(marks::appended(elem, &param.go.name, &format!("{name}.dst"), &mut locals));
        }
        back.push(format!("rust_appended(&{name})"));
    }
    let call = call(function, append.as_ref().map(|(_, name)| name.as_str()));
    let types: Vec<&Type> = function.results.iter().map(|result| &result.field.ty).collect();
    // Nothing needs to be done between the call and the return.
    let is_last = back.is_empty() && locks.exclusive.is_empty();
    match types[..] {
        [] if !is_last => lines.extend([call].into_iter().chain(after)),
        [] => lines.push(call),
        // With `new` instead of a function for it, callers into whom it is inlined may keep the object on their stacks.
        [Type::Object { decl, words: 1.., .. }] if is_last => {
            let name = locals.fresh("x");
            lines.extend([format!("{name} := new({})", decl.go_name), format!("*{name} = {call}"), format!("return {name}")]);
            return lines;
        }
        [ty] if is_last && !is_repeated(ty) => back.push(value(ty, &call)),
        _ if is_last && types.iter().all(|ty| is_direct(ty)) => back.push(call),
        _ => {
            let names: Vec<String> = types.iter().map(|ty| locals.fresh(name_of(ty, types.len()))).collect();
            lines.push(format!("{} := {call}", names.join(", ")));
            lines.extend(after);
            back.extend(types.iter().zip(&names).map(|(ty, name)| value(ty, name)));
        }
    }
    if !back.is_empty() {
        lines.push(format!("return {}", back.join(", ")));
    }
    lines
}

/// The objects from which a result may be copied after the call: the collector must not drop them before that.
fn lenders(function: &Function) -> impl Iterator<Item = &str> {
    let is_shared = |ty: &Type| matches!(ty, Type::Text { freed: false } | Type::List { freed: false, .. });
    let lends = function.results.iter().any(|result| result.field.ty.has(is_shared));
    let is_object = |ty: &Type| matches!(ty, Type::Object { .. });
    function.params.iter().filter(move |param| lends && param.field.ty.has(is_object)).map(|param| param.go.name.as_str())
}

/// What a raw result is called.
fn name_of(ty: &Type, count: usize) -> &'static str {
    match ty {
        Type::Failure {} | Type::Error { .. } => "failure",
        Type::Basic(Basic::Bool) if count > 1 => "ok",
        _ => "value",
    }
}

/// The call of the raw function. `append` is the variable for what is appended to.
pub fn call(function: &Function, append: Option<&str>) -> String {
    let given = |param: &Param| match &param.field.ty {
        Type::Append { .. } => format!("&{}", append.unwrap_or(&param.go.name)),
        Type::Object { words: 1.., .. } => format!("*{}", param.go.name),
        _ => param.go.name.clone(),
    };
    let given: Vec<String> = function.params.iter().map(given).collect();
    format!("{}({})", function.symbol, given.join(", "))
}

fn appended(function: &Function) -> Option<&Param> {
    function.params.iter().find(|param| matches!(param.field.ty, Type::Append { .. }))
}

/// The uses of objects that a call begins and ends.
pub struct Locks {
    pub begin: Vec<String>,
    /// The variables of those uses that must be told when Rust runs, each with the parameter if that may be nil.
    pub exclusive: Vec<(String, Option<String>)>,
}

impl Locks {
    /// In the order of the parameters.
    pub fn of(package: &Package, function: &Function, locals: &mut Locals) -> Locks {
        let mut locks = Locks { begin: Vec::new(), exclusive: Vec::new() };
        for (index, param) in function.params.iter().enumerate() {
            let Some((decl, how)) = how(package, &param.field.ty) else { continue };
            let is_nilable = index < 64 && function.nilable >> index & 1 != 0;
            let object = format!("{}, {:?}, {:?}", object(&param.go.name), function.shown(), decl.go_name);
            let given = &param.go.name;
            let checked = |lines: &[String]| {
                let inside = lines.iter().map(|line| format!("\t{line}"));
                [format!("if {given} != nil {{")].into_iter().chain(inside).chain(["}".to_owned()]).collect::<Vec<String>>()
            };
            match (how, is_nilable) {
                ("Share", false) => locks.begin.push(format!("defer {RT}.{how}({object}).End()")),
                ("Share", true) => locks.begin.extend(checked(&[format!("defer {RT}.{how}({object}).End()")])),
                (_, false) => {
                    let name = locals.fresh("u");
                    locks.begin.extend([format!("{name} := {RT}.{how}({object})"), format!("defer {name}.End()")]);
                    locks.exclusive.push((name, None));
                }
                (_, true) => {
                    let name = locals.fresh("u");
                    locks.begin.push(format!("var {name} {RT}.ExclusiveUse"));
                    locks.begin.extend(checked(&[format!("{name} = {RT}.{how}({object})"), format!("defer {name}.End()")]));
                    locks.exclusive.push((name, Some(given.clone())));
                }
            }
        }
        locks
    }

    /// Before Rust runs that does not tell so itself.
    pub fn run(&self) -> impl Iterator<Item = String> {
        self.told("Run")
    }

    /// When it came back.
    pub fn done(&self) -> impl Iterator<Item = String> {
        self.told("Done")
    }

    fn told(&self, what: &str) -> impl Iterator<Item = String> {
        self.exclusive.iter().flat_map(move |(name, nilable)| match nilable {
            None => vec![format!("{name}.{what}()")],
            Some(given) => vec![format!("if {given} != nil {{"), format!("\t{name}.{what}()"), "}".to_owned()],
        })
    }
}

/// The function of `rt` by which a call begins to use a parameter, if it is an object that is locked.
fn how<'a>(package: &Package, ty: &'a Type) -> Option<(&'a rustgo_schema::Decl, &'static str)> {
    let (mutable, object, is_taken) = match ty {
        Type::Pointer { mutable, elem } => (*mutable, &**elem, false),
        ty => (false, ty, true),
    };
    let Type::Object { decl, words: 0, flags, .. } = object else { return None };
    let is_locked = package.type_of(&decl.rust_path).is_some_and(|declared| declared.locked);
    let is_exclusive = is_taken || mutable || flags & bits::EXCLUSIVE != 0;
    let how = if is_exclusive { "Exclusive" } else { "Share" };
    is_locked.then_some((decl, how))
}
