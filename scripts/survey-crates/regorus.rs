//@ std
//@ support: libm
//@ regorus = "=0.14.1"
//@ input: package example\n\nallow if {\n  input.principal == "admin"\n} else if {\n  input.action in data.allowed_actions[input.principal]\n}\n
//@ input: package example\nimport rego.v1\n\ndefault level := 0\nlevel := count(data.allowed_actions[input.principal])\nnames contains upper(name) if { some name, _ in data.allowed_actions }\npairs[k] := concat("-", v) if { some k, v in data.allowed_actions }\nhex := sprintf("%x %v %s", [255, 1.5, json.marshal({"a": [1, 2]})])\n
//@ input: package example\n\nparts := split("a,b;c", ",")\nfound := regex.find_n("[a-z]+", "ab1cd", 2)\nwhen := time.parse_rfc3339_ns("2024-01-31T12:00:00Z")\nreach := graph.reachable({"a": ["b"], "b": ["c"], "c": []}, {"a"})\nsum_of := sum([x | some x in numbers.range(1, 20); x % 3 == 0])\nversion := semver.compare("1.2.3", "1.10.0")\nnet := net.cidr_contains("10.0.0.0/8", "10.1.2.3")\nyes := yaml.unmarshal("a: [1, x]")\nmatched := glob.match("*.x", [], "a.x")\n
//@ input: package example\n\nsquare(x) := x * x\nsquares := [square(x) | some x in [1, 2, 3.5]]\nschema := json.match_schema({"id": 7}, {"type": "object", "required": ["id"]})\nnested := {k: v | some k, v in {"x": {"y": base64.encode("größe")}}}\nbad := 1 / 0\n
//! Evaluates a policy in Rego, with data and an input.
const DATA: &str = r#"{"allowed_actions": {"user1": ["read", "write"], "user2": ["read"]}}"#;
const INPUT: &str = r#"{"principal": "user1", "action": "write"}"#;

fn evaluate(policy: String) -> Result<String, Box<dyn core::error::Error + Send + Sync>> {
    let mut engine = regorus::Engine::new();
    let package = engine.add_policy("policy.rego".into(), policy)?;
    engine.add_data(regorus::Value::from_json_str(DATA)?)?;
    engine.set_input(regorus::Value::from_json_str(INPUT)?);
    let results = engine.eval_query(package, false)?;
    let value = results.result.first().and_then(|result| result.expressions.first()).map(|expression| expression.value.to_json_str());
    Ok(value.transpose()?.unwrap_or_default())
}

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = match evaluate(String::from_utf8_lossy(input).into_owned()) {
        Ok(value) => value,
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
