//! Makes the Go function that runs an export as a task: on a stack of its own, which `rt` provides.

use super::build::func;
use super::convert::{RT, object, value};
use super::locals::Locals;
use super::race_marks::{self, indented};
use crate::abi::TASK_BODY;
use crate::api::{Function, Package, Param, Role, elem_type, go_type, raw_type};
use crate::gosrc::{self, Declaration, Func, Value, Values};
use crate::load;
use rustgo_schema::{Basic, Decl, Method, Type};
use std::collections::BTreeMap;

/// Returns two declarations: a variable that describes the Rust code (the assembly file sets it), and the Go function that wrappers call. Without
/// `task`, this function would be an assembly function with the same name and types. (A step of an iterator has one more parameter, the reserved
/// task.) The Go function passes arguments and results in a struct with the layout of Go's argument area.
pub fn declare(package: &Package, function: &Function) -> Vec<Declaration> {
    let raw = function.declare_raw();
    let (body, variable) = described(function);
    let calls_go = function.calls_go() || package.keeps_go();
    let mut locals = Locals::of(function);
    let [frame, reserved] = ["frame", "reserved"].map(|name| locals.fresh(name));
    let argument = |index: usize| format!("a{index}");
    let result = |index: usize| format!("r{index}");
    let names = Names::of(&mut locals);
    let called = called(function, &names, &mut locals);
    let is_step = is_step(function) && !package.no_threads;
    // A step of an iterator needs no copies. It writes only to arrays of the wrapper, which no other Go code can reach, and the iterator refers to no
    // Go memory except texts, which Go code cannot change.
    let is_copied = calls_go && !is_step;
    let copies = if is_copied { copies(function, &mut locals) } else { Copies::default() };
    let alive = lends_copies(package, function).then(|| locals.fresh("alive"));
    let numbers = called.iter().map(|called| (called.index, called.number.clone()));
    let instead: BTreeMap<usize, String> = numbers.chain(copies.instead).collect();
    let is_number = |index: usize| called.iter().any(|called| called.index == index);
    // A field of type [0]uint64 aligns the next field to 8 bytes. Arguments and results begin at a multiple of 8.
    let word = || ("_".to_owned(), "[0]uint64".to_owned());
    let mut fields = vec![word()];
    fields.extend(
        raw.params
            .iter()
            .enumerate()
            .map(|(index, param)| (argument(index), if is_number(index) { "uintptr".to_owned() } else { param.ty.clone() })),
    );
    fields.push(word());
    fields.extend(raw.results.iter().enumerate().map(|(index, param)| (result(index), param.ty.clone())));
    let given = |(index, param): (usize, &gosrc::Param)| format!("{}: {}", argument(index), instead.get(&index).unwrap_or(&param.name));
    let given: Vec<String> = raw.params.iter().enumerate().map(given).collect();
    let mut lines: Vec<String> = called.iter().flat_map(|called| called.numbered.clone()).collect();
    lines.extend(copies.lines);
    lines.push(format!("{frame} := struct {{"));
    lines.extend(columns(&fields, "\t"));
    lines.push(format!("}}{{{}}}", given.join(", ")));
    let arguments = if raw.params.is_empty() { "nil".to_owned() } else { format!("unsafe.Pointer(&{frame})") };
    let results = if raw.results.is_empty() { "nil".to_owned() } else { format!("unsafe.Pointer(&{frame}.r0)") };
    let is_empty = raw.params.is_empty() && raw.results.is_empty();
    if (race_marks::keeps(function) || calls_go || is_step) && !is_empty {
        // Make Go allocate the struct in the heap, and with it the memory that the parameters refer to. This is necessary if results may refer to
        // that memory, or if the goroutine's stack may move during the call: while Rust calls a Go function, or while a step waits for a lock.
        lines.push(format!("{RT}.Escape(unsafe.Pointer(&{frame}))"));
    }
    lines.extend(alive.iter().map(|alive| format!("*{alive} = unsafe.Pointer(&{frame})")));
    if is_empty {
        // The struct has no fields, so no variable is declared for it.
        lines.clear();
    }
    let call = format!("&{body}, {}, {arguments}, {results}", function.task.unwrap_or_default());
    lines.extend(match (calls_go, called.iter().any(|called| !called.lines.is_empty())) {
        _ if package.no_threads => vec![format!("{THREAD}.Run(&{body}, {arguments}, {results})")],
        _ if is_step => vec![format!("{RT}.RunReserved({reserved}, &{body}, {arguments}, {results})")],
        (false, _) => vec![format!("{RT}.RunTask({call})")],
        (true, false) => vec![format!("{RT}.RunTaskWith({call}, nil)")],
        (true, true) => calls(&call, &called, &names, &mut locals),
    });
    if !raw.results.is_empty() {
        let results: Vec<String> = (0..raw.results.len()).map(|index| format!("{frame}.{}", result(index))).collect();
        lines.push(format!("return {}", results.join(", ")));
    }
    let mut params = raw.params;
    if let Some(alive) = alive {
        params.push(gosrc::Param { name: alive, ty: "*unsafe.Pointer".into() });
    }
    if is_step {
        params.push(gosrc::Param { name: reserved, ty: "unsafe.Pointer".into() });
    }
    vec![variable, Func { body: Some(lines), params, ..raw }.into()]
}

