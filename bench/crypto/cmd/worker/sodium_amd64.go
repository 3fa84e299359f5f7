package main

import "rustgo.dev/bench/crypto/internal/columns/sodiumrustgo"

func init() { columns["sodium-rustgo"] = sodiumrustgo.Column }
