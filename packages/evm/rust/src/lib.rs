//! Analyses of the crate evmole, for the Go files of the package.

mod answer;
mod contract;
mod flow;
mod metadata;

pub use flow::RawRange;