/// True if the results may be lists in the Rust heap that refer to copies of the arguments (see [`copies`]). The garbage collector does not see these
/// references. So the function that [`declare`] returns has one more parameter, a pointer through which it returns its struct. The wrapper keeps the
/// struct, and so the copies, alive until Go has copied the lists.
pub fn lends_copies(package: &Package, function: &Function) -> bool {
    let is_copied = function.task.is_some() && !is_step(function) && (function.calls_go() || package.keeps_go());
    is_copied && super::wrapper::lenders(function).next().is_some()
}

/// The variable of a package whose Rust code cannot start threads. It holds an `rt.Thread`, which runs all calls, one after the other.
const THREAD: &str = "rust_thread";

/// Returns the declaration of the variable [`THREAD`]; `None` for a package whose Rust code may start threads.
pub fn thread(package: &Package) -> Option<Declaration> {
    let stack = package.functions.values().filter_map(|function| function.task).max().filter(|_| package.no_threads)?;
    let doc = format!("{THREAD} runs all calls of the package's Rust code, one after the other.");
    let variable = Value { doc, name: THREAD.to_owned(), value: vec![format!("{RT}.NewThread({stack})")], ..Value::default() };
    Some(Values { keyword: "var", values: vec![variable] }.into())
}

/// True for a step or the end of an iterator, which run on a task that the loop has reserved.
fn is_step(function: &Function) -> bool {
    matches!(function.role, Role::Next | Role::End)
}

/// Returns the name and the declaration of the variable that describes the Rust code.
fn described(function: &Function) -> (String, Declaration) {
    let body = format!("{}{TASK_BODY}", function.symbol);
    let doc = format!("{body} describes the Rust code. The assembly file sets it.");
    let variable = Value { doc, name: body.clone(), ty: format!("{RT}.Body"), ..Value::default() };
    (body, Values { keyword: "var", values: vec![variable] }.into())
}

/// Returns the variable that describes a destructor's code, and the variable with the destructor. `function` is the destructor. `stack` is the size
/// of its stack in bytes.
pub fn destructor(package: &Package, function: &Function, stack: u64) -> Vec<Declaration> {
    let (body, variable) = described(function);
    let name = function.symbol.clone();
    let (what, made) = match package.no_threads {
        true => ("", format!("{RT}.NewThreadDrop({THREAD}, &{body})")),
        false => (" It may call Go.", format!("{RT}.NewDropTask(&{body}, {stack})")),
    };
    let doc = format!("{name} is the destructor.{what}");
    let made = Value { doc, name, value: vec![made], ..Value::default() };
    vec![variable, Values { keyword: "var", values: vec![made] }.into()]
}

/// Copies of the memory that an export borrows. Rust gets the copies, because Go functions that Rust calls could write to the originals while Rust
/// has references to them.
#[derive(Default)]
struct Copies {
    /// The statements that make the copies, and that copy back what Rust has written.
    lines: Vec<String>,
    /// The copied parameters: the index of each, and the variable with the copy.
    instead: Vec<(usize, String)>,
}

