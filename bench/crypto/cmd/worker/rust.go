//go:build rustcgo && cgo

package main

import "rustgo.dev/bench/crypto/internal/columns/rustcgo"

func init() { columns["rust-cgo"] = rustcgo.Column }
