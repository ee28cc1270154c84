package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/internal/atomicfile"
)

// ratingFile is where a run keeps the matches that end it.
const ratingFile = "rating.json"

// ratingVersion changes when a rating file means something else than before.
const ratingVersion = 1

// ratedMatches is a rating file.
type ratedMatches struct {
	Version int                  `json:"version"`
	Matches []*evaluation.Result `json:"matches"`
}

// writeRatingFile keeps the matches of a run, all or none.
func writeRatingFile(path string, matches []*evaluation.Result) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(ratedMatches{ratingVersion, matches})
	})
	if err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	return nil
}

// readRatingFile reads the matches of a run. An error of a missing file is
// fs.ErrNotExist.
func readRatingFile(path string) ([]*evaluation.Result, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var v struct{ Version int } // first: another version has other fields
	var r ratedMatches
	if err = json.Unmarshal(b, &v); err == nil && v.Version != ratingVersion {
		err = fmt.Errorf("version %d: this program reads version %d", v.Version, ratingVersion)
	}
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	for i, m := range r.Matches {
		if m == nil && err == nil {
			err = fmt.Errorf("match %d: there is none", i+1)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r.Matches, nil
}

// checkRating refuses to play matches that would replace a file which this
// program cannot read, such as one of a later version.
func checkRating(dir string) error {
	_, err := readRatingFile(filepath.Join(dir, ratingFile))
	var unread *fs.PathError // there is none, or what train says itself of such a folder
	if err == nil || errors.As(err, &unread) {
		return nil
	}
	return fmt.Errorf("%w; new matches would replace it: move it away, or train with --no-rating", err)
}
