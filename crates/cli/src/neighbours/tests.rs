use super::ports::SUPPORTED_OS;
use super::*;
use crate::api::{self, Package};
use crate::bind::{self, Options};
use crate::diag::{Diagnostic, ErrorCode, Failure};
use crate::target::Arch;
use crate::toolchain::Port;
use rustgo_schema::{Basic, Function, Type};
use std::collections::BTreeSet;
use std::process::Command;

/// Makes a folder that contains these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn go() -> Go {
    Go::find(OsStr::new("go")).unwrap()
}

fn export(go_name: &str, ty: Type) -> Function {
    api::tests::export(go_name, vec![api::tests::field("x", ty)], vec![])
}

/// Returns the notes or refusals for a folder with these files and a generated package `a`, which has `func Sum(x []uint32)` and `func Run(x
/// handle.Of[Task])`.
fn clashes_with(arches: &[Arch], files: &[(&str, &str)]) -> std::result::Result<Vec<String>, Vec<Diagnostic>> {
    let dir = folder(files);
    let task = export("Run", Type::Handle { of: "Task".into() });
    let sum = export("Sum", Type::Slice { mutable: false, elem: Box::new(Type::Basic(Basic::Uint32)) });
    // The generated package also has func (c *Counter) Add(), type Counter struct { N uint32 }, and const Most.
    let decl = rustgo_schema::Decl {
        go_name: "Counter".into(),
        rust_path: "demo::Counter".into(),
        file: "src/lib.rs".into(),
        line: 3,
        doc: String::new(),
    };
    let n = rustgo_schema::Member { go_name: "N".into(), doc: String::new(), offset: 0, ty: Type::Basic(Basic::Uint32) };
    let counter = Type::Struct { decl, size: 4, align: 4, fields: vec![n] };
    let mut add =
        api::tests::export("Add", vec![api::tests::field("self", Type::Pointer { mutable: true, elem: Box::new(counter) })], vec![]);
    (add.owner, add.role) = ("demo::Counter".into(), rustgo_schema::role::METHOD);
    let most = rustgo_schema::Constant {
        go_name: "Most".into(),
        rust_path: "demo::MOST".into(),
        file: "src/lib.rs".into(),
        line: 5,
        doc: String::new(),
        ty: Type::Basic(Basic::Uint8),
        value: vec![1],
        variable: false,
    };
    let package = Package::new([&sum, &task, &add], &[most]);
    let go_file = bind::bind(&package, Options { package: "a".into(), arches: arches.to_vec(), ..Options::default() }).unwrap();
    let made = ["rustgo.go".to_owned(), "rustgo_amd64.s".to_owned()];
    match clashes(dir.path(), made.iter(), &go_file, &package, arches, &go()) {
        Ok(notes) => Ok(notes),
        Err(Failure::Refused(reasons)) => Err(reasons),
        Err(other) => panic!("{other:?}"),
    }
}

const TASK: (&str, &str) = ("task.go", "package a\n\ntype Task struct{}\n");

/// Returns the refusals' messages for a folder with this file.
fn refused(name: &str, text: &str) -> Vec<String> {
    let reasons = clashes_with(&[Arch::Amd64], &[TASK, (name, text)]).unwrap_err();
    assert!(
        reasons.iter().all(|reason| reason.code == ErrorCode::Output && reason.hint.is_some() && reason.place.is_some()),
        "{reasons:?}"
    );
    reasons.into_iter().map(|reason| reason.message).collect()
}