/// Copies the memory to which slices and pointers to values refer, but not the bytes of texts, because Go code cannot change a string.
///
/// If Rust may write to the memory of one parameter and another parameter overlaps this memory, the shim must panic. (The shim is the Rust function
/// that the macro generates around the export.) Copies never overlap, so from copies the shim would not notice that the originals overlap. Therefore
/// the generated code first compares the originals. If they overlap, the generated code passes the originals and no copies, and the shim panics
/// before it calls Go.
fn copies(function: &Function, locals: &mut Locals) -> Copies {
    let mut made = Copies::default();
    let mut back = Vec::new();
    let list = locals.fresh("areas");
    let areas = areas(function, &list);
    // If no overlap is possible, the copies need no condition, so the statement that makes a copy also declares the variable.
    let checks = areas.len() > 1 && written(function).next().is_some();
    let sets = if checks { "=" } else { ":=" };
    for (index, param) in function.params.iter().enumerate() {
        let name = &param.go.name;
        let copy = |elem: &Type, of: &str| format!("append([]{}(nil), {of}...)", elem_type(elem));
        let (variable, lines) = match &param.field.ty {
            Type::Slice { elem, mutable } => {
                let variable = locals.fresh("copied");
                let lines = match &**elem {
                    Type::Slice { elem: inner, .. } => {
                        let index = locals.fresh("i");
                        vec![
                            format!("{variable} {sets} make([]{}, len({name}))", elem_type(elem)),
                            format!("for {index} := range {name} {{"),
                            format!("\t{variable}[{index}] = {}", copy(inner, &format!("{name}[{index}]"))),
                            "}".to_owned(),
                        ]
                    }
                    elem => vec![format!("{variable} {sets} {}", copy(elem, name))],
                };
                if *mutable {
                    back.push(format!("copy({name}, {variable})"));
                }
                (variable, lines)
            }
            Type::Pointer { elem, mutable } if !matches!(**elem, Type::Object { .. }) => {
                let [variable, value] = ["copied", "value"].map(|name| locals.fresh(name));
                let declared = if checks { Vec::new() } else { vec![format!("{variable} := {name}")] };
                let lines =
                    [format!("if {name} != nil {{"), format!("\t{value} := *{name}"), format!("\t{variable} = &{value}"), "}".to_owned()];
                if *mutable {
                    back.extend([format!("if {name} != nil {{"), format!("\t*{name} = *{variable}"), "}".to_owned()]);
                }
                (variable, declared.into_iter().chain(lines).collect())
            }
            _ => continue,
        };
        made.instead.push((index, variable));
        made.lines.extend(lines);
    }
    if !back.is_empty() {
        // The copying back is deferred, because a panic may end the call after Rust has written.
        made.lines.extend(["defer func() {".to_owned()].into_iter().chain(indented(back)).chain(["}()".to_owned()]));
    }
    if checks && !made.instead.is_empty() {
        let names: Vec<&str> = made.instead.iter().map(|(index, _)| function.params[*index].go.name.as_str()).collect();
        let variables: Vec<&str> = made.instead.iter().map(|(_, variable)| variable.as_str()).collect();
        let declared = format!("{} := {}", variables.join(", "), names.join(", "));
        let begin = std::iter::once(declared).chain(areas).chain([format!("if !{RT}.Overlap({list}) {{")]);
        made.lines = begin.chain(indented(made.lines)).chain(["}".to_owned()]).collect();
    }
    made
}

