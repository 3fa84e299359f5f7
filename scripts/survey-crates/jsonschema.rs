//@ std
//@ support: libm
//@ jsonschema = { version = "=0.61.2", default-features = false }
//@ serde_json = "1"
//@ input: {"id": 7, "name": "abc", "tags": ["a", "b"], "when": "2024-01-31"}
//@ input: {"id": -1.5, "name": "ABC", "tags": ["a", "a"], "more": {}}
//! Checks a document against a schema.
use std::sync::LazyLock;

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::json!({
        "type": "object", "required": ["id", "name"], "additionalProperties": false,
        "properties": {
            "id": { "type": "integer", "minimum": 0, "multipleOf": 7 },
            "name": { "type": "string", "minLength": 2, "pattern": "^[a-z]+$" },
            "tags": { "type": "array", "items": { "enum": ["a", "b", 3] }, "uniqueItems": true },
            "when": { "type": "string", "format": "date" }
        }
    });
    jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap()
});

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = match serde_json::from_slice(input) {
        Ok(document) => SCHEMA.iter_errors(&document).map(|e| format!("{e} {} {}\n", e.instance_path(), e.schema_path())).collect(),
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