#[test]
fn what_go_would_refuse_is_refused() {
    for (name, text, expected) in [
        ("a.go", "package a\nfunc Sum() {}\n", "a.go declares Sum, as rustgo.go does"),
        ("a_linux.go", "package a\nvar (\n\tx, Sum int\n)\n", "a_linux.go declares Sum, as rustgo.go does"),
        ("a_test.go", "package a\nfunc Sum() {}\n", "a_test.go declares Sum, as rustgo.go does"),
        ("a.go", "//go:build !arm64\n\npackage a\nfunc Sum() {}\n", "a.go declares Sum, as rustgo.go does"),
        ("a.go", "package a\ntype uint32 = string\n", "a.go declares uint32, and rustgo.go means Go's own uint32"),
        (
            "a.go",
            "package a\nfunc (c *Counter[T]) Add() {}\n",
            "a.go declares the method Counter.Add, and rustgo.go gives Counter a field or method of that name",
        ),
        (
            "a.go",
            "package a\nfunc (Counter) N() {}\n",
            "a.go declares the method Counter.N, and rustgo.go gives Counter a field or method of that name",
        ),
        ("a.go", "package a\ntype Counter int\n", "a.go declares Counter, as rustgo.go does"),
        ("a.go", "package a\nconst Most = 3\n", "a.go declares Most, as rustgo.go does"),
        ("a.go", "\u{feff}package a\r\nvar handle int\r\n", "a.go declares handle, and rustgo.go imports a package of that name"),
        ("a.go", "package a\nimport Sum \"io\"\n", "a.go imports a package as Sum, which rustgo.go declares"),
        ("a.go", "package a\n// int f();\nimport \"C\"\n", "a.go uses cgo, and Go allows no assembly beside it"),
        ("b_amd64.s", "TEXT ·Sum(SB), 4, $0-8\n\tRET\n", "b_amd64.s defines Sum, as the generated assembly does"),
        ("a.c", "", "a.c holds C, which Go compiles only with cgo, and a package with cgo can have no Go assembly"),
        ("a_windows.cc", "", "a_windows.cc holds C++, which Go compiles only with cgo, and a package with cgo can have no Go assembly"),
        ("a.m", "", "a.m holds Objective-C, which Go compiles only with cgo, and a package with cgo can have no Go assembly"),
        ("a.f90", "", "a.f90 holds Fortran, which Go compiles only with cgo, and a package with cgo can have no Go assembly"),
        ("a.swig", "", "a.swig holds SWIG, which Go compiles only with cgo, and a package with cgo can have no Go assembly"),
        // A generated file with a name that rustgo no longer uses stays in the folder, so it clashes too.
        (
            "old.go",
            "// Code generated by rustgo build; DO NOT EDIT.\n\npackage a\n\nfunc Sum()\n",
            "old.go declares Sum, as rustgo.go does",
        ),
    ] {
        assert_eq!(refused(name, text), [expected], "{name}: {text}");
    }
}

#[test]
fn a_clash_is_reported_with_place_and_hint() {
    let dir_file = |reason: &Diagnostic| reason.place.as_ref().unwrap().file.clone().unwrap();
    let both = clashes_with(&Arch::ALL, &[TASK, ("a_windows.go", "package a\n\nfunc Sum() {}\n")]).unwrap_err();
    assert!(dir_file(&both[0]).ends_with("a_windows.go") && both[0].place.as_ref().unwrap().line == Some(3), "{both:?}");
    assert_eq!(both[0].notes, ["it is built for windows", "Sum is demo::sum (src/lib.rs:7)"]);
    let hint =
        "rename one of them, #[rustgo::export(name = \"GoName\")]; a file for other processors needs the line //go:build !amd64 && !arm64";
    assert_eq!(both[0].hint.as_deref(), Some(hint));
    // All clashes are reported, in the order of the files.
    let files =
        [TASK, ("a.c", ""), ("b.go", "package a\nimport \"C\"\n"), ("c.go", "package a\nfunc Run() {}\ntype byte int\nfunc Sum() {}\n")];
    let several: Vec<String> = clashes_with(&[Arch::Amd64], &files).unwrap_err().into_iter().map(|reason| reason.message).collect();
    assert_eq!(several.len(), 4, "{several:?}");
    assert!(several[2].contains("declares Run") && several[3].contains("declares Sum"), "{several:?}");
}

