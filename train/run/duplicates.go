package run

import (
	"errors"
	"io/fs"

	"github.com/ludozero/ludozero/selfplay/record"
)

// playedGames knows games by record.GameID.
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

func gameID(rows []record.Row) uint64 { return record.GameID(rows) }

// recentGames knows the games of one generation of an alternating run.
type recentGames struct {
	*site
	known map[uint64]struct{} // nil: of no generation
	of    int
}

// before are the games of the generation before that one: kept if this process has
// played or read them, read from their shards if not.
func (g *recentGames) before(generation int) (map[uint64]struct{}, error) {
	last := generation - 1
	if last < 0 || g.known != nil && g.of == last {
		return g.known, nil
	}
	var p playedGames
	_, _, shards := g.cfg.Layout()
	for n := int64(last) * shards; n < int64(last+1)*shards; n++ {
		shard, err := g.openShard(last, n)
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

// keep keeps the games of a generation for the next.
func (g *recentGames) keep(t *tally, generation int) { g.known, g.of = t.played.known, generation }

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
