//! Rules of watched calls and of their records.

use super::Mutant;

const PROMISE: &[&str] = &["promises::watch::"];

pub const LIST: &[Mutant] = &[
    Mutant {
        rule: "a blocking call is not watched",
        file: "api/function.rs",
        from: "self.blocking.is_some() || self.is_routine || self.makes_iterator()",
        to: "self.is_routine || self.makes_iterator()",
        tests: PROMISE,
    },
    Mutant {
        rule: "a watched call ends when it panics",
        file: "bind/wrapper.rs",
        from: "format!(\"defer {RT}.WatchCall().End()\")",
        to: "format!(\"{RT}.WatchCall().End()\")",
        tests: PROMISE,
    },
    Mutant {
        rule: "a package registers itself as watchable",
        file: "bind/functions.rs",
        from: "vec![format!(\"{RT}.WatchPackage()\")]",
        to: "vec![format!(\"_ = {RT}.WatchPackage\")]",
        tests: PROMISE,
    },
    Mutant {
        rule: "a call that has ended is removed from the records",
        file: "go/rt/watch.go",
        from: "\tdelete(c.dog.calls, c)\n",
        to: "",
        tests: &["rt TestWatch"],
    },
    Mutant {
        rule: "after Stop nothing is reported",
        file: "go/rt/watch.go",
        from: "\tif dog.stopped {",
        to: "\tif false {",
        tests: &["rt TestWatch"],
    },
    Mutant {
        rule: "Stop waits for running reports",
        file: "go/rt/watch.go",
        from: "\tfor len(dog.reporting) > 0 {",
        to: "\tfor false {",
        tests: &["rt TestWatch"],
    },
];