/// Lists the statements that make `list`, a variable with the memory areas that the parameters refer to.
fn areas(function: &Function, list: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for param in &function.params {
        let name = &param.go.name;
        let before = if lines.is_empty() { "nil" } else { list };
        let area = match &param.field.ty {
            Type::Basic(Basic::String) => format!("WithText({before}, {name})"),
            Type::Slice { elem, .. } if matches!(**elem, Type::Basic(Basic::String)) => format!("WithTexts({before}, {name})"),
            Type::Slice { elem, .. } if matches!(**elem, Type::Slice { .. }) => format!("WithSlices({before}, {name})"),
            Type::Slice { mutable, .. } => format!("WithSlice({before}, {name}, {mutable})"),
            Type::Pointer { elem, mutable } if !matches!(**elem, Type::Object { .. }) => format!("WithValue({before}, {name}, {mutable})"),
            Type::Append { .. } => format!("WithSpare({before}, {name}.dst)"),
            _ => continue,
        };
        let sets = if lines.is_empty() { ":=" } else { "=" };
        lines.push(format!("{list} {sets} {RT}.{area}"));
    }
    lines
}

/// Lists the parameters through which Rust writes to Go memory that is not an object.
pub fn written(function: &Function) -> impl Iterator<Item = &Param> {
    function.params.iter().filter(|param| load::is_written(&param.field.ty))
}

/// A parameter that Rust may call.
struct Called {
    /// The index of the parameter.
    index: usize,
    /// The name of the variable with the number by which Rust calls the parameter.
    number: String,
    /// The statements that set the variable.
    numbered: Vec<String>,
    /// The parameter's number among the parameters that Rust may call only during this call, from 1. 0 if `rt` keeps the parameter and gives it a
    /// number.
    count: usize,
    /// The statements that call the parameter. Empty if `count` is 0.
    lines: Vec<String>,
}

/// The maximum number of results of a Go function that Rust calls.
const MOST_RESULTS: usize = 5;

/// The names of the variables in the function literals that call Go.
struct Names {
    /// Variables for the results of a Go function, by index. Only texts, slices and objects need one: Rust reads them in another form than Go's.
    answers: Vec<String>,
    arguments: String,
    result: String,
    given: String,
    answer: String,
    failure: String,
}

impl Names {
    fn of(locals: &mut Locals) -> Names {
        let [arguments, result, given, answer, failure] =
            ["arguments", "result", "given", "answer", "failure"].map(|name| locals.fresh(name));
        let answers = (1..=MOST_RESULTS).map(|index| locals.fresh(&format!("answer{index}"))).collect();
        Names { arguments, result, given, answer, failure, answers }
    }
}

/// Lists the parameters that Rust may call.
fn called(function: &Function, names: &Names, locals: &mut Locals) -> Vec<Called> {
    let mut count = 0;
    let mut list = Vec::new();
    for (index, param) in function.params.iter().enumerate().filter(|(_, param)| param.is_called()) {
        let number = locals.fresh("number");
        let name = &param.go.name;
        let mut called =
            Called { index, number: number.clone(), numbered: vec![format!("var {number} uintptr")], count: 0, lines: Vec::new() };
        let mut set = Vec::new();
        let mut keep = |literal: Vec<String>| {
            let kept = locals.fresh("kept");
            let mut lines = literal;
            if let Some(first) = lines.first_mut() {
                *first = format!("{kept} := {RT}.Keep({first}");
            }
            if let Some(last) = lines.last_mut() {
                last.push(')');
            }
            lines.extend([format!("defer {kept}.Untaken()"), format!("{number} = {kept}.Number")]);
            lines
        };
        match &param.field.ty {
            Type::Func { kept: true, params, results } => {
                let mut literal = vec![format!("func({}, {} unsafe.Pointer) unsafe.Pointer {{", names.arguments, names.result)];
                literal.extend(call(name, params, results, names, None).into_iter().map(|line| format!("\t{line}")));
                literal.push("}".to_owned());
                set = keep(literal);
            }
            Type::Trait { kept: true, decl, .. } => {
                set = keep(vec![
                    format!("func({}, {} unsafe.Pointer) unsafe.Pointer {{", names.arguments, names.result),
                    format!("\treturn {}({name}, {}, {})", of_interface(decl), names.arguments, names.result),
                    "}".to_owned(),
                ]);
            }
            Type::Interface { kept: true, .. } => set = keep(vec![format!("(&{RT}.Stream{{Of: {name}}}).Call")]),
            Type::Interface { name: of, .. } if of == "context.Context" => {
                let end = locals.fresh("end");
                set.push(format!("var {end} func()"));
                set.push(format!("{number}, {end} = {RT}.KeepContext({name})"));
                set.push(format!("defer {end}()"));
            }
            ty => {
                count += 1;
                called.count = count;
                set.push(format!("{number} = {count}"));
                called.lines = match ty {
                    Type::Func { params, results, .. } => call(name, params, results, names, None),
                    Type::Trait { decl, .. } => {
                        vec![format!("return {}({name}, {}, {})", of_interface(decl), names.arguments, names.result)]
                    }
                    _ => {
                        let stream = locals.fresh("stream");
                        called.numbered.insert(0, format!("{stream} := {RT}.Stream{{Of: {name}}}"));
                        vec![format!("return {stream}.Call({}, {})", names.arguments, names.result)]
                    }
                };
            }
        }
        called.numbered.push(format!("if {name} != nil {{"));
        called.numbered.extend(set.into_iter().map(|line| format!("\t{line}")));
        called.numbered.push("}".to_owned());
        list.push(called);
    }
    list
}

