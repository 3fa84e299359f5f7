use super::*;
use crate::api::{self, Package};
use crate::bind::{self, Options};
use crate::diag::{Diagnostic, ErrorCode, Failure};
use crate::target::Arch;
use rustgo_schema::{Basic, Function, Type};
use std::process::Command;

/// Makes a folder that contains these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    dir
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
    match clashes(dir.path(), made.iter(), &go_file, &package, arches) {
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
        ("a.c", "", "a.c holds C, which Go takes with cgo only, and cgo allows no assembly of Go's"),
        ("a_windows.cc", "", "a_windows.cc holds C++, which Go takes with cgo only, and cgo allows no assembly of Go's"),
        ("a.m", "", "a.m holds Objective-C, which Go takes with cgo only, and cgo allows no assembly of Go's"),
        ("a.f90", "", "a.f90 holds Fortran, which Go takes with cgo only, and cgo allows no assembly of Go's"),
        ("a.swig", "", "a.swig holds SWIG, which Go takes with cgo only, and cgo allows no assembly of Go's"),
        // rustgo does not replace a generated file whose name rustgo does not use now.
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
    let found = members(dir.path());
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
    assert_eq!(members(&dir.path().join("not/there")), []);
}

/// Compares the files that rustgo considers built with the files that `go list` selects.
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
            // The number goes before the first `_`, where Go looks for no tag.
            let name = name.split_once('_').map_or(format!("{name}{index}.go"), |(stem, tags)| format!("{stem}{index}_{tags}.go"));
            files.push((name, format!("{head}\n\npackage a\n")));
        }
    }
    let dir = folder(&files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>());
    for (arch, goos) in Arch::ALL.into_iter().flat_map(|arch| constraint::SUPPORTED_OS.map(|goos| (arch, goos))) {
        let mut command = Command::new("go");
        command.args(["list", "-e", "-f", "{{join .GoFiles \" \"}} {{join .TestGoFiles \" \"}}", "."]).current_dir(dir.path());
        // With modules turned off, the go command needs no go.mod.
        command.env("GO111MODULE", "off").env("GOFLAGS", "").env("GOOS", goos).env("GOARCH", arch.goarch()).env("CGO_ENABLED", "1");
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => return eprintln!("skipped: the go command cannot be run ({error}); put it into PATH"),
        };
        let answer = String::from_utf8(output.stdout).unwrap();
        let mut theirs: Vec<&str> = answer.split_whitespace().collect();
        theirs.sort_unstable();
        let built = |(name, text): &&(String, String)| constraint::Constraint::of(name, text).systems(arch, true).contains(&goos);
        let mut ours: Vec<&str> = files.iter().filter(built).map(|(name, _)| name.as_str()).collect();
        ours.sort_unstable();
        assert!(theirs.len() > 20, "{goos}/{arch}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(ours, theirs, "{goos}/{arch}");
    }
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
