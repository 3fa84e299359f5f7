//@ std
//@ support: libm
//@ grok = { version = "=2.4.1", default-features = false, features = ["fancy-regex"] }
//@ input: 127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif?q=1 HTTP/1.0" 200 2326
//@ input: 2024-01-31T12:00:00Z ERROR [main] größe: http://user@x.y:80/path 1.5e3 fe80::1 "quoted \\" text" frank@example.org
//! Matches lines of a log against named patterns. The engine is the crate fancy-regex: the default engine, Oniguruma, calls C's alloca in
//! its function `match_at`, which rustgo refuses.
use grok::Grok;
use std::sync::LazyLock;

static PATTERNS: LazyLock<Vec<grok::Pattern>> = LazyLock::new(|| {
    let mut grok = Grok::with_default_patterns();
    grok.add_pattern("USERNAME", r"[a-zA-Z0-9._-]+");
    let wanted = [
        "%{USERNAME}",
        r#"%{IPORHOST:client} %{USER:ident} %{USER:auth} \[%{HTTPDATE:time}\] "%{WORD:verb} %{URIPATHPARAM:path} HTTP/%{NUMBER:version}" %{INT:code} %{INT:bytes}"#,
        r"%{TIMESTAMP_ISO8601:time} %{LOGLEVEL:level} \[%{WORD:thread}\] %{GREEDYDATA:message}",
        "%{URI:uri}|%{EMAILADDRESS:email}",
    ];
    wanted.map(|pattern| grok.compile(pattern, false).unwrap()).into()
});

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = String::new();
    for line in input.lines().take(50) {
        let line: String = line.chars().take(200).collect();
        for pattern in PATTERNS.iter() {
            if let Some(found) = pattern.match_against(&line) {
                let mut fields: Vec<_> = found.iter().collect();
                fields.sort();
                text += &format!("{fields:?}\n");
            }
        }
    }
    text += &format!("{:?}", Grok::empty().compile(&input, false).map(|_| ()));
    put(out, text.as_bytes())
}
