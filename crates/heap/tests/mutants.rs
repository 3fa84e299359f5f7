//! Applies mutants to the heap. Each mutant breaks a rule of the heap, and a test must then fail.
//!
//! By default, only a check runs that each replaced text occurs once in its file. The ignored test applies each mutant to a copy of the crate and
//! runs the test target that the list names. The ignored test takes minutes:
//!
//! ```text
//! cargo test -p rustgo-heap --test mutants -- --ignored
//! ```
#![cfg(not(loom))]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Mutant {
    /// The rule that the mutant breaks.
    rule: &'static str,
    file: &'static str,
    /// The replaced text, which occurs once in the file.
    from: &'static str,
    to: &'static str,
    /// The test target that must fail.
    test: &'static str,
}

const LIST: &[Mutant] = &[
    Mutant {
        rule: "an object is freed at its start only",
        file: "small.rs",
        from: "!class(index).divides(inner as u32) || ",
        to: "",
        test: "misuse",
    },
    Mutant {
        rule: "an object that was never handed out is not freed",
        file: "small.rs",
        from: " || inner as u32 >= slab.bump.get()",
        to: "",
        test: "misuse",
    },
    Mutant {
        rule: "an object that waits for its owner is marked as free",
        file: "small.rs",
        from: "            object.add(1).write(!tag);\n            owner",
        to: "            owner",
        test: "misuse",
    },
    Mutant {
        rule: "an object that is handed out is not marked as free",
        file: "small.rs",
        from: "object.add(1).write(0);",
        to: "",
        test: "misuse",
    },
    Mutant {
        rule: "the second word alone does not make a double free",
        file: "small.rs",
        from: "if first ^ tag <= LINK_MAX || first < self.region().bytes as u64 {",
        to: "if first != 0 || tag != 0 {",
        test: "misuse",
    },
    Mutant {
        rule: "links are checked when an object is handed out again",
        file: "small.rs",
        from: "if link > LINK_MAX {",
        to: "if link > u64::MAX - 1 {",
        test: "misuse",
    },
    Mutant {
        rule: "only fresh objects are known to be zero",
        file: "small.rs",
        from: "zero: free == 0 && slab.zero.get()",
        to: "zero: slab.zero.get()",
        test: "limits",
    },
    Mutant {
        rule: "a slab from the cache is not zero",
        file: "small.rs",
        from: "(slab.get() as usize, false)",
        to: "(slab.get() as usize, true)",
        test: "model",
    },
    Mutant {
        rule: "a slab that was used is dirty",
        file: "arena.rs",
        from: "region.set(region.dirty(), start, n, true);",
        to: "",
        test: "model",
    },
    Mutant {
        rule: "a full slab joins the list when an object of it is freed",
        file: "shard.rs",
        from: "slab.used.set((slab.used.get() - 1) | FULL);",
        to: "slab.used.set(slab.used.get() - 1);",
        test: "limits",
    },
    Mutant {
        rule: "the current slab counts its bin, so that it is not given back",
        file: "shard.rs",
        from: "slab.used.set(slab.used.get() + 1);",
        to: "",
        test: "model",
    },
    Mutant { rule: "a shard goes through what others freed", file: "small.rs", from: "self.drain(shard, BATCH);", to: "", test: "threads" },
    Mutant {
        rule: "objects of another shard are not put in this shard's lists",
        file: "heap.rs",
        from: "if entry >> 8 == Shard::number_of(SHARED + place) {",
        to: "if entry >> 8 > SHARED as u32 {",
        test: "threads",
    },
    Mutant {
        rule: "shared shards are used under their lock",
        file: "heap.rs",
        from: "if shard.others.lock.try_lock() {\n                    let result",
        to: "if true {\n                    let result",
        test: "threads",
    },
    Mutant {
        rule: "arenas are used under their lock",
        file: "arena.rs",
        from: "if !arena.lock.try_lock() {",
        to: "if !arena.lock.try_lock() && false {",
        test: "threads",
    },
    Mutant {
        rule: "runs that were left at a busy arena are put in order",
        file: "arena.rs",
        from: "            self.put_all(region, arena, run);\n",
        to: "",
        test: "threads",
    },
    Mutant { rule: "a run does not overlap used slabs", file: "arena.rs", from: "if at == start {", to: "if at >= start {", test: "model" },
    Mutant {
        rule: "an allocation waits for a run that goes back to the system",
        file: "arena.rs",
        from: "let mut busy = withheld & 1 != 0;",
        to: "let mut busy = false;",
        test: "limits",
    },
    Mutant {
        rule: "hints fall when a run is given back",
        file: "arena.rs",
        from: "hint.set(hint.get().min(run));",
        to: "",
        test: "limits",
    },
    Mutant {
        rule: "the hints allow for free slabs before the run",
        file: "arena.rs",
        from: "let run = region.find_back(region.used(), low, start, true);",
        to: "let run = low.max(start);",
        test: "limits",
    },
    Mutant {
        rule: "runs are aligned by their addresses",
        file: "arena.rs",
        from: "((base + at + align - 1) & !(align - 1)) - base",
        to: "(at + align - 1) & !(align - 1)",
        test: "limits",
    },
    Mutant {
        rule: "released slabs are committed again",
        file: "region.rs",
        from: "            self.set(self.committed, slab, n, false);\n",
        to: "",
        test: "model",
    },
    Mutant {
        rule: "metadata is committed before it is used",
        file: "arena.rs",
        from: "self.ready.set(ready);",
        to: "self.ready.set(region.end);",
        test: "limits",
    },
    Mutant {
        rule: "a run that is lengthened counts",
        file: "heap.rs",
        from: "shard.slabs_allocated.add(new.saturating_sub(old));",
        to: "",
        test: "model",
    },
    Mutant {
        rule: "what is in use and the limit are compared",
        file: "arena.rs",
        from: "if new > self.limit.load(Relaxed).saturating_add(reserve) {",
        to: "if new > usize::MAX - 1 {",
        test: "limits",
    },
    Mutant {
        rule: "only a panic may exceed the limit",
        file: "arena.rs",
        from: "if S::exceeds() { RESERVE } else { 0 }",
        to: "if !S::exceeds() { RESERVE } else { 0 }",
        test: "limits",
    },
];

