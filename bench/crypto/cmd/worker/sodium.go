//go:build sodium && cgo

package main

import (
	"rustgo.dev/bench/crypto/internal/columns/sodiumcgo"
	"rustgo.dev/bench/crypto/internal/columns/sodiumfast"
)

func init() {
	columns["sodium-cgo"] = sodiumcgo.Column
	columns["sodium-fastcgo"] = sodiumfast.Column
}
