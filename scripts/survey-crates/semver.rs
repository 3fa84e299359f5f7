//@ std
//@ semver = "=1.0.28"
//@ input: 1.2.3-alpha.1+build.5\n>=1.2, <2.0, !=3
//@ input: 10.20.30\n^1.2.3, ~4.5, =6.7.8-rc.1
//@ input: 1.0.0\n*
//! Parses versions, and matches them against requirements.
use semver::{BuildMetadata, Version, VersionReq};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let (version, need) = input.split_once('\n').unwrap_or((&input, "^1.2"));
    let mut text = match Version::parse(version) {
        Ok(mut version) => {
            let pre = version.pre.clone();
            let said = format!("{version} {pre:?} {:?}", version.cmp(&Version::new(1, 2, 3)));
            version.build = BuildMetadata::new("survey.7.long.enough.to.be.on.the.heap").unwrap();
            said + &version.to_string()
        }
        Err(error) => error.to_string(),
    };
    text += &match VersionReq::parse(need) {
        Ok(need) => format!("{need} {:?} {}", need, need.matches(&Version::new(1, input.len() as u64 % 5, 3))),
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
