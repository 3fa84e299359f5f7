//! The methods of interfaces that Go implements and Rust calls.

use super::go_type;
use super::names::Names;
use crate::gosrc::{Func, Param};
use rustgo_schema::{Basic, Method, Type};

/// Returns the declaration of a method in Go, without a receiver.
pub fn declared_method(method: &Method) -> Func {
    let mut names = Names::new(0, &[]);
    let rust_names = method.names.lines().chain(std::iter::repeat(""));
    let params = method.params.iter().zip(rust_names).enumerate();
    Func {
        name: method.go_name.clone(),
        params: params
            .map(|(index, (ty, name))| Param { name: names.choose(name, format!("arg{index}")), ty: type_in(&method.go_name, ty) })
            .collect(),
        results: method.results.iter().map(|ty| Param { name: String::new(), ty: type_in(&method.go_name, ty) }).collect(),
        ..Func::default()
    }
}

/// Returns the Go type of a parameter or result of a method with this name.
pub fn type_in(method: &str, ty: &Type) -> String {
    // ReadByte and WriteByte need the type name `byte`: go vet compares these methods with io's interfaces by type names, so it would report `uint8`.
    match (method, ty) {
        ("ReadByte" | "WriteByte", Type::Basic(Basic::Uint8)) => "byte".into(),
        (_, ty) => go_type(ty),
    }
}
