//@ std
//@ handlebars = { version = "=6.3.2", default-features = false }
//@ serde_json = "1"
//@ input: Hello {{name}}! {{#each items}}{{@index}}={{this}}{{#unless @last}}, {{/unless}}{{else}}none{{/each}}
//@ input: {{#if missing}}a{{else if name}}{{{name}}}{{/if}} {{#with deep}}{{x.y}} {{../name}}{{/with}} {{lookup items 1}} {{!-- note --}}{{~ name ~}} x
//@ input: {{#*inline "part"}}<{{n}}>{{/inline}}{{> part n=7}} {{#if (gt 3 2)}}yes{{/if}} {{len name}} {{bogus 1}}
//! Renders templates with blocks and partials.
#[rustgo::export(stack = "900k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let template = String::from_utf8_lossy(input);
    let values = serde_json::json!({ "name": "<größe>", "items": [3, 1, "x"], "deep": { "x": { "y": 1.5 } } });
    let text = match handlebars::Handlebars::new().render_template(&template, &values) {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
