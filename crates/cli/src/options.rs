//! Makes the options of the stage bind from the request and from the code of all targets.

use crate::bind;
use crate::compile;
use crate::compile::paths::Paths;
use crate::config::go_module::GoModule;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::fallback;
use crate::gosrc::{File, Import};
use crate::marker::Marker;
use crate::origin::{self, Inputs};
use crate::product::TargetCode;
use crate::request::Request;
use crate::runtime::{Library, Runtime};

/// Lists the run-time packages that the Go file imports.
pub fn imported(runtime: &Runtime, go_file: &File) -> Vec<Library> {
    let is_imported = |library: &Library| go_file.imports.iter().any(|import| import.path == runtime.import_path(*library));
    Library::ALL.into_iter().filter(is_imported).collect()
}

/// Makes the options for [`bind::bind`].
pub fn bind_options(request: &Request, parts: &[TargetCode]) -> bind::Options {
    let needs_rt =
        parts.iter().any(|part| part.facts.needs_rt()) || request.targets.iter().any(|target| target.level != target.arch.baseline());
    // Tasks need the part of rt for the heap, because this part allocates the stacks of tasks.
    let has_tasks = |part: &TargetCode| part.package.functions.values().any(|function| function.task.is_some());
    let needs_heap = parts.iter().any(|part| part.facts.needs_heap || has_tasks(part));
    let needed = [(Library::Rt, needs_rt || needs_heap), (Library::Heap, needs_heap)];
    let is_rt = parts.iter().any(|part| part.package.has_routines());
    let needed = needed.into_iter().filter(|(_, needed)| *needed && !is_rt);
    bind::Options {
        header: origin::header(&parts.iter().map(|part| &part.origin).collect::<Vec<_>>(), request.watch),
        package: request.go_package.clone(),
        package_doc: request.package_doc.clone().unwrap_or_default(),
        arches: request.arches(),
        needs: request.needs(),
        // If the code can neither panic nor fault on any architecture, the package imports only the packages that its declarations name.
        imports: needed.map(|(library, _)| Import { path: request.runtime.import_path(library), name: Some("_".into()) }).collect(),
        runtime: request.runtime.clone(),
        has_fallback: request.is_translated(),
        translated: None,
    }
}

/// The folder of the translated crate, relative to the package's folder, and the name of its Go package.
pub const WASM_FOLDER: &str = "internal/rustgo/wasm";
pub const WASM_PACKAGE: &str = "wasm";
/// The prefix of the folder's files in messages.
pub const WASM_SHOWN: &str = "internal/rustgo/wasm/";

/// Returns the constraint under which Go builds the files for processors without assembly.
pub fn fallback_build(request: &Request) -> String {
    let arches: Vec<&str> = request.arches().into_iter().map(crate::target::Arch::goarch).collect();
    match arches.as_slice() {
        [arch] => format!("purego || !{arch}"),
        arches => format!("purego || !({})", arches.join(" || ")),
    }
}

/// Returns the package's import path. The import path of the translated crate begins with this path.
///
/// # Errors
/// Fails if the package lies in no Go module, because it then cannot import the translated crate.
pub fn translated_package(request: &Request) -> Result<String> {
    let Some(module) = GoModule::of(&request.out) else {
        return Err(Diagnostic::new(
            ErrorCode::Request,
            "fallback = \"wasm\" needs a Go module: the translated crate is a package of its own",
        )
        .hint("make a go.mod in the output folder or above it: go mod init")
        .into());
    };
    let within = module.within(&request.out);
    Ok(if within.is_empty() { module.path } else { format!("{}/{within}", module.path) })
}

/// Makes the options with which [`bind::bind`] makes the file with the declarations of a translated crate. `package` is the package's import path.
pub fn translated_options(
    request: &Request,
    native: &bind::Options,
    package: &str,
    shims: fallback::Shims,
    inputs: &Inputs,
) -> bind::Options {
    let mut header = native.header.clone();
    header.push(format!("other processors: {}, {}, wasm2go {}", inputs.rustc, compile::wasm::TRIPLE, fallback::VERSION));
    bind::Options {
        header,
        imports: Vec::new(),
        translated: Some(bind::Translated {
            crate_path: format!("{package}/{WASM_FOLDER}"),
            runtime_path: request.runtime.import_path(Library::Translated),
            build: fallback_build(request),
            shims,
            marker: Marker::new(&request.go_package, "other", &[], &[inputs]).text(),
        }),
        ..native.clone()
    }
}

/// Makes the options for [`bind::tests_file`]. `with_libm` is true if rustgo has added the crate libm.
pub fn test_options(request: &Request, with_libm: bool) -> bind::TestOptions {
    let features = match (with_libm, request.with_libm()) {
        (true, Some(with)) => with.features,
        _ => request.features.clone(),
    };
    let krate = Paths::new(&request.manifest, &[], &request.out).crate_name;
    bind::TestOptions {
        package: request.go_package.clone(),
        arches: request.arches(),
        nativetest: request.runtime.import_path(Library::NativeTest),
        krate: match krate.as_str() {
            "" => ".".into(),
            // An absolute path is valid only on one machine, so the test does not contain such a path.
            name if name.starts_with('/') => String::new(),
            _ => krate,
        },
        features: features.args(),
        skip: request.with_tests_skip.clone(),
        random_keys: Vec::new(),
    }
}
