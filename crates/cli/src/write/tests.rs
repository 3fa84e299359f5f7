use super::*;
use std::time::{Duration, SystemTime};

fn generated(text: &str) -> Vec<u8> {
    format!("// {}\n\n{text}", gosrc::generated_line("rustgo build")).into_bytes()
}

fn files(entries: &[(&str, &str)]) -> Files {
    entries.iter().map(|(name, text)| ((*name).to_owned(), generated(text))).collect()
}

/// Returns the package's own folder, with these files.
fn package(dir: impl AsRef<Path>, files: &Files) -> [Folder; 1] {
    [Folder { dir: dir.as_ref().to_owned(), shown: String::new(), files: files.clone() }]
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn reasons<T: std::fmt::Debug>(result: Result<T>) -> Vec<Diagnostic> {
    match result {
        Err(Failure::Refused(reasons)) => reasons,
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_are_written_once() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a/b");
    let first = files(&[("rustgo.go", "package a\n"), ("rustgo_amd64.s", "TEXT\n")]);
    assert_eq!(write(&package(&out, &first)).unwrap().written, ["rustgo.go", "rustgo_amd64.s"]);
    assert_eq!(names(&out), ["rustgo.go", "rustgo_amd64.s"]);

    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in first.keys() {
        std::fs::File::options().write(true).open(out.join(name)).unwrap().set_modified(old).unwrap();
    }
    let second = files(&[("rustgo.go", "package a\n"), ("rustgo_amd64.s", "TEXT 2\n")]);
    let written = write(&package(&out, &second)).unwrap();
    assert_eq!((written.written, written.unchanged), (vec!["rustgo_amd64.s".to_owned()], vec!["rustgo.go".to_owned()]));
    let modified = |name: &str| std::fs::metadata(out.join(name)).unwrap().modified().unwrap();
    assert_eq!(modified("rustgo.go"), old);
    assert!(modified("rustgo_amd64.s") > old);
    assert_eq!(std::fs::read(out.join("rustgo_amd64.s")).unwrap(), second["rustgo_amd64.s"]);
    assert_eq!(names(&out), ["rustgo.go", "rustgo_amd64.s"]);
}

#[test]
fn adopt_is_all_or_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (made, dir, runtime) = (root.path().join(".made"), root.path().join("dir"), root.path().join("internal/rt"));
    let outside = package(&runtime, &files(&[("rt.go", "package rt\n")]));
    std::fs::create_dir(&made).unwrap();
    std::fs::write(made.join("file"), "text").unwrap();

    // `adopt` fails if a file in an outside folder was not written by rustgo.
    std::fs::create_dir_all(&runtime).unwrap();
    std::fs::write(runtime.join("rt.go"), "package mine\n").unwrap();
    let refused = reasons(adopt(&made, &dir, |_| false, &outside));
    assert!(refused[0].message.ends_with("rt.go was not written by rustgo and will not be replaced"));
    assert_eq!((names(root.path()), names(&made)), (vec![".made".to_owned(), "internal".to_owned()], vec!["file".to_owned()]));
    std::fs::remove_file(runtime.join("rt.go")).unwrap();

    assert!(adopt(&made, &dir, |_| false, &outside).unwrap().is_empty());
    assert_eq!((names(root.path()), names(&dir)), (vec!["dir".to_owned(), "internal".to_owned()], vec!["file".to_owned()]));
    assert_eq!(names(&runtime), ["rt.go"]);
}

#[test]
fn an_existing_folder_gets_files_and_loses_none() {
    let root = tempfile::tempdir().unwrap();
    let (made, dir, runtime) = (root.path().join(".made"), root.path().join("dir"), root.path().join("internal/rt"));
    let outside = package(&runtime, &files(&[("rt.go", "package rt\n")]));
    for (name, text) in [("LICENSE", "same"), ("README.md", "new"), ("a/file", "text"), ("go.mod", "module new"), ("z", "text")] {
        std::fs::create_dir_all(made.join(name).parent().unwrap()).unwrap();
        std::fs::write(made.join(name), text).unwrap();
    }
    std::fs::create_dir(&dir).unwrap();
    for (name, text) in [("LICENSE", "same"), ("README.md", "mine"), ("go.mod", "module mine")] {
        std::fs::write(dir.join(name), text).unwrap();
    }
    let all = |dir: &Path| -> Vec<(String, String)> {
        let text = |name: &String| std::fs::read_to_string(dir.join(name)).unwrap_or_else(|_| names(&dir.join(name)).join(" "));
        names(dir).into_iter().map(|name| (text(&name), name)).collect()
    };
    let before = (all(&made), all(&dir));
    let adopted = || adopt(&made, &dir, |name| name == "go.mod", &outside);

    // Each of three obstacles stops `adopt` at a later step: a folder, a file with the new name of a file, and a file in an outside folder.
    for (path, is_dir) in [(dir.join("z"), true), (dir.join("README.md.new"), false), (runtime.join("rt.go"), false)] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if is_dir { std::fs::create_dir(&path) } else { std::fs::write(&path, "package mine\n") }.unwrap();
        assert!(reasons(adopted())[0].message.contains(path.file_name().unwrap().to_str().unwrap()), "{}", path.display());
        if is_dir { std::fs::remove_dir(&path) } else { std::fs::remove_file(&path) }.unwrap();
        assert_eq!((all(&made), all(&dir)), before, "{}", path.display());
    }

    #[cfg(unix)]
    let number = |dir: &Path| std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(dir).unwrap());
    #[cfg(unix)]
    let same = number(&dir);
    assert_eq!(adopted().unwrap(), ["README.md"]);
    #[cfg(unix)]
    assert_eq!(number(&dir), same, "the folder was replaced");
    let expected =
        [("same", "LICENSE"), ("mine", "README.md"), ("new", "README.md.new"), ("file", "a"), ("module mine", "go.mod"), ("text", "z")];
    assert_eq!(all(&dir), expected.map(|(text, name)| (text.to_owned(), name.to_owned())));
    assert_eq!(names(&runtime), ["rt.go"]);
}