#[test]
fn files_that_do_not_clash_are_accepted() {
    for (name, text) in [
        // Files for other processors, and files that are never built.
        ("a.go", "//go:build !amd64 && !arm64\n\npackage a\nfunc Sum() {}\n"),
        ("a_arm64.go", "package a\nfunc Sum() {}\n"),
        ("a_plan9.go", "package a\nfunc Sum() {}\n"),
        ("gen.go", "//go:build ignore\n\npackage main\nimport \"C\"\nfunc Sum() {}\n"),
        ("purego.go", "//go:build purego\n\npackage a\nfunc Sum() {}\n"),
        ("doc.go", "package documentation\nfunc Sum() {}\n"),
        ("_a.go", "package a\nfunc Sum() {}\n"),
        (".a.go", "package a\nfunc Sum() {}\n"),
        ("cgo.go", "//go:build !cgo\n\npackage a\nimport \"C\"\n"),
        ("a_arm64.s", "TEXT ·Sum(SB), 4, $0-8\n\tRET\n"),
        ("a_arm64.c", ""),
        ("a.c", "//go:build ignore\n"),
        ("_a.c", ""),
        ("a_test.go", "package a\nimport \"C\"\n"),
        // Files that Go accepts next to assembly, and files that Go ignores.
        ("a.h", ""),
        ("a.S", "TEXT ·Sum(SB), 4, $0\n"),
        ("a.txt", "func Sum() {}"),
        ("Makefile", ""),
        ("b_amd64.s", "TEXT ·Other(SB), 4, $0\n\tRET\nTEXT ·Sum<>(SB), 4, $0\n\tRET\n"),
        // Files that a build of rustgo replaces.
        ("rustgo.go", "package a\nfunc Sum() {}\n"),
        ("rustgo_amd64.s", "TEXT ·Sum(SB), 4, $0\n"),
        // Files that declare the names in another package or another scope.
        ("a_test.go", "package a_test\nfunc Sum() {}\n"),
        ("a.go", "package a\nfunc (Task) Sum() { var Sum, uint32 int }\ntype S struct { Sum, handle int }\ntype float64 int\n"),
        ("a.go", "package a\nimport \"x/handle\"\nimport \"no/such/Sum\"\n"),
        // Files that are unfinished, broken, or not text.
        ("a.go", ""),
        ("a.go", "package"),
        ("a.go", "package a\n\nimport \"no.such/module\"\n\nfunc half(x int {\n\treturn undefined.Name\n"),
        ("a.go", "<<<<<<< HEAD\npackage a\n=======\n"),
        ("a.go", "//go:build linux &&\n\npackage a\nfunc Sum() {}\n"),
        ("a.go", "package a\n\nconst s = \"open\n\nvar x = `open"),
        ("a.go", "\0\0\0"),
    ] {
        assert_eq!(clashes_with(&[Arch::Amd64], &[TASK, (name, text)]), Ok(vec![]), "{name}: {text}");
    }
    assert_eq!(clashes_with(&[Arch::Arm64], &[TASK, ("a_amd64.go", "package a\nfunc Sum() {}\n")]), Ok(vec![]));
}

#[test]
fn a_type_that_is_missing_is_a_note() {
    let note = "declare the type Task in another file of the package: Go needs it, and it is not there yet";
    for (name, text) in [
        ("a.txt", ""),
        ("a.go", "package a\ntype Tasks []int\nfunc Task() {}\n"),
        ("a_test.go", "package a\ntype Task int\n"),
        ("a_arm64.go", "package a\ntype Task int\n"),
        ("a.go", "//go:build ignore\n\npackage a\ntype Task int\n"),
    ] {
        assert_eq!(clashes_with(&[Arch::Amd64], &[(name, text)]), Ok(vec![note.to_owned()]), "{name}: {text}");
    }
    assert_eq!(clashes_with(&[Arch::Amd64], &[("a.go", "package a\ntype (\n\tTask = int\n)\n")]), Ok(vec![]));
}

#[test]
fn members_of_the_package() {
    let dir = folder(&[
        ("a_test.go", "package curve_test\n"),
        ("b_test.go", "// Package curve is tested.\npackage curve\n"),
        ("c.go", "// Package curve is here.\npackage curve\n"),
        ("d.go", "//go:build !amd64 && !arm64\n\npackage curve\n"),
        ("e_plan9.go", "package curve\n"),
        // Files without a package clause, or of a package that Go ignores.
        ("f.go", "//go:build tools\n\npackage tools\n"),
        ("g.go", "//go:build generate\n\npackage main\n"),
        ("h.go", "// +build ignore\n\npackage main\n"),
        ("_i.go", "package other\n"),
        (".j.go", "package other\n"),
        ("k.go", "package documentation\n"),
        ("l.go", "// Code generated by rustgo build; DO NOT EDIT.\n\npackage made\n"),
        ("m.s", "package other\n"),
        ("n.go", ""),
        ("p.go", "/* Copyright */ package /* name */ curve\n"),
    ]);
    std::fs::create_dir(dir.path().join("o.go")).unwrap();
    let found = members(dir.path(), OsStr::new("go")).unwrap();
    let show = |member: &Member| format!("{} {} {}", member.path.file_name().unwrap().to_string_lossy(), member.of(), member.documented);
    let expected = [
        "c.go curve true",
        "d.go curve false",
        "e_plan9.go curve false",
        "p.go curve false",
        "a_test.go curve false",
        "b_test.go curve false",
    ];
    assert_eq!(found.iter().map(show).collect::<Vec<_>>(), expected);
    assert!(found.iter().all(|member| member.fits("curve") && !member.fits("other")));
    // A package's own name may end in `_test`.
    assert!(found.iter().filter(|member| member.fits("curve_test")).map(|member| &member.package).eq(["curve_test"]));
    assert_eq!(members(&dir.path().join("not/there"), OsStr::new("no-such-go-command")).unwrap(), []);
}

