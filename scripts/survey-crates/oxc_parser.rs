//@ std
//@ support: libm
//@ oxc_parser = "=0.146.0"
//@ oxc_allocator = "=0.146.0"
//@ oxc_span = "=0.146.0"
//@ input: export default class A extends B { #x = 1n; static async *f({ a, ...b } = {}, c = d ?? e?.[0]) { for await (const y of z) yield* y; } }
//@ input: import React, { type T as U } from "x"; enum E { A = 1 << 2, B } const f = async <T,>(x: T): Promise<T> => <div className="größe" {...x}>{x as any} &amp; text</div>; declare module "m" { type P<K extends keyof any> = { readonly [k in K]?: never } }
//@ input: var re = /(?<y>[a-z]+)\\u{1F600}(?!b)/giu, t = `a${1e3}b`, s = 'it\\'s'; label: do { if (0x1F) break label; else continue } while (!--i); try { throw new.target } catch { debugger } // note\n<!-- html\n
//! Parses JavaScript, TypeScript and JSX.
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = String::new();
    for kind in [SourceType::mjs(), SourceType::cjs(), SourceType::tsx()] {
        let allocator = Allocator::default();
        let options = ParseOptions { parse_regular_expression: true, ..ParseOptions::default() };
        let found = Parser::new(&allocator, &input, kind).with_options(options).parse();
        text += &format!("{} {:?}\n", found.panicked, found.program);
        for error in &found.diagnostics {
            text += &format!("{error} {:?} {:?}\n", error.labels, error.help);
        }
    }
    put(out, text.as_bytes())
}
