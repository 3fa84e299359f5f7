//! The body of one function: what is in scope, and what it may still cost.

use super::Random;
use super::odd::Odd;
use super::types::{Function, Param, Return, Scalar, Struct};

/// What a function can see outside of itself.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub structs: &'a [Struct],
    /// Functions that may be called: those made before.
    pub functions: &'a [Function],
    /// How many `Shape`s there are behind `dyn`, and functions in the table; 0 where this function must not call them.
    pub shapes: usize,
    pub table: usize,
    /// Names of static tables, their elements and lengths.
    pub statics: &'a [(String, Scalar, usize)],
    /// May locals be aligned to more than 16 bytes?
    pub aligned: bool,
    /// May a call of a recursive function stand here?
    pub recursion: bool,
    /// What may stand here beside ordinary code.
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
    /// Is it a reference already? An array that is none is borrowed where one is wanted.
    pub reference: bool,
    /// Cannot be used now, since it is borrowed.
    pub hidden: bool,
}

pub struct Body<'a> {
    pub random: &'a mut Random,
    pub world: &'a World<'a>,
    pub scope: Vec<Variable>,
    pub text: String,
    pub depth: usize,
    pub returns: Return,
    /// How often what is made now is run by one call, and what all of it costs.
    pub weight: u64,
    pub cost: u64,
    pub most: u64,
    /// Inside a loop, where `break` and `continue` may stand.
    pub in_loop: bool,
    /// Inside a closure or while something is borrowed: nothing may be changed or returned from.
    pub pure: bool,
    /// How the function may call itself, and how often yet.
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

    /// Names the parameters and puts them into scope; returns the list as it stands in the declaration.
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

    /// Is there room for something of this cost?
    pub fn affordable(&self, cost: u64) -> bool {
        self.cost + cost * self.weight <= self.most
    }

    pub fn spend(&mut self, cost: u64) {
        self.cost += cost * self.weight;
    }

    /// One of the visible variables that `wanted` accepts.
    pub fn pick<T>(&mut self, wanted: impl Fn(&Variable) -> Option<T>) -> Option<T> {
        let mut found: Vec<T> = self.scope.iter().filter(|variable| !variable.hidden).filter_map(wanted).collect();
        if found.is_empty() {
            return None;
        }
        // Young variables are likelier, so that values flow on.
        let at = self.random.below(found.len()).max(self.random.below(found.len()));
        Some(found.swap_remove(at))
    }

    /// A name of a variable of this type.
    pub fn variable(&mut self, scalar: Scalar, mutable: bool) -> Option<String> {
        self.pick(|v| matches!(v.kind, Kind::One(found) if found == scalar && (v.mutable || !mutable)).then(|| v.name.clone()))
    }

    /// The name, element and constant length (of an array) of something that has elements. Of a static too, if nothing is written.
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

    /// Runs `make` while a variable cannot be named.
    pub fn without<T>(&mut self, name: &str, make: impl FnOnce(&mut Self) -> T) -> T {
        let set = |body: &mut Self, hidden| body.scope.iter_mut().filter(|v| v.name == name).for_each(|v| v.hidden = hidden);
        set(self, true);
        let made = make(self);
        set(self, false);
        made
    }

    /// Runs `make` where nothing may be changed.
    pub fn purely<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let old = std::mem::replace(&mut self.pure, true);
        let made = make(self);
        self.pure = old;
        made
    }

    /// Runs `make` in a scope of its own that is run `times` as often.
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
