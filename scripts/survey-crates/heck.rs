//@ support: heap
//@ heck = "=0.5.0"
//@ input: XMLHttpRequest some_thing-else ßtraße éaÉb HTTPServer2Go
//! Converts identifiers to camel case, snake case and others.
extern crate alloc;
use alloc::string::String;
use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase, ToTitleCase, ToTrainCase};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let forms = [input.to_snake_case(), input.to_kebab_case(), input.to_lower_camel_case(), input.to_pascal_case()];
    let more = [input.to_shouty_snake_case(), input.to_title_case(), input.to_train_case()];
    put(out, (forms.join("\n") + &more.join("\n")).as_bytes())
}