/// Compares the files that Go builds according to [`Built`] with the answers of `go list` in a module.
#[test]
fn go_builds_the_same_files() {
    let names = ["a", "linux", "a_linux", "a_amd64", "a_arm64", "a_windows_arm64", "a_linux_x", "a_unix", "a_darwin_amd64_test", "x_386"];
    let heads = [
        "",
        "//go:build amd64",
        "//go:build !amd64 && !arm64",
        "//go:build (linux || windows)&&!arm64",
        "//go:build unix",
        "//go:build !unix && cgo",
        "//go:build ignore",
        "//go:build gc && go1.18 && !go1.19",
        "//go:build amd64.v1 || arm64.v8.0",
        "//go:build go1.24 && !purego",
        "//go:build linux &&",
        "// +build linux,amd64 windows,!cgo\n// +build !ignore",
        "/* // +build ignore\n*/ // +build darwin",
        "// +build ignore\npackage a // too late",
        "// text\n\n/* a */ /* b\n*/\n//go:build freebsd",
        "\u{feff}//go:build windows",
    ];
    let mut files = Vec::new();
    for (index, head) in heads.iter().enumerate() {
        for name in names {
            // Put the number before the first `_`, because Go looks for tags only after it.
            let name = name.split_once('_').map_or(format!("{name}{index}.go"), |(stem, tags)| format!("{stem}{index}_{tags}.go"));
            files.push((name, format!("{head}\n\npackage a\n")));
        }
    }
    let dir = folder(&files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>());
    let go = go();
    std::fs::write(dir.path().join("go.mod"), "module example.com/a\n\ngo 1.24\n").unwrap();
    for (arch, goos, cgo) in
        Arch::ALL.into_iter().flat_map(|arch| SUPPORTED_OS.map(|goos| (arch, goos))).flat_map(|(a, o)| [(a, o, true), (a, o, false)])
    {
        let mut command = go.command(dir.path());
        command.args(["list", "-e", "-f", "{{join .GoFiles \" \"}} {{join .TestGoFiles \" \"}}", "."]);
        command.env("GOOS", goos).env("GOARCH", arch.goarch()).env("CGO_ENABLED", if cgo { "1" } else { "0" });
        let output = command.output().unwrap();
        let answer = String::from_utf8(output.stdout).unwrap();
        let theirs: BTreeSet<String> = answer.split_whitespace().map(str::to_owned).collect();
        assert!(theirs.len() > 20, "{goos}/{arch}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        assert_eq!(go.sources(dir.path(), Port { goos, goarch: arch.goarch(), cgo }).unwrap(), theirs, "{goos}/{arch}, cgo: {cgo}");
    }
}

const ALL: &str = "darwin freebsd linux windows";

/// Lists the operating systems on which Go builds each file of the folder for amd64.
fn systems(dir: &tempfile::TempDir, names: &[&str]) -> Vec<String> {
    let built = Built::with(&go(), dir.path(), &[Arch::Amd64]).unwrap();
    names.iter().map(|name| built.systems(name).into_iter().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn names_choose_platforms() {
    let cases = [
        ("a.go", ALL),
        ("amd64.go", ALL),
        ("linux.go", ALL),
        ("a_amd64.go", ALL),
        ("a_arm64.s", ""),
        ("a_windows.c", "windows"),
        ("a_linux_amd64.go", "linux"),
        ("a_linux_arm64.go", ""),
        ("a_linux_test.go", "linux"),
        ("a_linux_x.go", ALL),
        ("a_unix.go", ALL),
        ("a_plan9.go", ""),
        ("_linux.go", ""),
    ];
    let names = cases.map(|(name, _)| name);
    let dir = folder(&names.map(|name| (name, if name.ends_with(".go") { "package a\n" } else { "" })));
    assert_eq!(systems(&dir, &names), cases.map(|(_, expected)| expected));
}

#[test]
fn heads_choose_platforms() {
    let deep = format!("//go:build {}linux{}", "(".repeat(500), ")".repeat(500));
    let cases = [
        ("//go:build amd64", ALL),
        ("//go:build !amd64 && !arm64", ""),
        ("//go:build !arm64&&(linux||windows)", "linux windows"),
        ("//go:build unix", "darwin freebsd linux"),
        ("//go:build ignore", ""),
        ("//go:build !purego", ALL),
        ("//go:build tools || generate", ""),
        ("//go:build cgo && darwin", "darwin"),
        ("//go:build !cgo", ALL),
        ("//go:build go1.18", ALL),
        ("//go:build !go1.18", ""),
        ("//go:build go1.24 && !go1.100", ALL),
        ("//go:build gccgo", ""),
        ("//go:build amd64.v1", ALL),
        // Go refuses files with these invalid conditions.
        ("//go:build linux &&", ""),
        ("//go:build linux windows", ""),
        ("//go:build", ""),
        ("//go:buildlinux", ALL),
        ("// Copyright\n\n// +build linux darwin\n// +build !darwin", "linux"),
        ("// +build ignore", ""),
        ("//+build windows,amd64 linux,arm64", "windows"),
        ("/* a\nb */ /* c */\n//go:build linux", "linux"),
        // In a file with both forms of constraint, only `//go:build` counts.
        ("//go:build linux\n// +build windows", "linux"),
        (&deep, "linux"),
    ];
    for (start, end) in [("", "\n"), ("\u{feff}", "\r\n")] {
        let files: Vec<(String, String)> = (0..)
            .zip(cases)
            .map(|(number, (head, _))| (format!("a{number}.go"), format!("{start}{head}{end}{end}package a{end}")))
            .collect();
        let dir = folder(&files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>());
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        for ((head, expected), found) in cases.into_iter().zip(systems(&dir, &names)) {
            assert_eq!(found, expected, "{head}, after {start:?}");
        }
    }
    // A constraint after the package clause does not count. A `// +build` line directly above the package clause does not count either.
    let dir = folder(&[("a.go", "package a\n\n//go:build ignore\n"), ("b.go", "// +build ignore\npackage a\n")]);
    assert_eq!(systems(&dir, &["a.go", "b.go"]), [ALL, ALL]);
}

#[test]
fn files_for_other_ports_are_found() {
    let heads = ["js && wasm", "!amd64", "386", "tools", "linux && windows", "!cgo && windows && arm64"];
    let texts = heads.map(|head| format!("//go:build {head}\n\npackage a\n"));
    let names = ["a.go", "b.go", "c.go", "d.go", "e.go", "f.go"];
    let dir = folder(&std::array::from_fn::<_, 6, _>(|at| (names[at], texts[at].as_str())));
    std::fs::write(dir.path().join("g_plan9.go"), "package a\n").unwrap();
    std::fs::write(dir.path().join("h_plan9.go"), "//go:build linux\n\npackage a\n").unwrap();
    let built = Built::anywhere(&go(), dir.path(), &names).unwrap();
    let found = names.into_iter().chain(["g_plan9.go", "h_plan9.go"]).filter(|name| built.contains(name));
    assert_eq!(found.collect::<Vec<_>>(), ["a.go", "b.go", "c.go", "f.go", "g_plan9.go"]);
}

#[test]
fn files_without_a_valid_module_are_read() {
    for go_mod in ["module x\n\ngo 1.99\n", "garbage(", "module x\n\nrequire example.com/missing v1.0.0\n"] {
        let dir = folder(&[("go.mod", go_mod), ("a.go", "package a\n\nimport \"example.com/missing\"\n"), ("b.go", "package b\n")]);
        assert_eq!(systems(&dir, &["a.go", "b.go"]), [ALL, ALL], "{go_mod}");
    }
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("a@b c/_x/testdata");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(inner.join("a b.s"), "").unwrap();
    assert_eq!(members(&inner, OsStr::new("no-such-go-command")).unwrap(), []);
    assert!(Built::with(&go(), &inner, &Arch::ALL).unwrap().contains("a b.s"));
}

#[cfg(unix)]
#[test]
fn a_go_command_without_an_answer_is_refused() {
    let dir = folder(&[("a.go", "package a\n")]);
    let program = dir.path().join("broken-go");
    // Another process writes the script, as in the tests of `toolchain`.
    let script = r#"printf '#!/bin/sh\n[ "$1" = env ] && { echo go1.26.0; echo /usr/lib/go; exit; }\necho broken >&2\nexit 1\n' >"$0" && chmod +x "$0""#;
    assert!(Command::new("sh").args(["-c", script]).arg(&program).status().unwrap().success());
    let Err(Failure::Refused(reasons)) = members(dir.path(), program.as_os_str()) else { panic!("accepted") };
    assert!(reasons[0].message.starts_with("go list does not say which files of "), "{}", reasons[0].message);
    assert_eq!((reasons[0].code, &reasons[0].notes[..]), (ErrorCode::Toolchain, &["broken".to_owned()][..]));
    assert!(reasons[0].hint.as_deref().unwrap().contains("--go"));
    let Err(Failure::Refused(reasons)) = members(dir.path(), OsStr::new("no-such-go-command")) else { panic!("found") };
    assert!(reasons[0].message.starts_with("no-such-go-command cannot be run"), "{}", reasons[0].message);
}

/// A Go program that takes Go files as arguments and prints the top-level declarations of each file that Go's parser accepts.
const PARSER: &str = r#"package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func receiver(d *ast.FuncDecl) string {
	if len(d.Recv.List) != 1 {
		return ""
	}
	for x := d.Recv.List[0].Type; ; {
		switch t := x.(type) {
		case *ast.Ident:
			return t.Name
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		default:
			return ""
		}
	}
}

func main() {
	for _, path := range os.Args[1:] {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			continue
		}
		line := func(n ast.Node) int { return fset.PositionFor(n.Pos(), false).Line }
		fmt.Println(path, "package", f.Name.Name)
		for _, i := range f.Imports {
			name := ""
			if i.Name != nil && i.Name.Name != "." {
				name = i.Name.Name
			}
			fmt.Println(path, "import", line(i.Path), i.Path.Value[1:len(i.Path.Value)-1], name)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					fmt.Println(path, line(d), d.Name.Name, false)
				} else if of := receiver(d); of != "" {
					fmt.Println(path, "method", line(d.Name), of, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						fmt.Println(path, line(s.Name), s.Name.Name, true)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							fmt.Println(path, line(n), n.Name, false)
						}
					}
				}
			}
		}
	}
}
"#;

