package record

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/ludozero/ludozero/engine"
)

// GameID is a hash of the rules and all the actions of the game whose rows these are, all of
// them and at least one; actions without a row and the outcomes of chance are included. Of a million games two
// different ones have the same hash with a probability of 3·10⁻⁸.
func GameID(rows []Row) uint64 {
	h := fnv.New64a()
	h.Write([]byte(rows[0].Rules))
	var word [4]byte
	list := func(actions ...engine.Action) {
		for _, a := range actions {
			binary.LittleEndian.PutUint32(word[:], uint32(a))
			h.Write(word[:])
		}
	}
	for i := range rows {
		list(rows[i].Before...)
		list(rows[i].Action)
	}
	list(rows[len(rows)-1].After...)
	return h.Sum64()
}
