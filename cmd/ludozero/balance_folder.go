package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/evaluation/balance"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/model/kernel"
)

// Files of the folder of a comparison, besides a folder for each variant.
const (
	balanceAsked = "asked.json"
	balanceJSON  = "balance.json"
)

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
		Kernel: kernel.Arithmetic(),
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
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		panic("BUG: " + err.Error()) // words and numbers only
	}
	return append(b, '\n'), nil
}

// balanceFolder is where a comparison is kept; dir is "" if nowhere.
type balanceFolder struct{ dir string }

// open begins the folder, or goes on with it, and returns the result if exactly what
// is asked has been finished there. What was asked may change, as another variant or
// baseline: games are kept for each variant, whose folders refuse what they were not
// begun for. With readOnly nothing is written.
func (f *balanceFolder) open(asked []byte, readOnly bool) (*balance.Result, error) {
	if f.dir == "" {
		return nil, nil
	}
	before, err := os.ReadFile(filepath.Join(f.dir, balanceAsked))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		entries, err := os.ReadDir(f.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if !atomicfile.IsTemporary(e.Name()) {
				return nil, fmt.Errorf("folder %s: it holds %s and no %s: want a new or empty folder, or one of a comparison", f.dir, e.Name(), balanceAsked)
			}
		}
	case err != nil:
		return nil, err
	case bytes.Equal(before, asked):
		data, err := os.ReadFile(filepath.Join(f.dir, balanceJSON))
		if err == nil {
			r := &balance.Result{}
			if err := json.Unmarshal(data, r); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(f.dir, balanceJSON), err)
			}
			return r, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err == nil {
		if err := declared(before, asked); err != nil {
			return nil, fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	if readOnly {
		return nil, nil
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return nil, err
	}
	// The result of what was asked before is none of what is asked now.
	if err := os.Remove(filepath.Join(f.dir, balanceJSON)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, f.write(balanceAsked, func(w io.Writer) error {
		_, err := w.Write(asked)
		return err
	})
}

// declared refuses another difference that matters than the one that was said before
// the games.
func declared(before, asked []byte) error {
	var was, is balanceAsk
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(asked, &is)); err != nil {
		return fmt.Errorf("%s: %w", balanceAsked, err)
	}
	if was.Format != is.Format {
		return fmt.Errorf("%s: format %d: this program reads %d", balanceAsked, was.Format, is.Format)
	}
	if was.Matters != is.Matters {
		return fmt.Errorf("--matters %g: a difference of %g was declared before its games: want that, or a folder of its own", is.Matters, was.Matters)
	}
	return nil
}

func (f *balanceFolder) write(name string, write func(io.Writer) error) error {
	return atomicfile.Write(filepath.Join(f.dir, name), write)
}

// finish writes the result in all its forms. The one that says that it is there
// comes last.
func (f *balanceFolder) finish(in *balance.Input, r *balance.Result) error {
	if f.dir == "" {
		return nil
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"report.txt", r.WriteText},
		{"report.html", r.WriteHTML},
		{"games.csv", func(w io.Writer) error { return balance.WriteGames(w, in) }},
		{"measures.csv", r.WriteMeasures},
		{"cells.csv", r.WriteCells},
		{"verdicts.csv", r.WriteVerdicts},
		{"first-moves.csv", r.WriteFirstMoves},
		{balanceJSON, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(r)
		}},
	} {
		if err := f.write(file.name, file.write); err != nil {
			return fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	return nil
}
