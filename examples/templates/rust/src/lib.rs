//! Package jinja renders templates in the language of Jinja2, by the crate minijinja. Go functions load the templates and can be called in them.
//!
//! Go and Rust pass values to each other as JSON. The file values.go converts them in Go.

use minijinja::{Error, ErrorKind, Value};
use rustgo::{GoError, OwnedFunc};

/// Environment has the templates and functions. Several goroutines can render with it at one time.
#[rustgo::object(close)]
pub struct Environment(minijinja::Environment<'static>);

#[rustgo::export(task)]
impl Environment {
    /// NewEnvironment returns an environment that gets its templates by load. load returns the text of the template with a name, and false if there
    /// is no such template.
    pub fn new(load: OwnedFunc<fn(&str) -> Result<Option<String>, GoError>>) -> Environment {
        let mut environment = minijinja::Environment::new();
        environment.set_loader(move |name| load.call(name).map_err(|error| because(error, "the template cannot be loaded")));
        Environment(environment)
    }

    /// AddJSON is AddFunction for a function whose arguments and result are JSON.
    pub fn add_json(&mut self, name: String, function: OwnedFunc<fn(String) -> Result<String, GoError>>) {
        self.0.add_function(name, move |arguments: minijinja::value::Rest<Value>| -> Result<Value, Error> {
            let json = serde_json::to_string(&*arguments).map_err(|error| because(error, "an argument is no JSON"))?;
            let result = function.call(json).map_err(|error| because(error, "the function has failed"))?;
            serde_json::from_str(&result).map_err(|error| because(error, "the result is no JSON"))
        });
    }

    /// RenderJSON is Render with the values as a JSON object.
    pub fn render_json(&self, name: &str, values: &str) -> Result<String, Error> {
        let values: Value = serde_json::from_str(values).map_err(|error| because(error, "the values are no JSON"))?;
        self.0.get_template(name)?.render(values)
    }
}

fn because(source: impl std::error::Error + Send + Sync + 'static, what: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, what).with_source(source)
}
