//! Package rules finds the rules that hold for a JSON document. A rule is in JsonLogic, for the crate datalogic-rs, and can call functions in Go.

use datalogic_rs::bumpalo::Bump;
use datalogic_rs::operator::EvalContext;
use datalogic_rs::{ArenaExt, CustomOperator, DataValue, EngineBuilder, Error, Logic};
use rustgo::{GoError, OwnedFunc};

type OfText = OwnedFunc<fn(&str) -> Result<String, GoError>>;
type OfTextAndNumber = OwnedFunc<fn(&str, f64) -> Result<f64, GoError>>;

/// Functions are the Go functions that rules can call.
#[rustgo::object(close)]
#[derive(Default)]
pub struct Functions(EngineBuilder);

/// Engine has rules. Several goroutines can use it at one time.
#[rustgo::object(close)]
pub struct Engine {
    engine: datalogic_rs::Engine,
    rules: Vec<(String, Logic)>,
}

/// RuleError says which rule has failed. Unwrap returns the error of the Go function, if the rule called one that failed.
#[derive(Debug, rustgo::Error)]
pub struct RuleError {
    pub rule: String,
    #[rustgo(skip)]
    source: Error,
}

#[rustgo::export(task)]
impl Functions {
    /// NewFunctions returns an empty set of functions.
    pub fn new() -> Functions {
        Functions::default()
    }

    /// AddText adds a function of a text: {"country": {"var": "customer"}} calls the function "country".
    pub fn add_text(&mut self, name: &str, function: OfText) {
        self.0 = std::mem::take(&mut self.0).add_operator(name, Text(function));
    }

    /// AddNumber adds a function of a text and a number: {"spent": [{"var": "customer"}, 30]} calls the function "spent".
    pub fn add_number(&mut self, name: &str, function: OfTextAndNumber) {
        self.0 = std::mem::take(&mut self.0).add_operator(name, Number(function));
    }
}

// Rules call Go, so the methods are tasks: they run on a stack of their own. Its size is stated because the crate recurses into nested rules.
#[rustgo::export(task, stack = "4m")]
impl Engine {
    /// NewEngine returns an engine without rules. It moves all functions into the engine, so that functions is empty afterwards.
    pub fn new(functions: &mut Functions) -> Engine {
        Engine { engine: std::mem::take(&mut functions.0).build(), rules: Vec::new() }
    }

    /// Add adds a rule, which is JSON. Matching returns an error if the rule calls a function that does not exist.
    pub fn add(&mut self, name: String, rule: &str) -> Result<(), RuleError> {
        match self.engine.compile(rule) {
            Ok(logic) => self.rules.push((name, logic)),
            Err(source) => return Err(RuleError { rule: name, source }),
        }
        Ok(())
    }

    /// MatchingJSON is Matching with the facts as JSON.
    pub fn matching_json(&self, facts: &str) -> Result<Vec<String>, RuleError> {
        let mut names = Vec::new();
        for (name, logic) in &self.rules {
            let arena = Bump::new();
            match self.engine.evaluate(logic, facts, &arena) {
                Ok(value) if self.engine.truthy(value) => names.push(name.clone()),
                Ok(_) => {}
                Err(source) => return Err(RuleError { rule: name.clone(), source }),
            }
        }
        Ok(names)
    }
}

struct Text(OfText);

impl CustomOperator for Text {
    fn evaluate<'a>(
        &self,
        arguments: &[&'a DataValue<'a>],
        _: &mut EvalContext<'_, 'a>,
        arena: &'a Bump,
    ) -> Result<&'a DataValue<'a>, Error> {
        let [DataValue::String(text)] = arguments else {
            return Err(Error::invalid_arguments("the function takes a text"));
        };
        Ok(arena.string(&self.0.call(text).map_err(Error::wrap)?))
    }
}

struct Number(OfTextAndNumber);

impl CustomOperator for Number {
    fn evaluate<'a>(
        &self,
        arguments: &[&'a DataValue<'a>],
        _: &mut EvalContext<'_, 'a>,
        arena: &'a Bump,
    ) -> Result<&'a DataValue<'a>, Error> {
        let [DataValue::String(text), number] = arguments else {
            return Err(Error::invalid_arguments("the function takes a text and a number"));
        };
        let number = number.as_f64().ok_or_else(|| Error::invalid_arguments("the function takes a text and a number"))?;
        Ok(arena.f64(self.0.call(text, number).map_err(Error::wrap)?))
    }
}

impl std::fmt::Display for RuleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule {:?}: {}", self.rule, self.source)
    }
}

impl std::error::Error for RuleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
