//! Compares the errors of the macros with golden files: beside each file in `ui/` is a file with the compiler's messages for it. The command
//! `TRYBUILD=overwrite cargo test -p rustgo-macro --test ui` updates the golden files.

#[test]
fn refusals() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/accepted.rs");
    cases.pass("tests/ui/hostile.rs");
    cases.pass("tests/ui/vouched.rs");
    for refused in [
        "attributes",
        "constants",
        "errors",
        "forbidden",
        "functions",
        "go_types",
        "handles",
        "interfaces",
        "interfaces_by_trait",
        "items",
        "iterators",
        "lifetimes",
        "methods",
        "names",
        "objects",
        "options",
        "parameters",
        "parameters_by_trait",
        "results",
        "results_by_trait",
        "values",
    ] {
        cases.compile_fail(format!("tests/ui/{refused}.rs"));
    }
}