#[test]
fn foreign_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("rustgo.go"), "package mine\n").unwrap();
    std::fs::write(dir.path().join("other.go"), "package mine\n").unwrap();
    let reasons = reasons(write(&package(dir.path(), &files(&[("rustgo.go", "x"), ("rustgo_amd64.s", "y")]))));
    assert_eq!(reasons[0].code, ErrorCode::Output);
    assert!(reasons[0].message.ends_with("rustgo.go was not written by rustgo and will not be replaced"));
    assert_eq!(names(dir.path()), ["other.go", "rustgo.go"]);
    assert_eq!(std::fs::read(dir.path().join("rustgo.go")).unwrap(), b"package mine\n");
}

#[test]
fn an_impossible_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "text").unwrap();
    let set = files(&[("rustgo.go", "x")]);
    assert!(reasons(write(&package(&file, &set)))[0].message.ends_with("is not a folder"));
    for out in [file.join("below"), file.join("below/further")] {
        assert_eq!(reasons(write(&package(&out, &set)))[0].code, ErrorCode::Output, "{}", out.display());
    }
    std::fs::create_dir_all(dir.path().join("out/rustgo.go")).unwrap();
    assert_eq!(reasons(write(&package(dir.path().join("out"), &set)))[0].code, ErrorCode::Output);
    assert_eq!(names(dir.path()), ["file", "out"]);
    assert_eq!(std::fs::read(&file).unwrap(), b"text");
}

#[test]
fn a_failure_in_the_middle_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let before = files(&[("a.go", "old a"), ("c.go", "old c")]);
    write(&package(dir.path(), &before)).unwrap();
    let after = files(&[("a.go", "new a"), ("b.go", "new b"), ("c.go", "new c")]);
    for fails_at in 0..after.len() {
        let change = |(name, bytes): (&'static str, _)| Change { folder: dir.path(), name, bytes, exists: before.contains_key(name) };
        let changes: Vec<Change<'_>> = ["a.go", "b.go", "c.go"].map(|name| change((name, &after[name]))).into();
        let mut count = 0;
        let result = replace(&changes, |staged, path| {
            count += 1;
            if count > fails_at { Err(io::Error::other("no")) } else { staged.persist(path).map_err(|error| error.error) }
        });
        assert!(result.unwrap_err().message.ends_with(": no"));
        assert_eq!(names(dir.path()), ["a.go", "c.go"], "failed at {fails_at}");
        for (name, bytes) in &before {
            assert_eq!(&std::fs::read(dir.path().join(name)).unwrap(), bytes, "{name}, failed at {fails_at}");
        }
    }
}