/// Returns the call of `rt` that runs the task. The last argument is a function literal, with which Rust calls the Go functions of the parameters.
/// The literal gets the number of a parameter, and pointers to two structs in Rust's memory: one with the arguments, one for the result.
fn calls(call: &str, called: &[Called], names: &Names, locals: &mut Locals) -> Vec<String> {
    let number = locals.fresh("n");
    let mut lines = vec![
        format!("{RT}.RunTaskWith({call}, func({number} uintptr, {}, {} unsafe.Pointer) unsafe.Pointer {{", names.arguments, names.result),
        format!("\tswitch {number} {{"),
    ];
    for called in called.iter().filter(|called| called.count != 0) {
        lines.push(format!("\tcase {}:", called.count));
        lines.extend(called.lines.iter().map(|line| format!("\t\t{line}")));
    }
    lines.extend(["\t}".to_owned(), "\treturn nil".to_owned(), "})".to_owned()]);
    lines
}

/// Returns the name of the Go function by which Rust calls the methods of an interface.
fn of_interface(decl: &Decl) -> String {
    format!("rust_{}_call", decl.go_name)
}

/// Makes the Go function by which Rust calls the methods of an interface. The arguments begin with the index of the method.
pub fn methods(decl: &Decl, methods: &[Method]) -> Declaration {
    let types = methods.iter().flat_map(|method| method.params.iter().chain(&method.results));
    let mut mentioned: Vec<String> = types.flat_map(|ty| [go_type(ty), raw_type(ty)]).collect();
    mentioned.push(decl.go_name.clone());
    let mut locals = Locals::beside(&mentioned);
    let names = Names::of(&mut locals);
    let of = locals.fresh("of");
    let mut body = vec![format!("switch *(*uint64)({}) {{", names.arguments)];
    for (index, method) in methods.iter().enumerate() {
        body.push(format!("case {index}:"));
        let lines = call(&format!("{of}.{}", method.go_name), &method.params, &method.results, &names, Some("uint64"));
        body.extend(lines.into_iter().map(|line| format!("\t{line}")));
    }
    body.extend(["}".to_owned(), "return nil".to_owned()]);
    let name = of_interface(decl);
    let doc = format!("{name} calls a method of {}. The first word of the arguments is the method's number, from 0.", decl.go_name);
    let params = [(of.as_str(), decl.go_name.as_str()), (&names.arguments, POINTER), (&names.result, POINTER)];
    func(&name, &params, POINTER, &doc, &body.join("\n"))
}

const POINTER: &str = "unsafe.Pointer";

