//! What can be exported, in a crate that allows nothing.
#![forbid(unsafe_code, non_camel_case_types, non_snake_case, unexpected_cfgs, unused_lifetimes, single_use_lifetimes)]
#![deny(warnings, missing_docs, unreachable_pub)]

mod exports {
    /// Alias of an array.
    pub(crate) type Key = [u8; 32];
    /// Alias of a reference.
    pub(crate) type Shared<'a> = &'a Key;
    /// Alias of a result.
    pub(crate) type Pair = (u64, bool);

    #[rustgo::export]
    fn scalars(_a: u8, _b: i64, _c: usize, _d: f32, _e: bool, _f: char) -> Pair {
        (1, true)
    }

    #[rustgo::export(name = "Memory", stack = "64k",)]
    fn memory(dst: &mut Key, k: Shared<'_>, _many: &[[u8; 32]; 4], _more: &mut [[i16; 2]], _text: &str, _runes: &[char]) {
        *dst = *k;
    }

    #[rustgo::export(name = "Größe")]
    fn eight(#[allow(unused)] x: u8) -> (u8, i8, u16, i16, u32, i32, u64, char) {
        (1, 2, 3, 4, 5, 6, 7, '8')
    }

    /// A type of the Go package.
    #[rustgo::go_type]
    pub(crate) enum Task {}

    /// A pointer to a type of Go's.
    #[rustgo::go_type("*net/http.Request")]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum Request {}

    #[rustgo::go_type("NotHere")]
    #[cfg(any())]
    pub(crate) enum Request {}

    /// Alias of a handle.
    pub(crate) type Number = rustgo::Handle<Task>;

    #[rustgo::export]
    fn handles(
        _a: rustgo::Handle<Task>,
        b: Option<Number>,
        _c: &[Number],
        _d: &mut [Option<rustgo::Handle<Request>>; 4],
        _e: rustgo::Handle,
    ) -> (Option<Number>, Number) {
        (b, _a)
    }

    #[rustgo::export]
    fn single(_a: &u8, b: &mut u64, _c: Option<&Key>, _d: Option<&mut [[char; 2]; 3]>, _e: &mut Number, _f: &Option<Number>) {
        *b += 1;
    }

    #[rustgo::export(results(quotient, r#type, ok), stack = "4k")]
    fn maybe(a: u32) -> Option<(u32, i8)> {
        Some((a, 1))
    }

    #[rustgo::export(results(first, ok,))]
    fn maybe_one() -> core::option::Option<char> {
        None
    }

    #[rustgo::export(results(a, b))]
    fn named() -> Pair {
        (1, true)
    }

    #[rustgo::export]
    const fn nothing() {}

    #[rustgo::export]
    #[cfg(any())]
    fn elsewhere(x: NotHere) {}

    #[rustgo::export(blocking, stack = "64k")]
    fn lasts() {}

    #[rustgo::export(blocking_over = 4_096)]
    fn lasts_over(_data: &[u8], _key: Shared<'_>) {}

    #[rustgo::export]
    #[deprecated]
    fn old() -> () {}

    /// Names that what is generated might have for itself.
    pub(crate) mod names {
        #[rustgo::export]
        fn check(layout: u8, args: &[u8]) -> u8 {
            layout + args.len() as u8
        }

        #[rustgo::export]
        fn layout(results: u8, value0: u8, check: u8) -> u8 {
            results + value0 + check
        }

        #[rustgo::export]
        fn args(borrowed: u8) -> u8 {
            borrowed
        }

        #[rustgo::export]
        fn assert(_x: u8) {}

        #[rustgo::export]
        fn borrowed(_x: u8) {}

        #[rustgo::export]
        fn record(_record: u8) {}

        #[rustgo::export]
        fn take(_take: u8) {}
    }

    /// In a function, with a type of its own.
    pub(crate) fn outer() {
        type Local = u16;
        #[rustgo::export]
        fn inner(x: Local) -> Local {
            x
        }
    }
}

fn main() {
    exports::outer();
}
