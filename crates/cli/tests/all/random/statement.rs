//! Generates statements: locals of unusual sizes, loops that end, branches, early returns, operations on slices, panics.

use super::body::{Body, Kind, Variable};
use super::types::{Return, Scalar};

const U64: Scalar = Scalar::Int(64, false);

impl Body<'_> {
    pub fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            if !self.affordable(40) {
                break;
            }
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.world.odd.is_some() && self.random.chance(4) {
            return self.fault();
        }
        match self.random.below(if depth == 0 { 18 } else { 28 }) {
            0..=2 => self.let_scalar(),
            3 => {
                let (scalar, length) = (Scalar::any(self.random, false), self.random.length());
                self.let_array(scalar, length);
            }
            4 if !self.world.structs.is_empty() => self.let_struct(),
            5 | 6 => self.assign(),
            7..=9 => self.store(),
            10 | 11 => self.slice_work(),
            12 => self.check(),
            13 => self.effect(),
            14 if self.random.chance(40) => {
                let condition = self.condition(2);
                let value = self.result(false);
                self.line(&format!("if {condition} {{ return {value}; }}"));
            }
            15 if self.in_loop => {
                let condition = self.condition(1);
                let word = ["break", "continue"][self.random.below(2)];
                self.line(&format!("if {condition} {{ {word}; }}"));
            }
            16 => self.update(),
            18 | 19 => {
                let condition = self.condition(2);
                self.block(&format!("if {condition} {{"), 1, depth);
                if self.random.chance(60) {
                    self.block("else {", 1, depth);
                }
            }
            20 | 21 => self.counted(depth),
            22 => self.over_elements(depth),
            23 => self.while_loop(depth),
            24 | 25 => self.switch(depth),
            26 => {
                self.block("{", 1, depth);
            }
            27 => self.let_or_return(),
            _ => self.let_scalar(),
        }
    }

    fn block(&mut self, head: &str, times: u64, depth: usize) {
        self.line(head);
        let count = self.random.between(1, 4);
        self.inside(times, |body| body.statements(count, depth - 1));
        self.line("}");
    }

    pub fn declare(&mut self, prefix: &str, kind: Kind, mutable: bool) -> String {
        let name = self.name(prefix);
        self.scope.push(Variable { name: name.clone(), kind, mutable, reference: false, hidden: false });
        name
    }

    fn let_scalar(&mut self) {
        let scalar = Scalar::any(self.random, false);
        let value = self.expression(scalar, 3);
        let mutable = self.random.chance(60);
        let name = self.declare("v", Kind::One(scalar), mutable);
        self.line(&format!("let {}{name}: {} = {value};", if mutable { "mut " } else { "" }, scalar.name()));
    }

    pub fn let_array(&mut self, scalar: Scalar, length: usize) {
        self.spend(length as u64 / 8 + 1);
        let value = match self.random.below(3) {
            0 if self.affordable(length as u64) => {
                self.spend(length as u64);
                let index = self.convert("(n as u64)".to_owned(), U64, scalar);
                let other = self.purely(|body| body.expression(scalar, 1));
                format!("core::array::from_fn(|n| if n % 3 == 1 {{ {other} }} else {{ {index} }})")
            }
            _ => format!("[{}; {length}]", self.expression(scalar, 1)),
        };
        let boxed = self.random.chance(50);
        let aligned = self.random.chance(8);
        let name = self.declare("a", Kind::Array(scalar, length), true);
        if aligned {
            // The array is inside a larger local, and is accessed through a reference.
            let place = self.name("w");
            let align = [16, 32, 64][self.random.below(if self.world.aligned { 3 } else { 1 })];
            self.line(&format!("let mut {place} = A{align}::<[{}; {length}]>({value});", scalar.name()));
            self.line(&format!("let {name} = &mut {place}.0;"));
            if let Some(variable) = self.scope.last_mut() {
                variable.reference = true;
            }
            self.line(&format!("core::hint::black_box(&mut *{name});"));
        } else {
            self.line(&format!("let mut {name}: [{}; {length}] = {value};", scalar.name()));
            if boxed {
                self.line(&format!("core::hint::black_box(&mut {name});"));
            }
        }
    }

    fn let_struct(&mut self) {
        let n = self.random.below(self.world.structs.len());
        let value = self.struct_value(n);
        let name = self.declare("s", Kind::Struct(n), true);
        self.line(&format!("let mut {name} = {value};"));
        if self.random.chance(50) {
            self.line(&format!("core::hint::black_box(&mut {name});"));
        }
    }

    fn assign(&mut self) {
        let found = self.pick(|v| match v.kind {
            Kind::One(scalar) if v.mutable => Some((v.name.clone(), scalar)),
            _ => None,
        });
        match found {
            Some((name, scalar)) => {
                let value = self.expression(scalar, 3);
                self.line(&format!("{name} = {value};"));
            }
            None => self.let_scalar(),
        }
    }

    /// A write to one element of an array or slice, or to one field.
    fn store(&mut self) {
        let structs = self.world.structs;
        if self.random.chance(15)
            && let Some((name, n)) = self.pick(|v| match v.kind {
                Kind::Struct(n) if v.mutable => Some((v.name.clone(), n)),
                _ => None,
            })
        {
            let at = self.random.below(structs[n].fields.len());
            let (scalar, length) = structs[n].fields[at];
            let place = match length {
                Some(length) => format!("{name}.f{at}[{}]", self.index(Some(length), "")),
                None => format!("{name}.f{at}"),
            };
            let value = self.expression(scalar, 2);
            self.line(&format!("{place} = {value};"));
            return;
        }
        let Some((name, scalar, length)) = self.elements(true) else { return self.let_scalar() };
        if let Some(length) = length {
            let index = self.index(Some(length), &name);
            let value = self.expression(scalar, 3);
            self.line(&format!("{name}[{index}] = {value};"));
        } else {
            let index = self.index(None, &name);
            let value = self.expression(scalar, 3);
            let at = self.name("t");
            self.line(&format!("if !{name}.is_empty() {{ let {at} = {index}; {name}[{at}] = {value}; }}"));
        }
    }

    /// An operation on a whole slice, or on a part of it.
    fn slice_work(&mut self) {
        let Some((name, scalar, length)) = self.elements(true) else { return self.let_scalar() };
        let cost = length.unwrap_or(70) as u64;
        if !self.affordable(cost) {
            return;
        }
        self.spend(cost);
        let from = self.without(&name, |body| body.purely(|body| body.expression(U64, 1)));
        let at = self.name("t");
        self.line(&format!("let {at} = ({from} as usize) % ({name}.len() + 1);"));
        let text = match self.random.below(9) {
            0 => {
                let value = self.without(&name, |body| body.purely(|body| body.expression(scalar, 2)));
                format!("{name}[{at}..].fill({value});")
            }
            1 => format!("{name}[..{at}].reverse();"),
            2 => format!("{name}.rotate_left({at});"),
            3 => format!("{name}.copy_within({at}.., 0);"),
            4 => format!("if {at} > 0 {{ {name}.swap({at} - 1, {at} / 2); }}"),
            5 => {
                let (left, right, n) = (self.name("t"), self.name("t"), self.name("t"));
                format!(
                    "let ({left}, {right}) = {name}.split_at_mut({at}); let {n} = {left}.len().min({right}.len()); {left}[..{n}].copy_from_slice(&{right}[..{n}]);"
                )
            }
            6 => {
                let value = self.without(&name, |body| body.purely(|body| body.expression(scalar, 2)));
                format!("for e in {name}.iter_mut().skip({at}).step_by({}) {{ *e = {value}; }}", self.random.between(1, 5))
            }
            7 if self.random.chance(10) => format!("{name}[{at}..].copy_from_slice(&[{}; 3]);", scalar.literal(self.random)),
            _ if scalar.is_float() => format!("{name}[{at}..].iter_mut().for_each(|e| *e = *e * 0.25 + 1.5);"),
            _ if self.world.recursion => format!("{name}[..{at}].sort_unstable();"),
            _ => format!("{name}[{at}..].reverse();"),
        };
        self.line(&text);
    }

    /// An assertion that nearly always holds, with values in its message.
    fn check(&mut self) {
        if !self.random.chance(60) {
            return self.let_scalar();
        }
        let (a, b) = (self.expression(U64, 2), self.expression(Scalar::Int(16, false), 2));
        let n = self.random.between(1, 99);
        match self.random.below(4) {
            0 => self.line(&format!("assert!({a} % 97 != {n} % 97, \"a remainder of {{}}\", {b});")),
            1 => self.line(&format!("if {a} % 89 == {n} % 89 {{ panic!(\"found {{:?}} and {{:#x}}\", {b}, {n}); }}")),
            2 => self.line(&format!("assert_ne!({a} % 101, {n});")),
            _ => self.line(&format!("let Some(_) = ({b}).checked_mul(1) else {{ unreachable!(\"it is {n}\") }};")),
        }
    }

    /// A call whose result is not used.
    fn effect(&mut self) {
        let functions = self.world.functions;
        if functions.is_empty() {
            return self.let_scalar();
        }
        let function = functions[self.random.below(functions.len())].clone();
        if !self.affordable(function.cost) || function.recursive && !self.world.recursion {
            return self.let_scalar();
        }
        if let Some(call) = self.call_of(&function, false) {
            self.line(&format!("let _ = {call};"));
        }
    }

    /// An assignment `v ^= …`, `v |= …` or `v &= …`.
    fn update(&mut self) {
        let found = self.pick(|v| match v.kind {
            Kind::One(scalar) if v.mutable && scalar.is_integer() => Some((v.name.clone(), scalar)),
            _ => None,
        });
        let Some((name, scalar)) = found else { return self.let_scalar() };
        let value = self.expression(scalar, 2);
        let operator = ["^", "|", "&"][self.random.below(3)];
        self.line(&format!("{name} {operator}= {value};"));
    }

    fn counted(&mut self, depth: usize) {
        let most = self.random.between(2, 9) as u64;
        if !self.affordable(most * 30) {
            return;
        }
        let end = self.expression(U64, 1);
        let name = self.name("i");
        let rev = self.random.chance(25);
        self.line(&match rev {
            true => format!("for {name} in (0..{end} % {}).rev() {{", most + 1),
            false => format!("for {name} in 0..{end} % {} {{", most + 1),
        });
        let kind = Kind::One(U64);
        self.looped(most, depth, Some(Variable { name, kind, mutable: false, reference: false, hidden: false }));
    }

    /// The body of a loop, and the closing brace.
    fn looped(&mut self, times: u64, depth: usize, variable: Option<Variable>) {
        let old = std::mem::replace(&mut self.in_loop, true);
        let count = self.random.between(1, 4);
        self.inside(times, |body| {
            body.scope.extend(variable);
            body.statements(count, depth - 1);
        });
        self.in_loop = old;
        self.line("}");
    }

    fn over_elements(&mut self, depth: usize) {
        let Some((name, scalar, length)) = self.elements(false) else { return self.counted(depth) };
        let most = length.unwrap_or(70) as u64;
        if !self.affordable(most * 30) {
            return self.counted(depth);
        }
        let element = self.name("e");
        self.line(&format!("for &{element} in {name}.iter() {{"));
        let kind = Kind::One(scalar);
        let variable = Variable { name: element, kind, mutable: false, reference: false, hidden: false };
        self.without(&name, |body| body.looped(most, depth, Some(variable)));
    }

    /// A `while` loop whose condition is computed in each round. A counter limits the number of rounds.
    fn while_loop(&mut self, depth: usize) {
        let most = self.random.between(1, 8) as u64;
        if !self.affordable(most * 40) {
            return;
        }
        let counter = self.name("n");
        self.line(&format!("let mut {counter} = 0u32;"));
        let weight = self.weight;
        self.weight *= most;
        let condition = self.condition(2);
        self.weight = weight;
        if self.random.chance(50) {
            self.line(&format!("while {counter} < {most} && {condition} {{"));
            self.line(&format!("    {counter} += 1;"));
        } else {
            self.line("loop {");
            self.line(&format!("    {counter} += 1;"));
            self.line(&format!("    if {counter} > {most} || {condition} {{ break; }}"));
        }
        self.looped(most, depth, None);
    }

    fn switch(&mut self, depth: usize) {
        let arms = self.random.between(3, 16);
        let what = self.expression(U64, 2);
        self.line(&format!("match {what} % {} {{", arms + 1));
        self.depth += 1;
        for n in 0..arms {
            match self.random.below(6) {
                0 if n + 2 < arms => self.block(&format!("{n}..{} if core::hint::black_box(true) => {{", n + 2), 1, depth),
                _ => self.block(&format!("{n} => {{"), 1, depth.min(2)),
            }
        }
        self.block("_ => {", 1, depth);
        self.depth -= 1;
        self.line("}");
    }

    fn let_or_return(&mut self) {
        let scalar = Scalar::integer(self.random);
        let (a, b) = (self.expression(scalar, 2), self.expression(scalar, 2));
        let how = ["checked_add", "checked_mul", "checked_sub"][self.random.below(3)];
        let value = self.result(false);
        let name = self.declare("v", Kind::One(scalar), false);
        self.line(&format!("let Some({name}) = ({a} as {}).{how}({b}) else {{ return {value} }};", scalar.name()));
    }

    /// An expression for a result of the function. The last result uses all variables, so that the compiler cannot remove their computation.
    pub fn result(&mut self, last: bool) -> String {
        let returns = self.returns.clone();
        match returns {
            Return::Unit => "()".to_owned(),
            Return::One(scalar) => self.value(scalar, last),
            Return::Tuple(scalars) => format!("({})", scalars.iter().map(|&s| self.value(s, last)).collect::<Vec<_>>().join(", ")),
            Return::Array(scalar, length) => format!("[{}; {length}]", self.value(scalar, last)),
            Return::Struct(n) => self.struct_value(n),
            Return::Option(scalar) => match !last && self.random.chance(40) {
                true => "None".to_owned(),
                false => format!("Some({})", self.value(scalar, last)),
            },
            Return::Result(scalar) => match !last && self.random.chance(40) {
                true => format!("Err({})", self.expression(Scalar::Int(16, false), 1)),
                false => format!("Ok({})", self.value(scalar, last)),
            },
        }
    }
    /// An expression for one value of the result.
    fn value(&mut self, wanted: Scalar, last: bool) -> String {
        if !last {
            return self.expression(wanted, 1);
        }
        let names: Vec<(String, Kind)> = self.scope.iter().map(|v| (v.name.clone(), v.kind.clone())).collect();
        let mut sum = "7u64".to_owned();
        for (name, kind) in names {
            let part = match kind {
                Kind::One(from) => self.convert(name, from, U64),
                Kind::Array(from, length) => {
                    let index = self.index(Some(length), &name);
                    self.convert(format!("{name}[{index}]"), from, U64)
                }
                Kind::Slice(_) | Kind::Text => format!("({name}.len() as u64)"),
                Kind::Struct(_) => continue,
            };
            sum = format!("mix({sum} ^ {part})");
        }
        self.convert(sum, U64, wanted)
    }
}
