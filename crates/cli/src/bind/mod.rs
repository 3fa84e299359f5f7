//! Package → the Go file that declares it.

mod functions;
mod types;

use crate::api::Package;
use crate::diag::{Failure, Result};
use crate::gosrc::{self, File, Import};
use crate::runtime::{Library, Runtime};
use crate::target::Arch;
use std::collections::BTreeSet;
use types::Named;

/// What of the Go file does not follow from the package.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Comment lines at the top; the first is [`gosrc::generated_line`].
    pub header: Vec<String>,
    pub package: String,
    /// The package comment; empty where another file has one.
    pub package_doc: String,
    pub arches: Vec<Arch>,
    pub imports: Vec<Import>,
    /// Where the packages are that the declarations need.
    pub runtime: Runtime,
}

/// Declares every function, in the order of the package.
///
/// # Errors
/// [`Code::GoName`](crate::diag::Code::GoName) for each name or type that cannot be in Go.
pub fn bind(package: &Package, options: Options) -> Result<File> {
    let options = Options { imports: functions::imports(package, &options), ..options };
    let mut refused = functions::refuse(package, &options);
    let named = Named::of(package, &options.runtime.import_path(Library::Handle), &mut refused);
    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    let package_doc = gosrc::with_links(&options.package_doc, |path| {
        package.functions.values().next().and_then(|any| functions::linked(package, any, path))
    });
    let arches: BTreeSet<Arch> = options.arches.into_iter().collect();
    let arches: Vec<&str> = arches.into_iter().map(Arch::goarch).collect();
    Ok(File {
        header: options.header,
        build: (!arches.is_empty()).then(|| arches.join(" || ")),
        doc: package_doc,
        package: options.package,
        imports: options.imports.into_iter().chain(named.imports).collect(),
        functions: functions::declared(package),
        types: named.types,
    })
}

#[cfg(test)]
mod tests;
