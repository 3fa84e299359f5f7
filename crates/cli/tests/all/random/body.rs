//! The body of a generated function: the variables in scope, and how much its code may still cost.

use super::Random;
use super::odd::Odd;
use super::types::{Function, Param, Return, Scalar, Struct};

/// The items outside of a function that its body may use.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub structs: &'a [Struct],
    /// The functions that the body may call. They were generated earlier.
    pub functions: &'a [Function],
    /// The number of `Shape` objects, which are called through a trait, and the number of functions in `TABLE`, which are called by pointer. They are
    /// 0 if the body must not make such calls.
    pub shapes: usize,
    pub table: usize,
    /// The static tables: name, element type and length.
    pub statics: &'a [(String, Scalar, usize)],
    /// True if locals may be aligned to more than 16 bytes.
    pub aligned: bool,
    /// True if the body may call a recursive function.
    pub recursion: bool,
    /// The unusual items of module `odd` that the body may use.
    pub odd: Option<&'a Odd>,
}

#[derive(Clone, Debug)]
pub enum Kind {
    One(Scalar),
    Array(Scalar, usize),
    Slice(Scalar),
    Text,
    Struct(usize),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    pub mutable: bool,
    /// True if the variable is a reference. If false, code that needs a reference to the variable's elements borrows the variable.
    pub reference: bool,
    /// True while the variable is borrowed and must not be used.
    pub hidden: bool,
}

pub struct Body<'a> {
    pub random: &'a mut Random,
    pub world: &'a World<'a>,
    pub scope: Vec<Variable>,
    pub text: String,
    pub depth: usize,
    pub returns: Return,
    /// How often one call of the function runs the code that is generated next.
    pub weight: u64,
    /// The cost of the code that is generated so far, in one call of the function.
    pub cost: u64,
    /// The largest allowed `cost`.
    pub most: u64,
    /// True in a loop, where `break` and `continue` are allowed.
    pub in_loop: bool,
    /// True inside a closure, and while a variable is borrowed. Then the generated code must contain no assignments and returns.
    pub pure: bool,
    /// In a recursive function: the function itself, and the number of calls of itself that may still be added to its body.
    pub itself: Option<(Function, u32)>,
    pub names: usize,
    pub calls_recursive: bool,
}

impl<'a> Body<'a> {
    pub fn new(random: &'a mut Random, world: &'a World<'a>, returns: Return, most: u64) -> Body<'a> {
        Body {
            random,
            world,
            scope: Vec::new(),
            text: String::new(),
            depth: 1,
            returns,
            weight: 1,
            cost: 0,
            most,
            in_loop: false,
            pure: false,
            itself: None,
            names: 0,
            calls_recursive: false,
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Names the parameters and adds them to the scope; returns the parameter list of the declaration.
    pub fn params(&mut self, params: &[Param]) -> String {
        let mut list = Vec::new();
        for (n, param) in params.iter().enumerate() {
            let name = format!("p{n}");
            let (kind, reference) = match param {
                Param::One(scalar) => (Kind::One(*scalar), false),
                Param::Array(scalar, length, _) => (Kind::Array(*scalar, *length), true),
                Param::Slice(scalar, _) => (Kind::Slice(*scalar), true),
                Param::Text => (Kind::Text, true),
                Param::Struct(n) => (Kind::Struct(*n), false),
            };
            list.push(format!("{name}: {}", param.name()));
            self.scope.push(Variable { name, kind, mutable: param.writes(), reference, hidden: false });
        }
        list.join(", ")
    }

    /// True if the remaining budget allows code of this cost.
    pub fn affordable(&self, cost: u64) -> bool {
        self.cost + cost * self.weight <= self.most
    }

    pub fn spend(&mut self, cost: u64) {
        self.cost += cost * self.weight;
    }

    /// Picks a random visible variable for which `wanted` returns a result.
    pub fn pick<T>(&mut self, wanted: impl Fn(&Variable) -> Option<T>) -> Option<T> {
        let mut found: Vec<T> = self.scope.iter().filter(|variable| !variable.hidden).filter_map(wanted).collect();
        if found.is_empty() {
            return None;
        }
        // Take the higher of two random indices. This prefers variables that were declared recently, so that computed values are used again.
        let at = self.random.below(found.len()).max(self.random.below(found.len()));
        Some(found.swap_remove(at))
    }

    /// The name of a random visible variable of this type.
    pub fn variable(&mut self, scalar: Scalar, mutable: bool) -> Option<String> {
        self.pick(|v| matches!(v.kind, Kind::One(found) if found == scalar && (v.mutable || !mutable)).then(|| v.name.clone()))
    }

    /// The name, element type and constant length of a random array or slice variable; the length is `None` for a slice. If not `mutable`, the
    /// result may also be a static.
    pub fn elements(&mut self, mutable: bool) -> Option<(String, Scalar, Option<usize>)> {
        if !mutable && !self.world.statics.is_empty() && self.random.chance(15) {
            let (name, scalar, length) = self.world.statics[self.random.below(self.world.statics.len())].clone();
            return Some((name, scalar, Some(length)));
        }
        self.pick(|v| match v.kind {
            Kind::Array(scalar, length) if v.mutable || !mutable => Some((v.name.clone(), scalar, Some(length))),
            Kind::Slice(scalar) if v.mutable || !mutable => Some((v.name.clone(), scalar, None)),
            _ => None,
        })
    }

    /// Runs `make` with the variable `name` hidden, so that the code that `make` generates does not use it.
    pub fn without<T>(&mut self, name: &str, make: impl FnOnce(&mut Self) -> T) -> T {
        let set = |body: &mut Self, hidden| body.scope.iter_mut().filter(|v| v.name == name).for_each(|v| v.hidden = hidden);
        set(self, true);
        let made = make(self);
        set(self, false);
        made
    }

    /// Runs `make` with `pure` set, so that the code that `make` generates contains no assignments and returns.
    pub fn purely<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let old = std::mem::replace(&mut self.pure, true);
        let made = make(self);
        self.pure = old;
        made
    }

    /// Runs `make` in an inner scope. The code that `make` generates runs `times` as often as the code around it.
    pub fn inside(&mut self, times: u64, make: impl FnOnce(&mut Self)) {
        let (visible, weight) = (self.scope.len(), self.weight);
        self.weight *= times;
        self.depth += 1;
        make(self);
        self.depth -= 1;
        self.weight = weight;
        self.scope.truncate(visible);
    }
}
