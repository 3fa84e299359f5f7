//@ std
//@ support: libm
//@ jaq-core = "=3.1.2"
//@ jaq-std = "=3.0.4"
//@ jaq-json = "=2.0.3"
//@ input: .items[] | select(.price > 2) | {name, total: (.price * .count)}
//@ input: [.items[].name] | map(ascii_upcase) | join(", "), length, (sort | reverse), index("A")
//@ input: def f(x): x as $y | if $y > 1 then "many" elif $y == 1 then "one" else null end; .items | map(f(.count)), to_entries, group_by(.count)
//@ input: .items |= map(.price += 0.5) | .items[0] | tojson, @base64 "x\\(.name)", @csv "\\([.price, .name])", (.name | test("^[a-z]+$"; "i")), (try error("bad") catch .)
//@ input: .when | strptime("%Y-%m-%d") | mktime, todate, (.missing?), ([limit(3; .. )]), (reduce .[] as $x (0; . + $x)), pow(2; 10), ("a,b" | split(",")), ltrimstr("x")
//! Runs a program in the language of jq, with a document in JSON.
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data};
use jaq_json::{Val, read};

const DOCUMENT: &[u8] = br#"{"items": [{"name": "a", "price": 1.5, "count": 3}, {"name": "gr\u00f6\u00dfe", "price": 4, "count": 1}], "when": "2024-01-31"}"#;

fn filter(code: &str) -> String {
    let input = read::parse_single(DOCUMENT).unwrap();
    let loader = Loader::new(jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs()));
    let arena = Arena::default();
    let modules = match loader.load(&arena, File { code, path: () }) {
        Ok(modules) => modules,
        Err(errors) => return format!("{errors:?}"),
    };
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let filter = match Compiler::default().with_funs(functions).compile(modules) {
        Ok(filter) => filter,
        Err(errors) => return format!("{errors:?}"),
    };
    let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let mut text = String::new();
    for value in filter.id.run((context, input)).take(50) {
        match value.map_err(|exception| exception.get_err()) {
            Ok(value) => text += &format!("{value}\n"),
            Err(Ok(error)) => text += &format!("error: {error}\n"),
            Err(Err(exception)) => text += &format!("halt {:?}\n", exception.get_halt().ok()),
        }
    }
    text
}

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    put(out, filter(&String::from_utf8_lossy(input)).as_bytes())
}
