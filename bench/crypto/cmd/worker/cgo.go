//go:build native && cgo

package main

import (
	"rustgo.dev/bench/crypto/internal/columns/rustcgo"
	"rustgo.dev/bench/crypto/internal/columns/sodiumcgo"
	"rustgo.dev/bench/crypto/internal/columns/sodiumfast"
)

func init() {
	columns["rust-cgo"] = rustcgo.Column
	columns["sodium-cgo"] = sodiumcgo.Column
	columns["sodium-fastcgo"] = sodiumfast.Column
}
