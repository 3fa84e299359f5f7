#[derive(rust2go::R2G, Clone, Copy)]
pub struct Triple {
    pub x: u64,
    pub y: u64,
    pub z: u64,
}

#[rust2go::g2r]
pub trait Asm {
    fn increment(x: u64) -> u64;
    fn slice(x: u64, xs: Vec<u64>) -> u64;
    fn text(x: u64, text: String) -> u64;
    fn turn(point: Triple) -> Triple;
    fn half(x: u64) -> Option<u64>;
    fn list(x: u64) -> Vec<u64>;
    fn message(x: u64) -> String;
}

#[rust2go::g2r]
pub trait Cgo {
    #[cgo_call]
    fn increment(x: u64) -> u64;
    #[cgo_call]
    fn slice(x: u64, xs: Vec<u64>) -> u64;
    #[cgo_call]
    fn text(x: u64, text: String) -> u64;
    #[cgo_call]
    fn turn(point: Triple) -> Triple;
    #[cgo_call]
    fn half(x: u64) -> Option<u64>;
    #[cgo_call]
    fn list(x: u64) -> Vec<u64>;
    #[cgo_call]
    fn message(x: u64) -> String;
}
