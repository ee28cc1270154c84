package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/export"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/rundir"
)

// describeSource says of the network from a file what is known there: its name for people
// and, if it is a checkpoint of a run, what it took and how well it did in the
// matches of the run. word is how the user named it.
func describeSource(n open.Network, word string, of *export.Network) error {
	path, err := filepath.Abs(n.Path)
	if err != nil {
		return err
	}
	of.Name = strings.TrimSuffix(filepath.Base(path), model.Extension)
	checkpoint := filepath.Dir(path)
	dir := filepath.Dir(filepath.Dir(checkpoint))
	generation, err := strconv.Atoi(filepath.Base(checkpoint))
	if err != nil || path != rundir.WeightsPath(dir, generation) {
		return nil // of no run
	}
	of.Name = fmt.Sprintf("%s-%d", filepath.Base(dir), generation)
	if whole, err := filepath.Abs(word); err == nil && whole == dir {
		of.Name = filepath.Base(dir)
	}
	switch state, err := rundir.ReadState(dir, generation); {
	case err == nil && of.Card.Spent == nil:
		of.Card.Spent = state.Spent(of.Card)
	case err != nil && !errors.Is(err, fs.ErrNotExist): // a network may have been kept without its state
		return err
	}
	r := &trainedRun{Path: dir}
	if err := r.readRatings(); err != nil {
		return err
	}
	of.Strength = r.matchesOf(generation)
	return nil
}

// matchesOf is what the matches of the run say of a generation, Markdown; empty if it
// was not measured.
func (r *trainedRun) matchesOf(generation int) string {
	var b strings.Builder
	for _, m := range r.measured(generation) {
		fmt.Fprintf(&b, "- against `%s` %s: %d won, %d drawn, %d lost under `%s`, %d simulations a move, openings of %d random turns\n",
			m.Opponent, m, m.Wins, m.Draws, m.Losses, m.Rules, m.Simulations, m.OpeningTurns)
	}
	if r.Elo != nil && r.Elo.Generation == generation {
		fmt.Fprintf(&b, "- Elo %s, by all matches of the run\n", eloFrom(&r.Elo.RatedElo))
	}
	if b.Len() == 0 {
		return ""
	}
	return "Measured by the run that trained it, in pairs of games with seats exchanged; 95 % intervals.\n\n" + strings.TrimSpace(b.String())
}
