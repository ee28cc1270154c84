package run

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// playedGames knows games by a hash of their rules and all their actions, those
// without a row and the outcomes of chance included. Of a million games two
// different ones have the same hash with a probability of 3·10⁻⁸.
type playedGames struct {
	known    map[uint64]struct{}
	repeated int64 // were known when they came
}

// add takes the rows of a game. One without a decision has none and is passed
// over.
func (p *playedGames) add(rows []record.Row) {
	if len(rows) == 0 {
		return
	}
	if p.known == nil {
		p.known = map[uint64]struct{}{}
	}
	id := gameID(rows)
	if _, ok := p.known[id]; ok {
		p.repeated++
		return
	}
	p.known[id] = struct{}{}
}

func gameID(rows []record.Row) uint64 {
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
