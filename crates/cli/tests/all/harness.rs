//! Named tests, run by libtest-mimic with the command-line options of Rust's own harness, and `--go-test`. A test fails by a panic. Output of `say!`
//! is shown if the test fails, or with `--nocapture`.

use clap::Parser;
use libtest_mimic::{Arguments, Failed, Trial};
use std::any::Any;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A test that has not run yet.
pub struct Test {
    name: String,
    run: Box<dyn FnOnce() + Send>,
    ignored: bool,
}

impl Test {
    pub fn new(name: impl Into<String>, run: impl FnOnce() + Send + 'static) -> Test {
        Test { name: name.into(), run: Box::new(run), ignored: false }
    }

    /// Marks the test as ignored: it runs only with `--ignored` or `--include-ignored`.
    pub fn ignored(self) -> Test {
        Test { ignored: true, ..self }
    }
}

/// Makes tests from functions of this module. A test has the name of its function. If a test function is missing in the list, the compiler reports it
/// as dead code. `#[ignored]` before a name makes the test [ignored](Test::ignored).
#[macro_export]
macro_rules! tests {
    ($($(#[$ignored:ident])? $function:ident),* $(,)?) => { $crate::tests!(fn tests: $($(#[$ignored])? $function),*); };
    (fn $name:ident: $($(#[$ignored:ident])? $function:ident),* $(,)?) => {
        pub fn $name() -> Vec<$crate::harness::Test> {
            vec![$($crate::harness::Test::new($crate::harness::name(module_path!(), stringify!($function)), $function)$(.$ignored())?),*]
        }
    };
}

/// The function's path without the name of this program.
pub fn name(module: &str, function: &str) -> String {
    format!("{}::{function}", module.split_once("::").map_or(module, |(_, module)| module))
}

/// The names of all tests.
pub static NAMES: OnceLock<Vec<String>> = OnceLock::new();

/// The command line.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
    /// In the tests of `promises`, run only the Go test NAME, or its subtest NAME/SUBTEST
    #[arg(long, value_name = "NAME")]
    go_test: Option<String>,
}

static OPTIONS: LazyLock<Options> = LazyLock::new(Options::parse);

/// The only Go test that the tests of `promises` run: `NAME` or `NAME/SUBTEST`. `None` if they run all.
pub fn go_test() -> Option<&'static str> {
    OPTIONS.go_test.as_deref()
}

/// True if a test of this name will run. `ignored` is true if the test is [`Test::ignored`].
pub fn is_selected(name: &str, ignored: bool) -> bool {
    let arguments = &OPTIONS.arguments;
    let is_left_out = ignored && !arguments.ignored && !arguments.include_ignored;
    !arguments.list && !is_left_out && !arguments.is_filtered_out(&Trial::test(name, || Ok(())).with_ignored_flag(ignored))
}

thread_local! {
    /// The output of the test that runs on this thread; `None` if no test runs on the thread.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prints a line to the output of the running test.
#[macro_export]
macro_rules! say {
    ($($what:tt)*) => { $crate::harness::said(&format!($($what)*)) };
}

pub fn said(line: &str) {
    SAID.with_borrow_mut(|said| match said {
        Some(said) if !OPTIONS.arguments.nocapture => writeln!(said, "{line}").expect("a string takes everything"),
        _ => println!("{line}"),
    });
}

/// Runs the tests that the command line selects.
pub fn run(tests: Vec<Test>) -> ExitCode {
    let mut names = BTreeSet::new();
    tests.iter().for_each(|test| assert!(names.insert(&test.name), "two tests are called {}", test.name));
    drop(names);
    NAMES.set(tests.iter().map(|test| test.name.clone()).collect()).expect("tests are run once");
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let is_told = SAID.with_borrow_mut(|said| said.as_mut().map(|said| writeln!(said, "{info}")).is_some());
        if !is_told {
            default(info);
        }
    }));
    let trial = |test: Test| {
        let name = test.name.clone();
        Trial::test(test.name, move || timed(name, || outcome(test.run))).with_ignored_flag(test.ignored)
    };
    let conclusion = libtest_mimic::run(&OPTIONS.arguments, tests.into_iter().map(trial).collect());
    print_slowest();
    conclusion.exit_code()
}

/// The duration of each test that ran. A step shared by several tests counts for the first test that uses it.
static TIMES: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

fn timed<T>(name: String, run: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = run();
    TIMES.lock().expect("no test panics with the lock").push((began.elapsed(), name));
    result
}

/// Prints the slowest tests, at most 20 and only those that took 5 seconds or more, and then the sums of the times by module. Tests run at the same
/// time, so the sums together exceed the elapsed time.
fn print_slowest() {
    let mut times = TIMES.lock().expect("no test panics with the lock");
    times.sort_by_key(|(time, _)| Reverse(*time));
    let slow = times.iter().filter(|(time, _)| time.as_secs() >= 5);
    for (time, name) in slow.take(20) {
        println!("{:6} s  {name}", time.as_secs());
    }
    let mut sums: BTreeMap<&str, (Duration, usize)> = BTreeMap::new();
    for (time, name) in times.iter() {
        let (sum, tests) = sums.entry(name.split("::").next().unwrap_or_default()).or_default();
        *sum += *time;
        *tests += 1;
    }
    let mut sums: Vec<_> = sums.into_iter().filter(|(_, (time, _))| time.as_secs() >= 5).collect();
    sums.sort_by_key(|(_, (time, _))| Reverse(*time));
    for (module, (time, tests)) in sums {
        println!("{:6} s  {module}: {tests} tests", time.as_secs());
    }
}

fn outcome(run: Box<dyn FnOnce() + Send>) -> Result<(), Failed> {
    SAID.set(Some(String::new()));
    let ended = catch_unwind(AssertUnwindSafe(run));
    let said = SAID.take().unwrap_or_default();
    ended.map_err(|_| said.into())
}

/// The message of a panic.
pub fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}

/// A step that several tests share. The first test that needs the step performs it. If the step fails, all these tests fail, but only one of them
/// shows the reason.
pub struct Shared<T> {
    made: OnceLock<Result<T, String>>,
    is_told: AtomicBool,
    make: Box<dyn Fn() -> T + Send + Sync>,
}

impl<T> Shared<T> {
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Shared<T> {
        Shared { made: OnceLock::new(), is_told: AtomicBool::new(false), make: Box::new(make) }
    }

    pub fn get(&self) -> &T {
        let make = || catch_unwind(AssertUnwindSafe(&self.make)).map_err(|panic| words(&*panic));
        match self.made.get_or_init(make) {
            Ok(made) => made,
            Err(_) if self.is_told.swap(true, Ordering::Relaxed) => {
                panic!("a step that this test shares with others fails; one of them says why")
            }
            Err(problem) => panic!("a step that this test shares with others fails: {problem}"),
        }
    }
}