#[test]
fn gos_parser_finds_the_same() {
    let dir = folder(&[("main.go", PARSER), ("go.mod", "module parser\n\ngo 1.24\n")]);
    let go = |args: &[&str]| Command::new("go").args(args).current_dir(dir.path()).env("GOFLAGS", "").env("GOWORK", "off").output();
    let root = match go(&["env", "GOROOT"]) {
        Ok(output) => PathBuf::from(String::from_utf8(output.stdout).unwrap().trim()),
        Err(error) => return eprintln!("skipped: the go command cannot be run ({error}); put it into PATH"),
    };
    // The test files of Go's compiler contain all forms of declarations, and many invalid ones.
    let mut paths: Vec<String> = Vec::new();
    for folder in ["src/internal/types/testdata/check", "src/internal/types/testdata/fixedbugs", "src/runtime", "src/syscall"] {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        paths.extend(entries.map(|entry| entry.path().display().to_string()).filter(|path| path.ends_with(".go")));
    }
    paths.sort();
    if paths.is_empty() {
        return eprintln!("skipped: {} holds no sources; use a Go that comes with them", root.display());
    }
    let mut args = vec!["run", "."];
    args.extend(paths.iter().map(String::as_str));
    let output = go(&args).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut theirs: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    let answer = String::from_utf8_lossy(&output.stdout);
    for (path, line) in answer.lines().filter_map(|line| line.split_once(' ')) {
        theirs.entry(path).or_default().push(line.trim_end());
    }
    assert!(theirs.len() > 100, "{} of {} files", theirs.len(), paths.len());
    for (path, theirs) in theirs {
        let found = scan::top_level(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
        let mut ours = vec![format!("package {}", found.package)];
        let import = |import: &scan::Import| format!("import {} {} {}", import.line, import.path, import.name.as_deref().unwrap_or(""));
        ours.extend(found.imports.iter().map(|found| import(found).trim_end().to_owned()));
        ours.extend(found.declared.iter().map(|found| format!("{} {} {}", found.line, found.name, found.is_type)));
        let (methods, theirs): (Vec<&str>, Vec<&str>) = theirs.into_iter().partition(|line| line.starts_with("method "));
        assert_eq!(ours, theirs, "{path}");
        let ours: Vec<String> = found.methods.iter().map(|found| format!("method {} {} {}", found.line, found.of, found.name)).collect();
        assert_eq!(ours, methods, "{path}");
    }
}