/// Returns the statements that call a Go function with arguments from Rust's memory and store its results there. The statements return a pointer to
/// the Go memory that the results refer to, or nil. `first` is the type of a word before the arguments.
fn call(name: &str, params: &[Type], results: &[Type], names: &Names, first: Option<&str>) -> Vec<String> {
    let Names { arguments, result, given, answer, failure, answers } = names;
    let mut lines = Vec::new();
    let first = first.map(|ty| ("_".to_owned(), ty.to_owned()));
    let fields = params.iter().enumerate().map(|(index, ty)| (format!("a{index}"), raw_type(ty)));
    let fields: Vec<(String, String)> = first.into_iter().chain(fields).collect();
    if !params.is_empty() {
        lines.push(format!("{given} := (*struct {{"));
        lines.extend(columns(&fields, "\t"));
        lines.push(format!("}})({arguments})"));
    }
    let values: Vec<String> = params.iter().enumerate().map(|(index, ty)| value(ty, &format!("{given}.a{index}"))).collect();
    let called = format!("{name}({})", values.join(", "));
    if let [ty] = results
        && stored(ty).is_none()
    {
        lines.extend([format!("*(*{})({result}) = {called}", go_type(ty)), "return nil".to_owned()]);
        return lines;
    }
    if results.is_empty() {
        lines.extend([called, "return nil".to_owned()]);
        return lines;
    }
    let fields: Vec<(String, String)> =
        results.iter().enumerate().map(|(index, ty)| (format!("r{index}"), stored(ty).map_or_else(|| go_type(ty), |(ty, _)| ty))).collect();
    lines.push(format!("{answer} := (*struct {{"));
    lines.extend(columns(&fields, "\t"));
    lines.push(format!("}})({result})"));
    let mut into = Vec::new();
    let mut after = Vec::new();
    let mut lent = Vec::new();
    let mut taken = Vec::new();
    for (index, ty) in results.iter().enumerate() {
        let field = format!("{answer}.r{index}");
        match (ty, stored(ty)) {
            (Type::Failure {}, _) => {
                into.push(failure.clone());
                after = vec![format!("if {failure} != nil {{"), format!("\treturn {RT}.Fail(&{field}, {failure})"), "}".to_owned()];
            }
            (Type::Object { decl, .. }, _) => {
                let value = answers.get(index).cloned().unwrap_or_default();
                taken.push(format!("{RT}.Returned{{At: &{field}, Object: {}, Type: {:?}}}", object(&value), decl.go_name));
                into.push(value);
            }
            (_, Some((_, store))) => {
                let value = answers.get(index).cloned().unwrap_or_default();
                lent.push(format!("{RT}.{store}(&{field}, {value})"));
                into.push(value);
            }
            _ => into.push(field),
        }
    }
    // In Go, one `:=` cannot both declare a variable and assign to a field.
    let new: Vec<String> =
        into.iter().zip(results).filter(|(name, _)| !name.contains('.')).map(|(name, ty)| format!("var {name} {}", go_type(ty))).collect();
    if new.len() == into.len() {
        lines.push(format!("{} := {called}", into.join(", ")));
    } else {
        lines.extend(new);
        lines.push(format!("{} = {called}", into.join(", ")));
    }
    lines.extend(after);
    if !taken.is_empty() {
        // From here on the objects belong to Rust. If a later statement panicked, Rust would not get the objects, and they would be lost.
        lines.push(format!("{RT}.TakeObjects({})", taken.join(", ")));
    }
    lines.push(match &lent[..] {
        [] => "return nil".to_owned(),
        [one] => format!("return {one}"),
        several => format!("return {RT}.Answers({})", several.join(", ")),
    });
    lines
}

/// For a result that refers to Go's memory, or is an error or object: returns the type of its words in Rust's memory, and the function of `rt` that
/// stores them. None for numbers.
fn stored(ty: &Type) -> Option<(String, &'static str)> {
    match ty {
        Type::Failure {} => Some((format!("{RT}.RawError"), "Fail")),
        Type::Basic(Basic::String) => Some(("[2]uintptr".to_owned(), "AnswerString")),
        Type::Slice { .. } => Some(("[3]uintptr".to_owned(), "AnswerSlice")),
        Type::Object { .. } => Some(("uintptr".to_owned(), "TakeObjects")),
        _ => None,
    }
}

/// Returns the lines of a struct's fields, in columns as gofmt prints them.
fn columns(fields: &[(String, String)], indent: &str) -> Vec<String> {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    fields.iter().map(|(name, ty)| format!("{indent}{name:width$} {ty}")).collect()
}