/// Returns the package's folder and the folder of a copied run-time package.
fn two(dir: &Path, own: &[(&str, &str)], copy: &[(&str, &str)]) -> [Folder; 2] {
    let folder = |name: &str, shown: &str, entries| Folder { dir: dir.join(name), shown: shown.into(), files: files(entries) };
    [folder("p", "", own), folder("internal/rustgo/rt", "internal/rustgo/rt/", copy)]
}

#[test]
fn several_folders_are_one_set() {
    let dir = tempfile::tempdir().unwrap();
    let folders = two(dir.path(), &[("rustgo.go", "a")], &[("doc.go", "b"), ("old.s", "c")]);
    let all = ["rustgo.go", "internal/rustgo/rt/doc.go", "internal/rustgo/rt/old.s"];
    assert_eq!(write(&folders).unwrap().written, all);
    assert_eq!(write(&folders).unwrap().unchanged, all);
    compare(&folders).unwrap();

    let later = two(dir.path(), &[("rustgo.go", "a")], &[("doc.go", "2")]);
    let reasons = reasons(compare(&later));
    let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "internal/rustgo/rt/doc.go is not what the source gives: line 3 differs",
            "internal/rustgo/rt/old.s is no longer made from the source"
        ]
    );
    let written = write(&later).unwrap();
    assert_eq!((written.written, written.left_over), (vec![all[1].to_owned()], vec![all[2].to_owned()]));
}

#[test]
fn files_that_change_the_package_are_stale() {
    let dir = tempfile::tempdir().unwrap();
    let folders = two(dir.path(), &[("rustgo.go", "a")], &[("doc.go", "b")]);
    write(&folders).unwrap();
    for name in ["p/own.go", "p/textflag.h", "internal/rustgo/rt/evil.go", "internal/rustgo/rt/asm_amd64.h"] {
        std::fs::write(dir.path().join(name), "package a\n").unwrap();
    }
    let reasons = reasons(compare(&folders));
    let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "textflag.h hides Go's own header from the assembler",
            "internal/rustgo/rt/asm_amd64.h hides Go's own header from the assembler",
            "internal/rustgo/rt/evil.go is not made from the source",
        ]
    );
    assert!(reasons.iter().all(|reason| reason.hint.as_deref() == Some("remove it")));
}

#[test]
fn unwritable_folder_prevents_all_writes() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("internal"), "a file").unwrap();
    let folders = two(dir.path(), &[("rustgo.go", "a")], &[("doc.go", "b")]);
    assert!(reasons(write(&folders))[0].message.contains("internal"));
    assert_eq!(names(dir.path()), ["internal"]);

    std::fs::remove_file(dir.path().join("internal")).unwrap();
    std::fs::create_dir_all(dir.path().join("internal/rustgo/rt")).unwrap();
    std::fs::write(dir.path().join("internal/rustgo/rt/doc.go"), "package mine\n").unwrap();
    assert!(reasons(write(&folders))[0].message.ends_with("doc.go was not written by rustgo and will not be replaced"));
    assert_eq!(names(dir.path()), ["internal"]);
}

#[test]
fn stale_files_are_named_with_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let committed = files(&[("rustgo.go", "package a\nfunc F()\n"), ("rustgo_arm64.s", "TEXT\n")]);
    write(&package(dir.path(), &committed)).unwrap();
    compare(&package(dir.path(), &committed)).unwrap();

    let now = files(&[("rustgo.go", "package a\nfunc G()\n"), ("rustgo_amd64.s", "TEXT\n")]);
    let reasons = reasons(compare(&package(dir.path(), &now)));
    let messages: Vec<&str> = reasons.iter().map(|reason| reason.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "rustgo.go is not what the source gives: line 4 differs",
            "rustgo_amd64.s is missing",
            "rustgo_arm64.s is no longer made from the source"
        ]
    );
    assert_eq!(reasons[0].notes, ["committed: func F()\nthe source gives: func G()"]);
    assert!(reasons.iter().all(|reason| reason.code == ErrorCode::Stale && reason.hint.is_some()));
    assert_eq!(write(&package(dir.path(), &now)).unwrap().left_over, ["rustgo_arm64.s"]);
}

/// Returns the files of a package for two architectures, with a different rustc for each.
fn made_by(amd64: &str, arm64: &str, code: &str) -> Files {
    let file = |rustc: &str, level: &str| {
        let header = gosrc::generated_line("rustgo build");
        format!("// {header}\n//\n// rustgo 0.1.0, {rustc}, {level}\n\n{code}\n").into_bytes()
    };
    let both = [("rustgo_amd64.s", file(amd64, "x86-64")), ("rustgo_arm64.s", file(arm64, "armv8-a")), ("rustgo.go", generated(code))];
    both.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect()
}

