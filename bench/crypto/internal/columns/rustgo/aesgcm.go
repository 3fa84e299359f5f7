package rustgo

import (
	"rustgo.dev/packages/aesgcm"

	"rustgo.dev/bench/crypto/internal/column"
)

func AES(key []byte) column.AEAD { return column.Must(aesgcm.New(key)) }
