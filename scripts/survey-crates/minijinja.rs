//@ std
//@ support: libm
//@ minijinja = { version = "=3.1.0", features = ["json", "serde"] }
//@ input: Hello {{ name|upper }}! {% for x in items %}{{ loop.index }}:{{ x * 2 ** 3 }}{% if not loop.last %}, {% endif %}{% else %}none{% endfor %}
//@ input: {% macro f(a, b=2) %}<{{ a }}-{{ b }}>{% endmacro %}{{ f(1) }}{{ f(name, 7.5) }}{% set y = items|sort|reverse|join("/") %}{{ y }} {{ items[1:]|length }} {{ missing is defined }}
//@ input: {{ name ~ 1 + 2 // 3 % 4 }} {{ "a%s" % 3 }} {{ items|tojson }} {# comment #} {{ name|replace("a", "b") }} {{ 1/0 }}
//! Renders templates.
#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let template = String::from_utf8_lossy(input);
    let environment = minijinja::Environment::new();
    let values = minijinja::context! { name => "<größe>", items => vec![3, 1, 2] };
    let text = match environment.render_str(&template, values) {
        Ok(text) => text,
        Err(error) => format!("{error} {:?} {:?}", error.kind(), error.line()),
    };
    put(out, text.as_bytes())
}
