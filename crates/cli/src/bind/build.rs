//! Short constructors of Go declarations, for the modules of bind.

use crate::gosrc::{Declaration, Func, Member, Param, Type, TypeBody};

/// Makes a parameter or receiver.
pub fn param(name: &str, ty: &str) -> Param {
    Param { name: name.into(), ty: ty.into() }
}

/// Makes a function with at most one result. `body` is indented relative to the function.
pub fn func(name: &str, params: &[(&str, &str)], result: &str, doc: &str, body: &str) -> Declaration {
    plain(name, params, result, doc, body).into()
}

fn plain(name: &str, params: &[(&str, &str)], result: &str, doc: &str, body: &str) -> Func {
    Func {
        doc: doc.into(),
        name: name.into(),
        params: params.iter().map(|(name, ty)| param(name, ty)).collect(),
        results: if result.is_empty() { Vec::new() } else { vec![param("", result)] },
        body: Some(body.lines().map(str::to_owned).collect()),
        ..Func::default()
    }
}

/// Makes a method without parameters.
pub fn method(receiver: (&str, &str), name: &str, result: &str, doc: &str, body: &str) -> Declaration {
    Func { receiver: Some(param(receiver.0, receiver.1)), ..plain(name, &[], result, doc, body) }.into()
}

/// Makes a struct whose fields have no documentation.
pub fn structure(name: &str, members: &[(&str, &str)], doc: &str) -> Declaration {
    let member = |(name, ty): &(&str, &str)| Member { doc: String::new(), name: (*name).into(), ty: (*ty).into() };
    Type { doc: doc.into(), name: name.into(), ty: TypeBody::Struct(members.iter().map(member).collect()), place: String::new() }.into()
}
