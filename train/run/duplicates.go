package run

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io/fs"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// playedGames knows games by a hash of their rules and all their actions, those
// without a row and the outcomes of chance included. Of a million games two
// different ones have the same hash with a probability of 3·10⁻⁸.
type playedGames struct {
	known    map[uint64]struct{}
	repeated int64               // were known when they came
	before   map[uint64]struct{} // known of the generation before
	again    int64               // are among those
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
	if _, ok := p.before[id]; ok {
		p.again++
	}
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

// gamesBefore are those of the generation before the present one of an
// alternating run: kept if this process has played or read them, read from their
// shards if not.
func (r *runner) gamesBefore() (map[uint64]struct{}, error) {
	g := r.state.Generation - 1
	if g < 0 {
		return nil, nil
	}
	if r.lastGames != nil && r.lastGamesOf == g {
		return r.lastGames, nil
	}
	var p playedGames
	_, _, shards := r.cfg.Layout()
	for n := int64(g) * shards; n < int64(g+1)*shards; n++ {
		shard, err := r.openShard(g, n)
		if errors.Is(err, fs.ErrNotExist) {
			continue // no game of it had a row
		}
		if err == nil {
			err = p.read(shard)
		}
		if err != nil {
			return nil, err
		}
	}
	return p.known, nil
}

// keepGames keeps the games of the present generation for the next.
func (r *runner) keepGames(t *tally) { r.lastGames, r.lastGamesOf = t.played.known, r.state.Generation }

// read takes the games of a shard.
func (p *playedGames) read(shard *record.Shard) error {
	rows, err := shard.Rows()
	if err != nil {
		return err
	}
	for _, game := range record.Games(rows) {
		p.add(game)
	}
	return nil
}
