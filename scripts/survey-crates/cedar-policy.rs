//@ std
//@ support: libm
//@ cedar-policy = "=4.14.1"
//@ input: permit(principal == User::"alice", action == Action::"view", resource == File::"93");
//@ input: @id("one")\npermit(principal in Group::"friends", action in [Action::"view", Action::"edit"], resource is File)\nwhen { resource.owner == principal || context.hour > 8 && resource.tags.contains("public") }\nunless { context has ip && context.ip.isInRange(ip("10.0.0.0/8")) };\n
//@ input: forbid(principal, action, resource) when { decimal("1.5").lessThan(decimal("2.25")) && principal.name like "al*e" && (if resource.size + 1 > 9223372036854775806 then 1 < "x" else true) };\npermit(principal, action, resource);\n
//! Decides whether a request is allowed by policies, checks them against a schema, and formats them.
use cedar_policy::{Authorizer, Context, Entities, PolicySet, Request, Schema, ValidationMode, Validator};

const ENTITIES: &str = r#"[
    {"uid": {"type": "User", "id": "alice"}, "attrs": {"name": "alice"}, "parents": [{"type": "Group", "id": "friends"}]},
    {"uid": {"type": "Group", "id": "friends"}, "attrs": {}, "parents": []},
    {"uid": {"type": "File", "id": "93"}, "attrs": {"owner": {"__entity": {"type": "User", "id": "bob"}}, "tags": ["public"], "size": 7}, "parents": []}
]"#;
const SCHEMA: &str = r#"
    entity Group;
    entity User in [Group] { name: String };
    entity File { owner: User, tags: Set<String>, size: Long };
    action view, edit appliesTo { principal: [User], resource: [File], context: { hour: Long, ip?: ipaddr } };
"#;

fn decide(policies: &str) -> String {
    let policies: PolicySet = match policies.parse() {
        Ok(policies) => policies,
        Err(error) => return format!("{error:?}"),
    };
    let schema: Schema = SCHEMA.parse().unwrap();
    let entities = Entities::from_json_str(ENTITIES, Some(&schema)).unwrap();
    let context = Context::from_json_str(r#"{"hour": 9, "ip": {"fn": "ip", "arg": "10.1.2.3"}}"#, None).unwrap();
    let mut text = String::new();
    for user in [r#"User::"alice""#, r#"User::"bob""#] {
        let view = r#"Action::"view""#.parse().unwrap();
        let file = r#"File::"93""#.parse().unwrap();
        let request = Request::new(user.parse().unwrap(), view, file, context.clone(), Some(&schema)).unwrap();
        let answer = Authorizer::new().is_authorized(&request, &policies, &entities);
        let mut reasons: Vec<String> = answer.diagnostics().reason().map(|id| id.to_string()).collect();
        reasons.extend(answer.diagnostics().errors().map(|error| error.to_string()));
        reasons.sort();
        text += &format!("{:?} {reasons:?}\n", answer.decision());
    }
    let checked = Validator::new(schema).validate(&policies, ValidationMode::default());
    let mut findings: Vec<String> = checked.validation_errors().map(|error| error.to_string()).collect();
    findings.extend(checked.validation_warnings().map(|warning| warning.to_string()));
    findings.sort();
    let mut sources: Vec<String> = policies.policies().map(|policy| format!("{policy} {:?}", policy.to_json().map_err(|e| e.to_string()))).collect();
    sources.sort();
    format!("{text}{}\n{}", findings.join("\n"), sources.join("\n"))
}

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    put(out, decide(&String::from_utf8_lossy(input)).as_bytes())
}
