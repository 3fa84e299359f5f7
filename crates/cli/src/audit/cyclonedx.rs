//! Makes a bill of materials in the CycloneDX format, version 1.5. The bill lists the packages, their crates, and the crates of each package.
//!
//! The bill has no time and no serial number, so that equal inputs give equal bytes.

use super::find::{Found, Linked};
use crate::marker::Source;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the format.
const VERSION: &str = "1.5";

/// Returns the bill of the packages in `subject`.
pub fn bill(subject: &str, packages: &[Found]) -> Value {
    let (mut components, mut dependencies) = (Vec::new(), Vec::new());
    let mut crates: BTreeMap<String, &Linked> = BTreeMap::new();
    let mut needed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let reference = format!("package:{}", package.name);
        let refs = package.crates.iter().map(|krate| {
            let reference = reference_of(krate);
            crates.entry(reference.clone()).or_insert(krate);
            reference
        });
        let refs: Vec<String> = refs.collect();
        needed.entry(reference).or_default().extend(refs);
    }
    let root = "subject";
    dependencies.push(json!({ "ref": root, "dependsOn": needed.keys().collect::<Vec<_>>() }));
    for (reference, mut crates) in needed {
        crates.sort();
        crates.dedup();
        let name = reference.trim_start_matches("package:");
        components.push(json!({ "type": "library", "bom-ref": reference, "name": name, "description": "Go package made by rustgo" }));
        dependencies.push(json!({ "ref": reference, "dependsOn": crates }));
    }
    components.extend(crates.iter().map(|(reference, krate)| component(reference, krate)));
    dependencies.extend(crates.keys().map(|reference| json!({ "ref": reference, "dependsOn": [] })));
    json!({
        "$schema": format!("http://cyclonedx.org/schema/bom-{VERSION}.schema.json"),
        "bomFormat": "CycloneDX",
        "specVersion": VERSION,
        "version": 1,
        "metadata": {
            "tools": { "components": [{ "type": "application", "name": "rustgo", "version": env!("CARGO_PKG_VERSION") }] },
            "component": { "type": "application", "bom-ref": root, "name": subject },
        },
        "components": components,
        "dependencies": dependencies,
    })
}

/// Returns the identifier of a crate in the bill: its package URL if it is from crates.io.
fn reference_of(krate: &Linked) -> String {
    match krate.source {
        Some(Source::CratesIo) => package_url(krate),
        Some(source) => format!("{}:{}@{}", source.name(), krate.name, krate.version),
        None => format!("crate:{}@{}", krate.name, krate.version),
    }
}

/// Returns the package URL of a crate on crates.io.
fn package_url(krate: &Linked) -> String {
    format!("pkg:cargo/{}@{}", krate.name, krate.version.replace('+', "%2B"))
}

fn component(reference: &str, krate: &Linked) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": krate.name,
        "version": krate.version,
    });
    // Scanners find advisories by the package URL. A crate gets a package URL if its source is crates.io, or probably is: the crates in std are from
    // crates.io, and so are most build dependencies and most crates with an unknown source.
    if matches!(krate.source, Some(Source::CratesIo | Source::Std | Source::Build) | None) {
        component["purl"] = package_url(krate).into();
    }
    if let Some(license) = &krate.license {
        // Old manifests write `MIT/Apache-2.0` for a choice.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if let Some(checksum) = &krate.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn linked(name: &str, version: &str, source: Option<Source>) -> Linked {
        Linked {
            name: name.into(),
            version: version.into(),
            source,
            license: Some("MIT/Apache-2.0".into()),
            checksum: Some("ab".repeat(32)),
        }
    }

    fn package(name: &str, crates: Vec<Linked>) -> Found {
        Found { name: name.into(), dir: None, rustgo: "0.1.0".into(), compilers: Vec::new(), digests: Vec::new(), crates }
    }

    /// Checks the requirements of the published schema: the required keys, their types, unique references, and no unknown keys.
    fn is_valid(bill: &Value) {
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
        assert_eq!(bill["bomFormat"], "CycloneDX");
        assert_eq!(bill["specVersion"], "1.5");
        assert!(bill["version"].as_u64().unwrap() >= 1);
        let mut refs = BTreeSet::from([bill["metadata"]["component"]["bom-ref"].as_str().unwrap().to_owned()]);
        let known = ["type", "bom-ref", "name", "version", "purl", "licenses", "hashes", "description"].map(str::to_owned);
        for component in bill["components"].as_array().unwrap() {
            assert!(["library", "application"].contains(&component["type"].as_str().unwrap()));
            assert!(!component["name"].as_str().unwrap().is_empty());
            assert!(keys(component).is_subset(&known.clone().into()), "{component}");
            assert!(refs.insert(component["bom-ref"].as_str().unwrap().to_owned()), "{component}");
            for hash in component["hashes"].as_array().into_iter().flatten() {
                assert!(hash["alg"] == "SHA-256" && hash["content"].as_str().unwrap().len() == 64);
            }
        }
        let mut seen = BTreeSet::new();
        for dependency in bill["dependencies"].as_array().unwrap() {
            assert!(refs.contains(dependency["ref"].as_str().unwrap()) && seen.insert(dependency["ref"].to_string()), "{dependency}");
            let on: Vec<&str> = dependency["dependsOn"].as_array().unwrap().iter().map(|on| on.as_str().unwrap()).collect();
            assert!(on.iter().all(|on| refs.contains(*on)) && on.iter().collect::<BTreeSet<_>>().len() == on.len(), "{dependency}");
        }
        assert_eq!(seen.len(), refs.len());
    }

    #[test]
    fn bills_follow_the_schema() {
        let shared = linked("a", "1.0.0+x", Some(Source::CratesIo));
        let one =
            package("m/one", vec![shared.clone(), linked("mine", "0.1.0", Some(Source::Path)), linked("h", "1.0.0", Some(Source::Std))]);
        let two = package("m/two", vec![shared.clone(), shared, linked("b", "2.0.0", None)]);
        // A program has one marker for each architecture and for each copy of a package.
        let bill = bill("program", &[one.clone(), two, one]);
        is_valid(&bill);
        let a = &bill["components"][2];
        assert_eq!((a["name"].as_str(), a["purl"].as_str()), (Some("b"), Some("pkg:cargo/b@2.0.0")));
        let mine = bill["components"].as_array().unwrap().iter().find(|component| component["name"] == "mine").unwrap();
        assert_eq!((&mine["bom-ref"], &mine["purl"]), (&json!("path:mine@0.1.0"), &Value::Null));
        let of_std = bill["components"].as_array().unwrap().iter().find(|component| component["name"] == "h").unwrap();
        assert_eq!((&of_std["bom-ref"], &of_std["purl"]), (&json!("std:h@1.0.0"), &json!("pkg:cargo/h@1.0.0")));
        assert_eq!(mine["licenses"], json!([{ "expression": "MIT OR Apache-2.0" }]));
        let a = bill["components"].as_array().unwrap().iter().find(|component| component["name"] == "a").unwrap();
        assert_eq!(a["purl"], "pkg:cargo/a@1.0.0%2Bx");
    }
}
