package rustgo

import (
	"rustgo.dev/packages/mlkem768"

	"rustgo.dev/bench/crypto/internal/column"
)

type decapsulation struct{ key *mlkem768.DecapsulationKey }

func kem(seed []byte) column.KEM {
	return decapsulation{column.Must(mlkem768.NewDecapsulationKey(seed))}
}

func (d decapsulation) Public() []byte { return d.key.EncapsulationKey().Bytes() }
func (d decapsulation) Decapsulate(ciphertext []byte) []byte {
	return column.Must(d.key.Decapsulate(ciphertext))
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	return column.Must(mlkem768.NewEncapsulationKey(public)).Encapsulate()
}
