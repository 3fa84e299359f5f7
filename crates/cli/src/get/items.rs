//! Decides how iterators, lists of pairs and arrays cross as results.

use super::api::{arguments, last};
use super::cross::{Cross, Lending, Output, Place};
use super::types::{Kind, is_plain, show};
use rustdoc_types::{AssocItemConstraintKind, GenericArgs, GenericBound, Term, Type};

impl Cross<'_> {
    /// Returns the wrapper's result for a function whose result is a type parameter. If the bound is `FromIterator`, the wrapper's result is text for
    /// characters, and a list for numbers. If only numbers implement the bound, it is a number.
    pub fn collected(&self, bounds: &[GenericBound]) -> Result<Output, String> {
        for bound in bounds {
            let GenericBound::TraitBound { trait_, .. } = bound else { continue };
            if self.api.std_name(trait_) == "FromIterator" {
                match arguments(trait_).first() {
                    Some(Type::Primitive(item)) if item == "char" => return Ok(Output::new("String", "$")),
                    Some(item) if is_plain(item) => return Ok(Output::new(format!("Vec<{}>", show(item)), "$")),
                    _ => {}
                }
            }
        }
        // A parameter of this type parameter has the same type of number.
        let number = bounds.iter().find_map(|bound| match bound {
            GenericBound::TraitBound { trait_, .. } => self.number_for(trait_),
            _ => None,
        });
        number.map(|number| Output::new(number, "$")).ok_or_else(|| "returns what the caller chooses".to_owned())
    }

    /// Returns the wrapper's result for an iterator over `item`. Bytes and characters are collected.
    pub fn lent_items(&self, item: &Type, lending: Lending) -> Result<Output, String> {
        match self.resolve(item) {
            Type::Primitive(item) if item == "u8" => Ok(Output::new("Vec<u8>", "$.collect()")),
            Type::Primitive(item) if item == "char" => Ok(Output::new("String", "$.collect()")),
            item => match self.parts_of_result(&item) {
                Some((value, error)) => self.all_or_error(&value, &error),
                None => self.iterator(&item, "$", lending),
            },
        }
    }

    /// Returns the types of the value and of the error of a `Result`.
    fn parts_of_result(&self, ty: &Type) -> Option<(Type, Type)> {
        let Type::ResolvedPath(path) = ty else { return None };
        let of: Vec<Type> = arguments(path).into_iter().map(|ty| self.resolve(ty)).collect();
        match (self.api.std_name(path), of.as_slice()) {
            ("Result", [value, error]) => Some((value.clone(), error.clone())),
            _ => None,
        }
    }

    /// Returns the wrapper's result for an iterator over results: the list of the values, or the first error.
    fn all_or_error(&self, value: &Type, error: &Type) -> Result<Output, String> {
        let inner = self.output(value, Place::Part, Lending { owned: true, collected: true })?;
        let (error, convert) = self.error(&self.resolve(error))?;
        let values = match inner.mapped("map") {
            mapped if mapped.is_empty() => mapped,
            mapped => format!(".map(|x| x{mapped})"),
        };
        let ty = format!("Result<Vec<{}>, {error}>", inner.ty);
        Ok(match convert {
            None => Output::new(ty, format!("${values}.collect()")),
            Some(convert) => Output::new(ty, format!("${values}.collect::<Result<Vec<_>, _>>().map_err({convert})")),
        })
    }

    pub fn is_tuple_of_two(&self, ty: &Type) -> bool {
        matches!(self.resolve(ty), Type::Tuple(parts) if parts.len() == 2)
    }

    /// Returns the wrapper's result for a borrowed list of tuples of two.
    pub fn borrowed_pairs(&self, elem: &Type, lending: Lending) -> Result<Output, String> {
        let Type::Tuple(parts) = self.resolve(elem) else { return Err(format!("returns a slice of {}", show(elem))) };
        let [first, second] = parts.as_slice() else { return Err(format!("returns a slice of {}", show(elem))) };
        let lent = |ty: &Type| Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(ty.clone()) };
        let part = |ty: &Type| self.output(&lent(ty), Place::Part, Lending { owned: lending.owned || lending.collected, ..lending });
        let (first, second) = (part(first)?, part(second)?);
        let ty = format!("impl Iterator<Item = ({}, {})>", first.ty, second.ty);
        let expr = format!("$.iter().map(|(a, b)| ({}, {}))", first.apply("a"), second.apply("b"));
        Ok(match lending.collected || lending.owned {
            false => Output::new(ty, expr),
            true => Output::new(ty, format!("{expr}.collect::<Vec<_>>().into_iter()")).without_lifetimes(),
        })
    }

    /// Returns the wrapper's result for an array, or for a reference to one, of elements that Go lays out differently: an array of values or named
    /// numbers, or a list.
    pub fn array(&self, elem: &Type, len: &str, is_lent: bool) -> Result<Output, String> {
        let elem = match is_lent {
            true => Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(elem.clone()) },
            false => elem.clone(),
        };
        let inner = self.output(&elem, Place::Part, Lending { owned: true, collected: true })?;
        let mapped = inner.mapped("map");
        let is_value = inner.ty.starts_with('[') || self.is_value(&elem);
        Ok(match (is_value, is_lent) {
            (true, false) => Output::new(format!("[{}; {len}]", inner.ty), format!("${mapped}")),
            (true, true) => Output::new(format!("[{}; {len}]", inner.ty), format!("$.each_ref(){mapped}")),
            (false, false) => Output::new(format!("Vec<{}>", inner.ty), format!("$.into_iter(){mapped}.collect()")),
            (false, true) => Output::new(format!("Vec<{}>", inner.ty), format!("$.iter(){mapped}.collect()")),
        })
    }

    /// True for a struct or enum, or a reference to one, that Go gets as a value or named number.
    fn is_value(&self, ty: &Type) -> bool {
        match self.resolve(ty) {
            Type::BorrowedRef { type_, .. } => self.is_value(&type_),
            ty => self.known_of(&ty).is_some_and(|known| matches!(known.kind, Kind::Value { .. } | Kind::Enumeration { .. })),
        }
    }

    /// Returns the wrapper's result for a list of pairs or a map.
    pub fn pairs(&self, item: &Type, expr: &str) -> Result<Output, String> {
        let lending = Lending { owned: true, collected: false };
        match self.iterator(item, expr, lending)? {
            plain if plain.expr == expr => Ok(plain.without_lifetimes()),
            // If the items borrow from an argument, an iterator that converts them would borrow from this argument too. So collect the items.
            _ => self.iterator(item, expr, Lending { collected: true, ..lending }),
        }
    }

    /// Returns the list of the items of an iterator inside another type. `None` for pairs, because Go has no lists of pairs.
    pub fn listed(&self, item: &Type) -> Option<Result<Output, String>> {
        let list = match self.lent_items(item, Lending { owned: true, collected: true }) {
            Ok(list) => list,
            Err(reason) => return Some(Err(reason)),
        };
        let collect = |expr: &str| expr.replace(".collect()", ".collect::<Vec<_>>()");
        let is_text = list.ty == "String";
        (is_text || list.ty.starts_with("Vec")).then(|| Ok(if is_text { list } else { Output { expr: collect(&list.expr), ..list } }))
    }

    pub fn iterator(&self, item: &Type, expr: &str, lending: Lending) -> Result<Output, String> {
        let item = self.resolve(item);
        let inner_lending = Lending { owned: lending.owned || lending.collected, ..lending };
        let is_pair = self.is_pair(&item);
        let inner = self.output(&item, if is_pair { Place::Inside } else { Place::Part }, inner_lending)?;
        let mapped = inner.mapped("map");
        Ok(match lending.collected {
            false => Output::new(format!("impl Iterator<Item = {}>", inner.ty), format!("{expr}{mapped}")),
            true if is_pair => {
                let ty = format!("impl Iterator<Item = {}> + use<>", inner.ty);
                Output::new(ty, format!("{expr}{mapped}.collect::<Vec<_>>().into_iter()"))
            }
            true => Output::new(format!("Vec<{}>", inner.ty), format!("{expr}{mapped}.collect()")),
        })
    }

    /// Returns the item type that an iterator bound among `bounds` states. `None` if no bound states one.
    pub fn item_of<'b>(&self, bounds: &'b [GenericBound]) -> Option<&'b Type> {
        bounds.iter().find_map(|bound| {
            let GenericBound::TraitBound { trait_, .. } = bound else { return None };
            let is_it = matches!(self.api.std_name(trait_), "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator");
            let Some(GenericArgs::AngleBracketed { constraints, .. }) = trait_.args.as_deref() else { return None };
            let item = constraints.iter().find(|constraint| constraint.name == "Item")?;
            let AssocItemConstraintKind::Equality(Term::Type(ty)) = &item.binding else { return None };
            is_it.then_some(ty)
        })
    }

    /// Returns the type of the items of an iterator of std. `defined` is the path where the iterator is defined, and `of` has its type arguments.
    pub fn std_items(&self, defined: &str, of: &[Type]) -> Option<Type> {
        let lent = |ty: Type| Type::BorrowedRef { lifetime: None, is_mutable: false, type_: Box::new(ty) };
        let module = defined.rsplit_once("::")?.0;
        let name = last(defined);
        match (module, name, of) {
            ("core::str::iter", "Chars", _) => Some(Type::Primitive("char".to_owned())),
            ("core::str::iter", "Bytes", _) => Some(Type::Primitive("u8".to_owned())),
            ("core::str::iter", "CharIndices", _) => {
                Some(Type::Tuple(vec![Type::Primitive("usize".to_owned()), Type::Primitive("char".to_owned())]))
            }
            ("core::str::iter", name, _) if name.contains("Split") || name == "Lines" => Some(lent(Type::Primitive("str".to_owned()))),
            ("core::slice::iter", "Iter", [item]) => Some(lent(item.clone())),
            ("alloc::vec::into_iter", "IntoIter", [item, ..]) => Some(item.clone()),
            _ => None,
        }
    }
}