#[test]
fn another_rustc_is_named_alone() {
    const OLD: &str = "rustc 1.95.0 (59807616e 2026-04-14)";
    const NEW: &str = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";
    const NIGHTLY: &str = "rustc 1.97.0-nightly (0123456789 2026-05-30)";
    for (old, new, expected) in [
        ((OLD, OLD), (NEW, NEW), &[("the files in", OLD, NEW, "rustup toolchain install 1.95.0, and add --toolchain 1.95.0; or")][..]),
        ((NEW, OLD), (OLD, OLD), &[("the files for amd64", NEW, OLD, "install 1.96.0, and add --toolchain amd64=1.96.0; or")]),
        ((NIGHTLY, NIGHTLY), (OLD, OLD), &[("the files in", NIGHTLY, OLD, "name with --toolchain a toolchain that has it; or")]),
        (
            (OLD, NEW),
            (NEW, OLD),
            &[
                ("the files for amd64", OLD, NEW, "--toolchain amd64=1.95.0; or run rustgo build"),
                ("the files for arm64", NEW, OLD, "--toolchain arm64=1.96.0; or run rustgo build"),
            ],
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        write(&package(dir.path(), &made_by(old.0, old.1, "a"))).unwrap();
        let reasons = reasons(compare(&package(dir.path(), &made_by(new.0, new.1, "b"))));
        assert_eq!(reasons.len(), expected.len(), "{reasons:?}");
        for (reason, (files, made_by, present, hint)) in reasons.iter().zip(expected) {
            assert!(reason.message.starts_with(files), "{reason:?}");
            assert!(reason.message.ends_with(&format!("were made by {made_by}, and this is {present}")), "{reason:?}");
            assert!(reason.hint.as_ref().is_some_and(|text| text.contains(hint)), "{reason:?}");
        }
    }
}

#[test]
fn files_of_the_same_rustc_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    write(&package(dir.path(), &made_by("rustc 1.95.0 (x)", "rustc 1.95.0 (x)", "a"))).unwrap();
    let reasons = reasons(compare(&package(dir.path(), &made_by("rustc 1.95.0 (x)", "rustc 1.95.0 (x)", "b"))));
    assert!(reasons.len() == 3 && reasons.iter().all(|reason| reason.message.contains("is not what the source gives")), "{reasons:?}");
}

#[test]
fn differences_at_the_end_are_found() {
    for (old, new, line) in [("a\n", "a\nb\n", 2), ("a\nb", "a\n", 2), ("", "x", 1), ("a\n", "a", 1), ("a\r\n", "a\n", 1)] {
        assert_eq!(first_difference(old.as_bytes(), new.as_bytes()).unwrap().line, line, "{old:?} {new:?}");
    }
    assert!(first_difference(b"same\n", b"same\n").is_none());
}

#[test]
fn provenance_is_reported_only_if_nothing_else_differs() {
    let dir = tempfile::tempdir().unwrap();
    let json = |n: u32| format!("{{\n  \"generated\": \"{}\",\n  \"format\": {n}\n}}\n", gosrc::generated_line("rustgo build"));
    let with = |code: &str, n| {
        let mut all = files(&[("rustgo_amd64.s", code)]);
        all.insert(PROVENANCE.into(), json(n).into_bytes());
        all
    };
    write(&package(dir.path(), &with("a\n", 1))).unwrap();
    let messages = |now: &Files| {
        let reasons = reasons(compare(&package(dir.path(), now)));
        reasons.into_iter().map(|reason| reason.message).collect::<Vec<_>>()
    };
    assert_eq!(messages(&with("a\n", 2)), ["rustgo.provenance.json is not what the source gives: line 3 differs"]);
    let both = messages(&with("b\n", 2));
    assert!(both.len() == 1 && both[0].starts_with("rustgo_amd64.s is not what the source gives: line "), "{both:?}");
    std::fs::write(dir.path().join(PROVENANCE), "{\n  \"mine\": 1\n}\n").unwrap();
    let refused = reasons(write(&package(dir.path(), &with("a\n", 1))));
    assert!(refused[0].message.ends_with("rustgo.provenance.json was not written by rustgo and will not be replaced"), "{refused:?}");
}
