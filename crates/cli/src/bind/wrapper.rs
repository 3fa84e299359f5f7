//! Makes the bodies of Go wrappers: they mark objects as used, call the raw assembly function, and convert its results.

use super::convert::{RT, is_repeated, object, value};
use super::locals::Locals;
use super::{race_marks, task};
use crate::api::{Function, Package, Param, elem_type, go_type, is_direct, refers};
use crate::gosrc;
use rustgo_schema::{Basic, Type, object as bits};

/// Lists the results of a wrapper. If the function appends to a slice, the slice is the first result.
pub fn results(function: &Function) -> Vec<gosrc::Param> {
    let mut results: Vec<gosrc::Param> = function.results.iter().map(|result| result.go.clone()).collect();
    if let Some(appended) = appended(function) {
        let is_named = results.first().is_some_and(|result| !result.name.is_empty());
        let name = if is_named { Locals::of(function).fresh("out") } else { String::new() };
        results.insert(0, gosrc::Param { name, ty: go_type(&appended.field.ty) });
    }
    results
}

/// Returns the statements of a wrapper.
pub fn body(package: &Package, function: &Function) -> Vec<String> {
    let mut locals = Locals::of(function);
    let mut lines = Vec::new();
    if function.is_watched {
        lines.push(format!("defer {RT}.WatchCall().End()"));
    }
    lines.extend(race_marks::before(function, &mut locals));
    let locks = Locks::of(package, function, &mut locals);
    lines.extend(locks.begin.iter().cloned());
    lines.extend(race_marks::escapes(function));
    lines.extend(lenders(function).map(|name| format!("defer runtime.KeepAlive({name})")));
    let mut back = Vec::new();
    let mut after: Vec<String> = locks.done().collect();
    let append = appended(function).map(|param| (param, locals.fresh("a")));
    if let Some((param, name)) = &append {
        if let Type::Append { elem } = &param.field.ty {
            lines.push(format!("{name} := rust_append[{}]{{dst: {}}}", elem_type(elem), param.go.name));
            after.extend(race_marks::appended(elem, &param.go.name, &format!("{name}.dst"), &mut locals));
        }
        back.push(format!("rust_appended(&{name})"));
    }
    let mut call = call(function, &locks, append.as_ref().map(|(_, name)| name.as_str()));
    if task::lends_copies(package, function) {
        // Rust gets copies of the arguments. They must stay alive as long as the arguments.
        let alive = locals.fresh("alive");
        lines.push(format!("var {alive} unsafe.Pointer"));
        lines.push(format!("defer func() {{ runtime.KeepAlive({alive}) }}()"));
        call = format!("{}, &{alive})", call.strip_suffix(')').unwrap_or(&call));
    }
    let types: Vec<&Type> = function.results.iter().map(|result| &result.field.ty).collect();
    // True if no statement must run between the call and the return.
    let is_last = back.is_empty() && locks.is_empty();
    match types[..] {
        [] if !is_last => lines.extend([call].into_iter().chain(after)),
        [] => lines.push(call),
        // The wrapper calls `new` itself. If Go inlines the wrapper, the caller may then keep the object on its stack.
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

/// Lists the parameters whose memory must stay alive until Go has copied the result. A list in the Rust heap may refer to that memory, and the
/// garbage collector does not see references in the Rust heap. (Objects in the Rust heap are marked as used meanwhile, see [`Locks`].)
pub fn lenders(function: &Function) -> impl Iterator<Item = &str> {
    let leads = |ty: &Type| {
        matches!(ty, Type::Basic(Basic::String) | Type::Slice { .. } | Type::Text { freed: false } | Type::List { freed: false, .. })
    };
    let is_hidden = |ty: &Type| matches!(ty, Type::List { elem, .. } if elem.has(leads));
    let is_lent = function.results.iter().any(|result| result.field.ty.has(is_hidden));
    function.params.iter().filter(move |param| is_lent && refers(&param.field.ty)).map(|param| param.go.name.as_str())
}

/// Returns the name of the Go variable for a raw result.
fn name_of(ty: &Type, count: usize) -> &'static str {
    match ty {
        Type::Failure {} | Type::Error { .. } => "failure",
        Type::Basic(Basic::Bool) if count > 1 => "ok",
        _ => "value",
    }
}

/// Returns the Go call of the raw assembly function. `append` is the Go variable with the slice to append to.
pub fn call(function: &Function, locks: &Locks, append: Option<&str>) -> String {
    let given = |param: &Param| match &param.field.ty {
        Type::Append { .. } => format!("&{}", append.unwrap_or(&param.go.name)),
        Type::Object { words: 1.., .. } => format!("*{}", param.go.name),
        _ => locks.passed(&param.go.name).unwrap_or(&param.go.name).to_owned(),
    };
    let given: Vec<String> = function.params.iter().map(given).collect();
    format!("{}({})", function.symbol, given.join(", "))
}

fn appended(function: &Function) -> Option<&Param> {
    function.params.iter().find(|param| matches!(param.field.ty, Type::Append { .. }))
}

/// The marks that show that a call uses objects of the Rust heap. The wrapper sets them before the call and removes them after the call.
pub struct Locks {
    pub begin: Vec<String>,
    uses: Vec<Use>,
}

/// The mark on one object: a Go variable with methods that the wrapper calls when Rust code begins and when it returns.
struct Use {
    variable: String,
    /// The name of the parameter that refers to the object.
    given: String,
    /// True if the parameter may be nil. The wrapper sets the variable only if the parameter is not nil.
    is_nilable: bool,
    /// If Rust itself marks the object, the argument that the wrapper passes instead of the parameter.
    passed: Option<String>,
    /// True if a panic during the call breaks the object, even if the panic unwinds. Later calls refuse a broken object.
    breaks: bool,
}

impl Locks {
    /// Returns the marks on the objects that a call of `function` uses, in the order of the parameters.
    pub fn of(package: &Package, function: &Function, locals: &mut Locals) -> Locks {
        let mut locks = Locks { begin: Vec::new(), uses: Vec::new() };
        for (index, param) in function.params.iter().enumerate() {
            let Some((decl, UseKind { begins, kind, is_handed, breaks })) = use_kind(package, &param.field.ty) else { continue };
            let is_nilable = index < 64 && function.nilable >> index & 1 != 0;
            let given = param.go.name.clone();
            let variable = locals.fresh("u");
            let call = format!("{RT}.{begins}({}, {:?}, {:?})", object(&given), function.shown(), decl.go_name);
            let address = is_handed.then(|| format!("(*{})(unsafe.Pointer(&{variable}))", decl.go_name));
            let named = if is_handed { format!("{:?}", function.shown()) } else { String::new() };
            let end = format!("defer {variable}.Release({named})");
            let passed = if is_nilable {
                let passed = address.as_ref().map(|_| locals.fresh("lent"));
                locks.begin.push(format!("var {variable} {RT}.{kind}"));
                locks.begin.extend(passed.iter().map(|passed| format!("var {passed} *{}", decl.go_name)));
                locks.begin.push(format!("if {given} != nil {{"));
                locks.begin.extend([format!("\t{variable} = {call}"), format!("\t{end}")]);
                locks.begin.extend(passed.iter().zip(&address).map(|(passed, address)| format!("\t{passed} = {address}")));
                locks.begin.push("}".to_owned());
                passed
            } else {
                locks.begin.extend([format!("{variable} := {call}"), end]);
                address
            };
            locks.uses.push(Use { variable, given, is_nilable, passed, breaks });
        }
        locks
    }

    /// Returns the argument that the wrapper passes instead of a parameter.
    fn passed(&self, given: &str) -> Option<&str> {
        self.uses.iter().find(|used| used.given == given)?.passed.as_deref()
    }

    pub fn is_empty(&self) -> bool {
        self.uses.is_empty()
    }

    /// Lists the statements before a step or the end of an iterator. They record in each mark that Rust code uses the object. In other calls Rust
    /// records this itself.
    pub fn run(&self) -> impl Iterator<Item = String> {
        self.call_method("Run")
    }

    /// Lists the statements after the call.
    pub fn done(&self) -> impl Iterator<Item = String> {
        self.call_method("Returned")
    }

    /// Lists the statements that run after a panic has unwound a step of an iterator. They mark as broken the objects that the step may have changed.
    pub fn unwound(&self) -> impl Iterator<Item = String> {
        self.call(|used| used.breaks, "Unwound")
    }

    fn call_method(&self, name: &str) -> impl Iterator<Item = String> {
        self.call(|_| true, name)
    }

    fn call(&self, which: impl Fn(&Use) -> bool, name: &str) -> impl Iterator<Item = String> {
        self.uses.iter().filter(move |used| which(used)).flat_map(move |used| match used.is_nilable {
            false => vec![format!("{}.{name}()", used.variable)],
            true => vec![format!("if {} != nil {{", used.given), format!("\t{}.{name}()", used.variable), "}".to_owned()],
        })
    }
}

/// The way in which the Go package `rt` marks an object as used.
struct UseKind {
    /// The Go function that marks the object.
    begins: &'static str,
    /// The Go type of the mark.
    kind: &'static str,
    /// True if the wrapper passes the mark instead of the object, and Rust marks the object itself.
    is_handed: bool,
    /// True if a panic during the use breaks the object, even if the panic unwinds.
    breaks: bool,
}

const LEND: UseKind = UseKind { begins: "Lend", kind: "Loan", is_handed: true, breaks: false };
const SHARE: UseKind = UseKind { begins: "Share", kind: "SharedUse", is_handed: true, breaks: false };
const EXCLUSIVE: UseKind = UseKind { begins: "Exclusive", kind: "ExclusiveUse", is_handed: false, breaks: true };

/// Returns true if a wrapper passes the mark on an object's use instead of the object, false if it passes the object. None if the parameter is not an
/// object in the Rust heap.
pub fn object_use(package: &Package, ty: &Type) -> Option<bool> {
    use_kind(package, ty).map(|(_, kind)| kind.is_handed)
}

/// Returns how a wrapper marks the parameter as used. None if the parameter is not an object in the Rust heap.
fn use_kind<'a>(package: &Package, ty: &'a Type) -> Option<(&'a rustgo_schema::Decl, UseKind)> {
    let (mutable, object, is_taken) = match ty {
        Type::Pointer { mutable, elem } => (*mutable, &**elem, false),
        ty => (false, ty, true),
    };
    let Type::Object { decl, words: 0, flags, .. } = object else { return None };
    let is_locked = package.type_of(&decl.rust_path).is_some_and(|declared| declared.locked);
    let is_exclusive = is_taken || mutable || flags & bits::EXCLUSIVE != 0;
    let how = match (is_locked, is_exclusive) {
        (false, _) => LEND,
        (true, true) => UseKind { breaks: flags & bits::UNWIND_SAFE == 0, ..EXCLUSIVE },
        (true, false) => SHARE,
    };
    Some((decl, how))
}