fn source(root: &Path, mutant: &Mutant) -> PathBuf {
    root.join("src").join(mutant.file)
}

#[test]
fn each_replaced_text_occurs_once() {
    for mutant in LIST {
        let text = std::fs::read_to_string(source(Path::new(env!("CARGO_MANIFEST_DIR")), mutant)).unwrap();
        assert_eq!(text.matches(mutant.from).count(), 1, "{}", mutant.rule);
    }
}

#[test]
#[ignore = "takes minutes"]
fn each_mutant_is_noticed() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    copy(&root);
    let survived: Vec<_> = LIST.iter().filter(|mutant| !is_noticed(&root, mutant)).map(|mutant| mutant.rule).collect();
    assert!(survived.is_empty(), "survived: {survived:#?}");
}

/// Copies the crate into a workspace of its own.
fn copy(root: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "tests", "tests/common"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        for file in here.join(folder).read_dir().unwrap().map(Result::unwrap).filter(|file| file.path().is_file()) {
            std::fs::copy(file.path(), root.join(folder).join(file.file_name())).unwrap();
        }
    }
    let manifest = "[package]\nname = \"rustgo-heap\"\nedition = \"2024\"\n[dev-dependencies]\nlibc = \"0.2\"\n[workspace]\n";
    std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
}

/// True if the mutant's test target fails, or runs for more than 90 seconds.
fn is_noticed(root: &Path, mutant: &Mutant) -> bool {
    let file = source(root, mutant);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(mutant.from, mutant.to)).unwrap();
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["test", "--offline", "--quiet", "--test", mutant.test]).args(arguments).current_dir(root);
        command.env("CARGO_TARGET_DIR", root.join("target")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    assert!(cargo(&["--no-run"]).wait().unwrap().success(), "does not build without: {}", mutant.rule);
    let mut tests = cargo(&[]);
    let began = Instant::now();
    let noticed = loop {
        match tests.try_wait().unwrap() {
            Some(status) => break !status.success(),
            None if began.elapsed() > Duration::from_secs(90) => {
                tests.kill().unwrap();
                break true;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    std::fs::write(&file, text).unwrap();
    println!("{} {}", if noticed { "noticed " } else { "SURVIVED" }, mutant.rule);
    noticed
}
