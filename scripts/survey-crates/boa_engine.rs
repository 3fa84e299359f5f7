//@ std
//@ support: libm
//@ boa_engine = "=0.22.0"
//@ boa_gc = "=0.22.0"
//@ input: let two = 1 + 1; let definitely_not_four = two + "2"; definitely_not_four
//@ input: class A { #x = 1; get x() { return this.#x ** 0.5 } static *of(n) { for (let i = 0; i < n; i++) yield i } }; [...A.of(5)].map(x => x * 1.5).concat(new A().x, `t${"größe".toUpperCase()}`).join("|")
//@ input: const m = new Map([["a", 1], ["b", { c: [1, , 3] }]]); JSON.stringify([...m], null, 1) + /(?<y>\\d+)-(\\w)/u.exec("a12-b").groups.y + [3, 1, 2].sort().toString() + parseFloat("1e21x") + (0.1 + 0.2).toFixed(20)
//@ input: function f(n) { try { return n < 2 ? n : f(n - 1) + f(n - 2) } finally { f.calls = (f.calls | 0) + 1 } } var { a = f(8), ...rest } = { b: 2n ** 70n }; label: while (true) { break label } throw new TypeError(a + typeof rest.b + rest.b + f.calls + new Date(0).toISOString())
//! Runs JavaScript.
use boa_engine::{Context, Source};

fn run(code: &[u8]) -> String {
    let mut context = Context::default();
    let limits = context.runtime_limits_mut();
    limits.set_loop_iteration_limit(1000);
    limits.set_recursion_limit(60);
    match context.eval(Source::from_bytes(code)) {
        Ok(value) => match value.to_string(&mut context) {
            Ok(text) => text.to_std_string_escaped(),
            Err(error) => error.to_string(),
        },
        Err(error) => format!("Uncaught {error}"),
    }
}

#[rustgo::export(stack = "4m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = run(input);
    boa_gc::force_collect();
    put(out, text.as_bytes())
}
