//! Asks the go command which files of a folder it builds for which port (operating system and processor). The name of a file and its `//go:build`
//! line decide (`go help buildconstraint`). The go command knows the rules and all ports.
//!
//! The answers apply to builds without extra tags (`go build -tags`): a file that needs such a tag counts as not built. The answers apply only to the
//! release of Go to which the go command belongs.

use crate::diag::Result;
use crate::target::Arch;
use crate::toolchain::{Go, Port};
use std::collections::BTreeSet;
use std::path::Path;

/// The operating systems that generated code supports. The first is the system for which Go builds most files.
pub const SUPPORTED_OS: [&str; 4] = ["linux", "darwin", "freebsd", "windows"];
/// Ports on which generated code does not run, because neither the system nor the processor is supported.
const OTHER_PORTS: [(&str, &str); 2] = [("js", "wasm"), ("plan9", "386")];

/// Processors for which rustgo never generates assembly, each with an operating system. The list contains processors with 32 and 64 bits, and with
/// both byte orders.
const OTHER_PROCESSORS: [(&str, &str); 4] = [("linux", "386"), ("linux", "riscv64"), ("linux", "s390x"), ("js", "wasm")];

/// The files of a folder that Go builds, for each port.
#[derive(Default)]
pub struct Built(Vec<(Port, BTreeSet<String>)>);

impl Built {
    /// Asks which files Go builds for the ports on which generated code for these architectures runs.
    pub fn with(go: &Go, dir: &Path, arches: &[Arch]) -> Result<Built> {
        ask(go, dir, &supported(arches))
    }

    /// Asks which files Go builds for ports with other processors.
    pub fn without(go: &Go, dir: &Path, arches: &[Arch]) -> Result<Built> {
        let missing = Arch::ALL.into_iter().filter(|arch| !arches.contains(arch)).map(|arch| ("linux", arch.goarch()));
        let ports: Vec<Port> = missing.chain(OTHER_PROCESSORS).map(|(goos, goarch)| Port { goos, goarch, cgo: false }).collect();
        ask(go, dir, &ports)
    }

    /// Asks the go command about one supported port. If Go does not build all of the files for this port, asks about all other supported ports and
    /// about [`OTHER_PORTS`].
    ///
    /// For most folders, one question to the go command is enough. If no build includes some file, as with the constraint `ignore`, all questions are
    /// needed.
    pub fn anywhere(go: &Go, dir: &Path, names: &[&str]) -> Result<Built> {
        let mut ports = supported(&Arch::ALL);
        ports.extend(with_and_without_cgo(OTHER_PORTS));
        let (first, rest) = ports.split_at(1);
        let mut built = ask(go, dir, first)?;
        if !names.iter().all(|name| built.contains(name)) {
            built.0.extend(ask(go, dir, rest)?.0);
        }
        Ok(built)
    }

    /// Returns true if Go builds the file for one of the ports.
    pub fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|(_, names)| names.contains(name))
    }

    /// Returns the operating systems on which Go builds the file.
    pub fn systems(&self, name: &str) -> BTreeSet<&'static str> {
        self.0.iter().filter(|(_, names)| names.contains(name)).map(|(port, _)| port.goos).collect()
    }
}

fn supported(arches: &[Arch]) -> Vec<Port> {
    arches.iter().flat_map(|arch| with_and_without_cgo(SUPPORTED_OS.map(|goos| (goos, arch.goarch())))).collect()
}

fn with_and_without_cgo<const N: usize>(ports: [(&'static str, &'static str); N]) -> impl Iterator<Item = Port> {
    ports.into_iter().flat_map(|(goos, goarch)| [true, false].map(|cgo| Port { goos, goarch, cgo }))
}

/// Asks the go command about all ports at the same time, because each answer takes some 10 ms.
fn ask(go: &Go, dir: &Path, ports: &[Port]) -> Result<Built> {
    std::thread::scope(|scope| {
        let questions: Vec<_> = ports.iter().map(|&port| (port, scope.spawn(move || go.sources(dir, port)))).collect();
        let answer = |(port, thread): (Port, std::thread::ScopedJoinHandle<'_, Result<BTreeSet<String>>>)| {
            let names = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((port, names))
        };
        questions.into_iter().map(answer).collect::<Result<Vec<_>>>().map(Built)
    })
}
