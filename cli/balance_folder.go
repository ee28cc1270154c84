package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study/balance"
)

// balanceJSON is the result in the folder of a comparison.
const balanceJSON = "balance.json"

// balanceAsk is all that a comparison depends on, but for the machine and the number
// of workers.
type balanceAsk struct {
	Format       int           `json:"format"`
	Game         string        `json:"game"`
	GameVersion  int           `json:"game_version"`
	Rules        string        `json:"rules"`
	Variants     []string      `json:"variants"`
	Baseline     string        `json:"baseline"`
	Players      []askedPlayer `json:"players"`
	Precision    string        `json:"precision,omitempty"`
	Tuned        []askedPlayer `json:"tuned"`
	TunedPairs   int           `json:"tuned_pairs"`
	Games        int           `json:"games"`
	Forced       int           `json:"forced"`
	Sampled      int           `json:"sampled"`
	Temperatures []float64     `json:"temperatures"`
	Matters      float64       `json:"matters"`
	MaxTurns     int           `json:"max_turns"`
	Seed         uint64        `json:"seed"`
	Kernel       string        `json:"kernel"`
	CoreTime     time.Duration `json:"core_time_ns,omitempty"`
}

// askedPlayer is a player with what its description does not say.
type askedPlayer struct {
	Variant  string `json:"variant,omitempty"`
	Player   string `json:"player"`
	Identity string `json:"identity,omitempty"`
}

const balanceFormat = 1

// asked describes the comparison.
func (w *balanceWork) asked() ([]byte, error) {
	cfg, info := &w.flags.cfg, w.base.Info()
	a := &balanceAsk{
		Format: balanceFormat, Game: info.Name, GameVersion: info.Version, Rules: w.base.Rules(),
		Baseline: w.variants[w.baseline].Name, TunedPairs: w.flags.tunedPairs,
		Games: cfg.Games, Forced: cfg.Forced, Sampled: cfg.Sampled, Temperatures: cfg.Temperatures, Matters: cfg.Matters, MaxTurns: cfg.MaxTurns, Seed: cfg.Seed,
		Kernel: kernel.Arithmetic(), CoreTime: w.flags.coreTime,
	}
	if len(w.networks) > 0 {
		a.Precision = w.flags.precision
	}
	for _, v := range w.variants {
		a.Variants = append(a.Variants, v.Name)
	}
	for _, p := range w.players {
		id, err := p.Spec.Identity()
		if err != nil {
			return nil, err
		}
		a.Players = append(a.Players, askedPlayer{Player: p.Spec.Text, Identity: id})
	}
	for _, t := range w.tuned {
		id, err := t.spec.Identity()
		if err != nil {
			return nil, err
		}
		a.Tuned = append(a.Tuned, askedPlayer{w.variants[t.variant].Name, t.spec.Text, id})
	}
	return jsonLines(a), nil
}

// declared refuses to change the difference that matters, which was said before the
// games, and what all games depend on.
func declared(before, asked []byte) error {
	var was, is balanceAsk
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(asked, &is)); err != nil {
		return fmt.Errorf("%s: %w", experimentAsked, err)
	}
	if was.Format != is.Format {
		return fmt.Errorf("%s: format %d: this program reads %d", experimentAsked, was.Format, is.Format)
	}
	if was.Matters != is.Matters {
		return fmt.Errorf("--matters %g: a difference of %g was declared before its games: want that, or a folder of its own", is.Matters, was.Matters)
	}
	var errs []error
	for _, x := range []struct {
		flag    string
		was, is any
	}{
		{"games", was.Games, is.Games}, {"forced", was.Forced, is.Forced}, {"sampled", was.Sampled, is.Sampled},
		{"temperatures", joined(was.Temperatures), joined(is.Temperatures)}, {"max-turns", was.MaxTurns, is.MaxTurns}, {"seed", was.Seed, is.Seed},
	} {
		if x.was != x.is {
			errs = append(errs, fmt.Errorf("--%s %v: its games are of %v: want that, or a folder of its own", x.flag, x.is, x.was))
		}
	}
	return errors.Join(errs...)
}

// balanceForms are those of the result besides the JSON.
func balanceForms(in *balance.Input, r *balance.Result) []experimentFile {
	return []experimentFile{
		{"report.txt", r.WriteText},
		{"report.html", r.WriteHTML},
		{"games.csv", func(w io.Writer) error { return balance.WriteGames(w, in) }},
		{"measures.csv", r.WriteMeasures},
		{"cells.csv", r.WriteCells},
		{"verdicts.csv", r.WriteVerdicts},
		{"first-moves.csv", r.WriteFirstMoves},
	}
}
