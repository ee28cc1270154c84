package cluster

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// judge plays games that others have played again, by the rules and by what the run's seed
// and configuration decide. What only a search could tell, such as values and visits, it
// takes as it is, within the rules of record.Row. Not safe for concurrent use.
type judge struct {
	cfg   *plan.Config
	rules *plan.Rules
	// replayers by rules word
	replayers map[string]*record.Replayer
}

func newJudge(cfg *plan.Config, rules *plan.Rules) *judge {
	return &judge{cfg: cfg, rules: rules, replayers: map[string]*record.Replayer{}}
}

func (j *judge) job() selfplay.Job {
	return selfplay.Job{Game: j.rules.Game, Mix: j.rules.Mix, Seed: j.cfg.Seed, SeedOf: seedOf(j.cfg)}
}

// seed is the seed of a game.
func (j *judge) seed(number int64) uint64 {
	job := j.job()
	is, _ := job.Begins(number)
	return is
}

// seedOf makes seeds from the numbers in leases, for selfplay.Job.SeedOf: nil in an alternating
// run, where these are the numbers of the games. In a concurrent run they are not, and the
// seeds are others.
func seedOf(cfg *plan.Config) func(int64) uint64 {
	if cfg.Mode != plan.ModeConcurrent {
		return nil
	}
	return func(number int64) uint64 { return seed.Number(cfg.Seed, "lease", uint64(number)) }
}

// game makes a game of a parcel of its transcript, or says why it cannot have been played.
func (j *judge) game(p *Parcel, of *parcelGame, transcript []byte) (*selfplay.Finished, error) {
	f := &selfplay.Finished{
		Number: of.Number, Generation: p.Network, Rules: of.Rules, Turns: of.Turns,
		Outcome: engine.Outcome{Over: true, Winner: of.Winner, Reason: of.Reason},
	}
	if err := j.play(p.Run, f, transcript); err != nil {
		return nil, fmt.Errorf("game %d: %w", f.Number, err)
	}
	return f, nil
}

func (j *judge) play(run string, f *selfplay.Finished, transcript []byte) error {
	job := j.job()
	start, g := job.Begins(f.Number)
	if f.Rules != g.Rules() {
		return fmt.Errorf("rules %q: its seed draws %q", f.Rules, g.Rules())
	}
	if len(transcript) == 0 {
		return j.undecided(g)
	}
	replayer := j.replayers[f.Rules]
	if replayer == nil {
		replayer = record.NewReplayer(g)
		j.replayers[f.Rules] = replayer
	}
	rows, o, err := replayer.Restore(record.Row{Run: run, Generation: int32(f.Generation), GameNumber: f.Number, Seed: start}, g, transcript)
	if err != nil {
		return err
	}
	if turns := replayer.State().Turn(); o != f.Outcome || f.Turns != turns {
		return fmt.Errorf("it ends with %+v after %d turns: its actions end with %+v after %d", f.Outcome, f.Turns, o, turns)
	}
	f.Rows = rows
	return nil
}

// drawn tells whether games begin where a network's moves or earlier games have led, so
// that of one without a decision the rules say nothing.
func (j *judge) drawn() bool {
	b := &j.cfg.SelfPlay.Beginnings
	return b.SampledShare > 0 || b.EarlierShare > 0
}

// undecided checks that a game by the rules of g can be without a decision. One that
// begins at the start position must not have a choice up to the first roll.
func (j *judge) undecided(g engine.Game) error {
	if j.drawn() {
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
func sumOf(f *selfplay.Finished) sum { return sumOfGame(f, appendGame(nil, f)) }

// sumOfGame is sumOf where the transcript is there.
func sumOfGame(f *selfplay.Finished, transcript []byte) sum {
	head := fmt.Appendf(nil, "%d %d %q %d %d %q\n", f.Number, f.Generation, f.Rules, f.Turns, f.Outcome.Winner, f.Outcome.Reason)
	return sha256.Sum256(append(head, transcript...))
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
