package export

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
	"github.com/ludozero/ludozero/report/trained"
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
		if of.Card.Spent, err = rundir.SpentOn(dir, &state, of.Card, nil); err != nil {
			return err
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist): // a network may have been kept without its state
		return err
	}
	r := &trained.Run{Path: dir}
	if err := r.ReadRatings(); err != nil {
		return err
	}
	of.Strength = r.StrengthOf(generation)
	return nil
}
