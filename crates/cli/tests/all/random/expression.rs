//! Generates expressions of a requested type. An expression always ends, and has the same value on every machine: the bits of a NaN are never
//! used.

use super::body::{Body, Kind};
use super::types::{Function, Param, Return, Scalar};
use Scalar::{Bool, Char, F32, F64, Int, Size};

const U64: Scalar = Int(64, false);

impl Body<'_> {
    pub fn expression(&mut self, wanted: Scalar, depth: usize) -> String {
        self.spend(1);
        if depth == 0 || !self.affordable(10) {
            return self.leaf(wanted);
        }
        if let Some(odd) = self.world.odd
            && self.random.chance(10)
            && let Some(made) = self.odd(odd, wanted)
        {
            return made;
        }
        // Expressions that can have any type.
        let general = match self.random.below(20) {
            0 => Some(self.leaf(wanted)),
            1 | 2 => self.element(wanted, depth),
            3 | 4 => self.call(wanted),
            5 => Some(self.choice(wanted, depth)),
            6 => Some(self.matched(wanted, depth)),
            7 => Some(format!("core::hint::black_box({})", self.expression(wanted, depth - 1))),
            8 => self.field(wanted),
            9 => Some(self.closure(wanted, depth)),
            10 => self.looked_up(wanted, depth),
            _ => None,
        };
        if let Some(made) = general {
            return made;
        }
        match wanted {
            Bool => self.condition(depth),
            Char => match self.random.below(2) {
                0 => format!("char::from_u32({} % 0xd800).unwrap_or('x')", self.expression(Int(32, false), depth - 1)),
                _ => format!("({} as char)", self.expression(Int(8, false), depth - 1)),
            },
            F32 | F64 => self.float(wanted, depth),
            Int(..) | Size(_) => self.integer(wanted, depth),
        }
    }

    fn leaf(&mut self, wanted: Scalar) -> String {
        if self.random.chance(75) {
            if let Some(name) = self.variable(wanted, false) {
                return name;
            }
            if wanted.is_integer() || wanted.is_float() {
                let number = self.pick(|v| match v.kind {
                    Kind::One(found) if found.is_integer() || found.is_float() && wanted != found => Some(v.name.clone()),
                    _ => None,
                });
                if let Some(name) = number {
                    return format!("({name} as {})", wanted.name());
                }
            }
        }
        wanted.literal(self.random)
    }

    fn number(&mut self) -> Scalar {
        if self.random.chance(20) { [F32, F64][self.random.below(2)] } else { Scalar::integer(self.random) }
    }

    /// An index of an array or slice: usually a remainder. If the divisor is the length plus 1, the index may be one too large, and then the function
    /// panics. For arrays this divisor is rare. For slices it is usual, because their length may be 0.
    pub fn index(&mut self, length: Option<usize>, name: &str) -> String {
        match length {
            // Large constants are used as indexes too, to access the far end of a frame.
            Some(length) if self.random.chance(35) => {
                [0, length - 1, length / 2, self.random.below(length)][self.random.below(4)].to_string()
            }
            length => {
                let index = self.purely(|body| body.expression(U64, 1));
                let more = if self.random.chance(3) { 1 } else { 0 };
                match length {
                    Some(length) => format!("({index} as usize) % {}", length + more),
                    None => format!("({index} as usize) % ({name}.len() + {})", 1 - more),
                }
            }
        }
    }

    fn element(&mut self, wanted: Scalar, depth: usize) -> Option<String> {
        let (name, scalar, length) = self.elements(false)?;
        if length.is_none() && self.random.chance(70) {
            let index = self.index(None, &name);
            let other = self.purely(|body| body.expression(scalar, depth - 1));
            return Some(self.convert(format!("{name}.get({index}).copied().unwrap_or({other})"), scalar, wanted));
        }
        // An index without a constant bound panics if the slice is empty, so it is generated less often.
        if length.is_none() && !self.random.chance(30) {
            return None;
        }
        let index = self.index(length, &name);
        Some(self.convert(format!("{name}[{index}]"), scalar, wanted))
    }

    /// An expression that converts `value` from one type to another.
    pub fn convert(&mut self, value: String, from: Scalar, to: Scalar) -> String {
        let name = to.name();
        match (from, to) {
            _ if from == to => value,
            (Bool, Char) => format!("(if {value} {{ 't' }} else {{ 'f' }})"),
            (Bool, F32 | F64) => format!("(({value}) as u8 as {name})"),
            (Char, F32 | F64) => format!("({value} as u32 as {name})"),
            (Bool | Char, _) => format!("({value} as u32 as {name})").replace(" as u32 as bool", " as u32 != 0"),
            (F32 | F64, Bool) => format!("({value} > 0.5)"),
            (F32 | F64, Char) => format!("({value} as u8 as char)"),
            // Half of the conversions from a floating-point number to an integer of the same size convert its bits instead of its value.
            (F64, Int(64, false)) if self.random.chance(50) => format!("bits64({value})"),
            (F32, Int(32, false)) if self.random.chance(50) => format!("bits32({value})"),
            (_, Bool) => format!("({value} & 1 == 1)"),
            (_, Char) => format!("({value} as u8 as char)"),
            _ => format!("({value} as {name})"),
        }
    }

    fn choice(&mut self, wanted: Scalar, depth: usize) -> String {
        let condition = self.condition(depth - 1);
        let (a, b) = (self.expression(wanted, depth - 1), self.expression(wanted, depth - 1));
        format!("(if {condition} {{ {a} }} else {{ {b} }})")
    }

    fn matched(&mut self, wanted: Scalar, depth: usize) -> String {
        let arms = self.random.between(2, 18);
        let what = self.expression(U64, depth - 1);
        let mut text = format!("(match {what} % {} {{ ", arms + 1);
        for n in 0..arms {
            let value = self.expression(wanted, 1);
            text.push_str(&format!("{n} => {value}, "));
        }
        let last = self.expression(wanted, depth - 1);
        text.push_str(&format!("_ => {last} }})"));
        text
    }

    fn field(&mut self, wanted: Scalar) -> Option<String> {
        let structs = self.world.structs;
        let (name, n) = self.pick(|v| match v.kind {
            Kind::Struct(n) => Some((v.name.clone(), n)),
            _ => None,
        })?;
        self.field_of(&name, &structs[n].fields, wanted)
    }

    fn field_of(&mut self, name: &str, fields: &[(Scalar, Option<usize>)], wanted: Scalar) -> Option<String> {
        let at = self.random.below(fields.len());
        let (scalar, length) = fields[at];
        let place = match length {
            Some(length) => format!("{name}.f{at}[{}]", self.index(Some(length), "")),
            None => format!("{name}.f{at}"),
        };
        Some(self.convert(place, scalar, wanted))
    }

    fn closure(&mut self, wanted: Scalar, depth: usize) -> String {
        let taken = self.number();
        let argument = self.expression(taken, depth - 1);
        let name = self.name("c");
        self.scope.push(super::body::Variable {
            name: name.clone(),
            kind: Kind::One(taken),
            mutable: false,
            reference: false,
            hidden: false,
        });
        let made = self.purely(|body| body.expression(wanted, depth - 1));
        self.scope.pop();
        format!("(|{name}: {}| -> {} {{ {made} }})({argument})", taken.name(), wanted.name())
    }

    /// A call of a library function that searches elements or a text.
    fn looked_up(&mut self, wanted: Scalar, depth: usize) -> Option<String> {
        let given = match self.random.below(3) {
            0 => {
                let name = self.pick(|v| matches!(v.kind, Kind::Text).then(|| v.name.clone()))?;
                self.spend(60);
                match self.random.below(5) {
                    0 => format!("{name}.len() as u64"),
                    1 => format!("{name}.bytes().fold(7u64, |h, b| h.wrapping_mul(31) ^ b as u64)"),
                    2 => format!("{name}.chars().filter(|c| c.is_ascii_digit() || *c > 'é').count() as u64"),
                    3 => format!("{name}.trim().parse::<i32>().map_or(77, |n| n as u64)"),
                    _ => format!("{name}.char_indices().map(|(n, c)| n as u64 ^ c as u64).max().unwrap_or(5)"),
                }
            }
            _ => {
                let (name, scalar, length) = self.elements(false)?;
                let cost = length.unwrap_or(70) as u64;
                if !self.affordable(cost) {
                    return None;
                }
                self.spend(cost);
                let x = self.convert("x".to_owned(), scalar, U64);
                if scalar.is_float() {
                    let first = self.purely(|body| body.expression(scalar, depth - 1));
                    let sum = format!("{name}.iter().fold({first}, |sum, &x| sum * 0.5 + x)");
                    return Some(self.convert(sum, scalar, wanted));
                }
                match self.random.below(8) {
                    0 => format!("{name}.iter().filter(|&&x| {x} & 3 == 1).count() as u64"),
                    1 => format!("{name}.iter().rposition(|&x| {x} % 5 == 2).map_or(99, |n| n as u64)"),
                    2 => format!(
                        "{name}.chunks({}).fold(3u64, |h, c| h.rotate_left(5) ^ {{ let x = c[0]; {x} }} ^ c.len() as u64)",
                        self.random.between(1, 9)
                    ),
                    3 => format!("{name}.windows({}).filter(|w| w[0] <= w[w.len() - 1]).count() as u64", self.random.between(1, 5)),
                    4 => format!("{name}.iter().copied().max().map_or(4, |x| {x})"),
                    5 => format!("{name}.iter().rev().zip({name}.iter()).filter(|(a, b)| a == b).count() as u64"),
                    6 => format!("match {name}[..] {{ [] => 1u64, [x] => {x}, [x, ..] if {x} & 1 == 0 => {x}, [.., x] => !{x} }}"),
                    _ => format!("{name}.iter().fold(1u64, |h, &x| h.wrapping_mul(0x9e37_79b9) ^ {x})"),
                }
            }
        };
        Some(self.convert(format!("({given})"), U64, wanted))
    }

    pub fn condition(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        match self.random.below(10) {
            0 => format!("!{}", self.expression(Bool, less)),
            1 => {
                let (a, b) = (self.expression(Bool, less), self.expression(Bool, less));
                format!("({a} {} {b})", ["&&", "||", "^", "&"][self.random.below(4)])
            }
            2 if !self.scope.is_empty() => match self.elements(false) {
                Some((name, _, _)) => format!("({name}.iter().eq({name}.iter().rev()))"),
                None => self.expression(Bool, less),
            },
            _ => {
                let scalar = if self.random.chance(5) { Char } else { self.number() };
                let (a, b) = (self.expression(scalar, less), self.expression(scalar, less));
                format!("({a} {} {b})", ["<", "<=", "==", "!=", ">", ">="][self.random.below(6)])
            }
        }
    }

    fn float(&mut self, wanted: Scalar, depth: usize) -> String {
        let name = wanted.name();
        let other = if wanted == F32 { F64 } else { F32 };
        let less = depth - 1;
        match self.random.below(9) {
            0 => format!("(-{})", self.expression(wanted, less)),
            1 => format!("{}.abs()", self.expression(wanted, less)),
            2 => {
                let from = Scalar::integer(self.random);
                format!("({} as {name})", self.expression(from, less))
            }
            3 => format!("({} as {name})", self.expression(other, less)),
            4 => {
                let (a, b) = (self.expression(wanted, less), self.expression(wanted, less));
                format!("(|a: {name}, b: {name}| if a < b {{ a }} else {{ b }})({a}, {b})")
            }
            _ => {
                let (a, b) = (self.expression(wanted, less), self.expression(wanted, less));
                format!("({a} {} {b})", ["+", "-", "*", "/"][self.random.below(4)])
            }
        }
    }

    fn integer(&mut self, wanted: Scalar, depth: usize) -> String {
        let name = wanted.name();
        let less = depth - 1;
        // A method call on a literal needs a type, so the literal is cast.
        let of = |body: &mut Self| format!("({} as {name})", body.expression(wanted, less));
        match self.random.below(30) {
            0..=3 => {
                let from = self.number();
                let value = self.expression(from, less);
                self.convert(value, from, wanted)
            }
            4 => format!("{}.rotate_left({})", of(self), self.expression(Int(32, false), less)),
            5 => format!("{}.wrapping_sh{}({})", of(self), ["l", "r"][self.random.below(2)], self.expression(Int(32, false), less)),
            6 => format!("({}.{}() as {name})", of(self), ["count_ones", "leading_zeros", "trailing_zeros"][self.random.below(3)]),
            7 => format!("{}.{}()", of(self), ["swap_bytes", "reverse_bits", "wrapping_neg", "to_be"][self.random.below(4)]),
            8 => format!("(!{})", of(self)),
            // Most divisors are not zero.
            9 | 10 => format!("{}.wrapping_{}({} | 1)", of(self), ["div", "rem"][self.random.below(2)], of(self)),
            11 if self.random.chance(10) => format!("({} {} {})", of(self), ["/", "%"][self.random.below(2)], of(self)),
            // These operators panic on overflow, so they are generated less often.
            12 if self.random.chance(10) => format!("({} {} {})", of(self), ["+", "-", "*"][self.random.below(3)], of(self)),
            13 => {
                let how = ["checked_add", "checked_sub", "checked_mul", "checked_div", "checked_rem"][self.random.below(5)];
                format!("{}.{how}({}).unwrap_or({})", of(self), of(self), of(self))
            }
            14 => format!("{}.saturating_{}({})", of(self), ["add", "sub", "mul"][self.random.below(3)], of(self)),
            15 => format!("{}.overflowing_{}({}).0", of(self), ["add", "sub", "mul"][self.random.below(3)], of(self)),
            16 => format!("{}.{}({})", of(self), ["min", "max"][self.random.below(2)], of(self)),
            17 => format!("{name}::from_ne_bytes({}.to_be_bytes())", of(self)),
            18 => format!("{}.wrapping_pow({} % 9)", of(self), self.expression(Int(32, false), less)),
            19 => format!("{}.checked_ilog2().map_or(9, |n| n as {name})", of(self)),
            20 => format!("({}.abs_diff({}) as {name})", of(self), of(self)),
            21 => {
                let (a, b) = (self.expression(U64, less), self.expression(U64, less));
                let value = format!(
                    "{{ let cell = core::sync::atomic::AtomicU64::new({a}); cell.{}({b}, core::sync::atomic::Ordering::SeqCst).wrapping_add(cell.into_inner()) }}",
                    ["fetch_add", "swap", "fetch_xor", "fetch_max"][self.random.below(4)]
                );
                self.convert(format!("({value})"), U64, wanted)
            }
            n => {
                let (a, b) = (of(self), of(self));
                match n {
                    22..=25 => format!("{a}.wrapping_{}({b})", ["add", "sub", "mul"][self.random.below(3)]),
                    _ => format!("({a} {} {b})", ["&", "|", "^"][self.random.below(3)]),
                }
            }
        }
    }

    /// A call of a function, with its result converted to the requested type.
    fn call(&mut self, wanted: Scalar) -> Option<String> {
        match self.random.below(12) {
            0 if self.world.shapes > 0 && self.affordable(300) => {
                self.spend(300);
                let (which, x) = (self.index(Some(self.world.shapes), ""), self.expression(U64, 1));
                return Some(self.convert(format!("shapes()[{which}].area({x})"), U64, wanted));
            }
            1 if self.world.table > 0 && self.affordable(300) => {
                self.spend(300);
                let (which, x, y) = (self.index(Some(self.world.table), ""), self.expression(U64, 1), self.expression(F64, 1));
                return Some(self.convert(format!("core::hint::black_box(TABLE)[{which}]({x}, {y})"), U64, wanted));
            }
            _ => {}
        }
        let (function, again) = match &self.itself {
            Some((function, left)) if *left > 0 && self.weight == 1 && !self.pure && self.random.chance(60) => (function.clone(), true),
            _ => {
                let functions = self.world.functions;
                if functions.is_empty() {
                    return None;
                }
                let function = &functions[self.random.below(functions.len())];
                if !self.affordable(function.cost) || function.recursive && !self.world.recursion {
                    return None;
                }
                if self.pure && function.params.iter().any(Param::writes) {
                    return None;
                }
                (function.clone(), false)
            }
        };
        if again && let Some((_, left)) = &mut self.itself {
            *left -= 1;
        }
        let call = self.call_of(&function, again)?;
        Some(self.value_of(&call, &function.returns, wanted))
    }

    /// The text of a call: a block that first computes the arguments, one after another.
    pub fn call_of(&mut self, function: &Function, again: bool) -> Option<String> {
        self.spend(function.cost);
        self.calls_recursive |= function.recursive;
        let mut before = String::new();
        let mut arguments = Vec::new();
        if function.recursive {
            arguments.push(if again { "depth - 1".to_owned() } else { format!("{}", self.random.between(1, 6)) });
        }
        // References are made last, because a variable must not be used any more after it is borrowed.
        let mut borrowed: Vec<String> = Vec::new();
        let mut late: Vec<(usize, &Param)> = Vec::new();
        let skip = usize::from(function.recursive);
        for (n, param) in function.params.iter().enumerate().skip(skip) {
            match param {
                Param::One(scalar) => {
                    let value = self.expression(*scalar, 1);
                    // Half of the arguments are written in the call itself. If the function writes through a parameter, all are computed before the
                    // call.
                    if function.params.iter().any(Param::writes) || self.random.chance(50) {
                        let name = self.name("t");
                        before.push_str(&format!("let {name}: {} = {value}; ", scalar.name()));
                        arguments.push(name);
                    } else {
                        arguments.push(value);
                    }
                }
                Param::Struct(n) => {
                    let value = self.struct_value(*n);
                    let name = self.name("t");
                    before.push_str(&format!("let {name} = {value}; "));
                    arguments.push(name);
                }
                _ => {
                    arguments.push(String::new());
                    late.push((n, param));
                }
            }
        }
        for (n, param) in late {
            let argument = self.reference(param, &mut borrowed, &mut before);
            arguments[n] = argument;
        }
        self.scope.iter_mut().filter(|v| borrowed.contains(&v.name)).for_each(|v| v.hidden = false);
        let call = format!("{}({})", function.name, arguments.join(", "));
        Some(if before.is_empty() { call } else { format!("({{ {before}{call} }})") })
    }

    /// An argument that is a reference: to a variable in scope, to a part of one, or to a new array.
    fn reference(&mut self, param: &Param, borrowed: &mut Vec<String>, before: &mut String) -> String {
        let writes = param.writes();
        let mark = if writes { "&mut " } else { "&" };
        match param {
            Param::Text => match self.pick(|v| matches!(v.kind, Kind::Text).then(|| v.name.clone())) {
                Some(name) => name,
                None => "\"nothing, größer als 7\"".to_owned(),
            },
            Param::Array(scalar, length, _) => {
                let found = self.pick(|v| match v.kind {
                    Kind::Array(s, l) if s == *scalar && l == *length && (v.mutable || !writes) => Some((v.name.clone(), v.reference)),
                    _ => None,
                });
                match found {
                    Some((name, reference)) => {
                        self.borrow(&name, borrowed);
                        format!("{mark}{}{name}", if reference { "*" } else { "" })
                    }
                    None => self.fresh(*scalar, *length, mark, before),
                }
            }
            Param::Slice(scalar, _) => {
                let found = self.pick(|v| match v.kind {
                    Kind::Array(s, _) | Kind::Slice(s) if s == *scalar && (v.mutable || !writes) => Some(v.name.clone()),
                    _ => None,
                });
                match found {
                    Some(name) => {
                        let from = self.purely(|body| body.expression(U64, 1));
                        let at = self.name("t");
                        before.push_str(&format!("let {at} = ({from} as usize) % ({name}.len() + 1); "));
                        self.borrow(&name, borrowed);
                        let range = [format!("{at}.."), format!("..{at}"), "..".to_owned()][self.random.below(3)].clone();
                        format!("{mark}{name}[{range}]")
                    }
                    None => {
                        let length = self.random.length();
                        self.fresh(*scalar, length, mark, before)
                    }
                }
            }
            Param::One(_) | Param::Struct(_) => unreachable!("it is no reference"),
        }
    }

    /// Marks a variable as borrowed, so that later arguments do not use it.
    fn borrow(&mut self, name: &str, borrowed: &mut Vec<String>) {
        borrowed.push(name.to_owned());
        self.scope.iter_mut().filter(|v| v.name == name).for_each(|v| v.hidden = true);
    }

    /// Declares a new array for an argument; returns a reference to the array.
    fn fresh(&mut self, scalar: Scalar, length: usize, mark: &str, before: &mut String) -> String {
        self.spend(length as u64 / 8);
        let value = self.purely(|body| body.expression(scalar, 1));
        let name = self.name("t");
        before.push_str(&format!("let mut {name} = [{value}; {length}]; "));
        format!("{mark}{name}")
    }

    pub fn struct_value(&mut self, n: usize) -> String {
        if self.random.chance(50)
            && let Some(name) = self.pick(|v| matches!(v.kind, Kind::Struct(found) if found == n).then(|| v.name.clone()))
        {
            return name;
        }
        let fields = self.world.structs[n].fields.clone();
        let mut text = format!("S{n} {{ ");
        for (at, (scalar, length)) in fields.iter().enumerate() {
            let value = self.expression(*scalar, 1);
            match length {
                Some(length) => text.push_str(&format!("f{at}: [{value}; {length}], ")),
                None => text.push_str(&format!("f{at}: {value}, ")),
            }
        }
        text.push('}');
        text
    }

    /// An expression for one value of a call's result.
    pub fn value_of(&mut self, call: &str, returns: &Return, wanted: Scalar) -> String {
        match returns {
            Return::Unit => {
                let value = self.leaf(wanted);
                format!("({{ {call}; {value} }})")
            }
            Return::One(scalar) => self.convert(format!("({call})"), *scalar, wanted),
            Return::Tuple(scalars) => {
                let at = self.random.below(scalars.len());
                self.convert(format!("({call}).{at}"), scalars[at], wanted)
            }
            Return::Array(scalar, length) => {
                let index = self.index(Some(*length), "");
                self.convert(format!("({call})[{index}]"), *scalar, wanted)
            }
            Return::Struct(n) => {
                let structs = self.world.structs;
                self.field_of(&format!("({call})"), &structs[*n].fields, wanted).expect("every struct has a field")
            }
            Return::Option(scalar) => {
                let other = scalar.literal(self.random);
                let value = match self.random.below(20) {
                    0 => format!("({call}).expect(\"there was nothing\")"),
                    _ => format!("({call}).unwrap_or({other})"),
                };
                self.convert(value, *scalar, wanted)
            }
            Return::Result(scalar) => {
                let other = scalar.literal(self.random);
                let value = match self.random.below(20) {
                    0 => format!("({call}).unwrap()"),
                    _ => format!("(match {call} {{ Ok(v) => v, Err(e) if e > 500 => {other}, Err(_) => {other} }})"),
                };
                self.convert(value, *scalar, wanted)
            }
        }
    }
}
