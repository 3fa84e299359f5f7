package htmlrewrite

//go:generate rustgo build --crate rust
