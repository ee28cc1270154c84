package cluster

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// judge holds games that others have played to the rules and to what the run's seed and
// configuration decide. What only a search could tell, such as values and visits, it
// takes as it is: a row's own rules, the sums of its targets among them, were checked when
// it was read. Not safe for concurrent use.
type judge struct {
	cfg   *plan.Config
	rules *plan.Rules
	// replayers by rules word
	replayers map[string]*record.Replayer
}

func newJudge(cfg *plan.Config, rules *plan.Rules) *judge {
	return &judge{cfg: cfg, rules: rules, replayers: map[string]*record.Replayer{}}
}

// check returns why a game of that run cannot have been played as it says.
func (j *judge) check(run string, f *selfplay.Finished) error {
	err := j.game(run, f)
	if err != nil {
		err = fmt.Errorf("game %d: %w", f.Number, err)
	}
	return err
}

func (j *judge) game(run string, f *selfplay.Finished) error {
	job := selfplay.Job{Game: j.rules.Game, Mix: j.rules.Mix, Seed: j.cfg.Seed}
	seed, g := job.Begins(f.Number)
	if f.Rules != g.Rules() {
		return fmt.Errorf("rules %q: its seed draws %q", f.Rules, g.Rules())
	}
	if len(f.Rows) == 0 {
		return j.undecided(g)
	}
	for i := range f.Rows {
		if r := &f.Rows[i]; r.Run != run || int(r.Generation) != f.Generation || r.Seed != seed || r.Rules != f.Rules {
			return fmt.Errorf("ply %d: run %q, generation %d, seed %d, rules %q: want %q, %d, %d, %q", r.Ply, r.Run, r.Generation, r.Seed, r.Rules, run, f.Generation, seed, f.Rules)
		}
	}
	replayer := j.replayers[f.Rules]
	if replayer == nil {
		replayer = record.NewReplayer(g)
		j.replayers[f.Rules] = replayer
	}
	for _, p := range replayer.Play(f.Rows, nil) {
		return fmt.Errorf("ply %d: %w", f.Rows[p.Row].Ply, p.Err)
	}
	if o := replayer.Outcome(); o != f.Outcome || f.Turns != replayer.State().Turn() {
		return fmt.Errorf("it ends with %+v after %d turns: its rows end with %+v after %d", f.Outcome, f.Turns, o, replayer.State().Turn())
	}
	return nil
}

// undecided checks that a game by the rules of g can be without a decision. One that
// begins at the start position must not have a choice up to the first roll.
func (j *judge) undecided(g engine.Game) error {
	if b := &j.cfg.SelfPlay.Beginnings; b.SampledShare > 0 || b.EarlierShare > 0 {
		return nil
	}
	s, past := g.NewState(), g.NewHistory()
	s.Start(past)
	var legal []engine.Action
	for s.Actor() == engine.First || s.Actor() == engine.Second {
		if legal = s.Legal(legal[:0], past); len(legal) > 1 {
			return fmt.Errorf("it has no decision, but there are %d actions at turn %d", len(legal), s.Turn())
		}
		s.Apply(legal[0], past)
	}
	return nil
}

// sumOf is a checksum of everything in a finished game as shards keep it, bit for bit.
func sumOf(f *selfplay.Finished) uint64 {
	h := fnv.New64a()
	if err := gob.NewEncoder(h).Encode(f); err != nil {
		panic("BUG: a finished game cannot be encoded: " + err.Error())
	}
	return h.Sum64()
}

// encodeConfig makes Welcome.Config. JSON keeps every number bit for bit.
func encodeConfig(c *plan.Config) (json.RawMessage, error) { return json.Marshal(c) }

func decodeConfig(text []byte) (*plan.Config, error) {
	var c plan.Config
	err := strictjson.Decode(text, &c)
	return &c, err
}

// decodeEarlier reads the games that others may begin in; nil are none.
func decodeEarlier(text []byte) (list []selfplay.EarlierGame, err error) {
	if text == nil {
		return nil, nil
	}
	if err := strictjson.Decode(text, &list); err != nil {
		return nil, fmt.Errorf("earlier games: %w", err)
	}
	return list, nil
}

func errConfigHash(got, want string) error {
	return fmt.Errorf("the configuration has the hash %s here and %s at the host: want the same program on both machines", got, want)
}
