package zoo

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/internal/strictjson"
)

const (
	// EvaluationExtension ends the name of the file of an evaluation.
	EvaluationExtension = ".eval"
	// MatchesExtension ends the name of the file with the matches of an evaluation.
	MatchesExtension = ".matches.json"
)

// Evaluations lists the shipped evaluations in alphabetical order. Each has the name of its
// game.
func Evaluations() []string { return slices.Clone(evaluations) }

// HasEvaluation reports whether an evaluation of that name is shipped.
func HasEvaluation(name string) bool { return slices.Contains(evaluations, name) }

// Evaluation is the file of an evaluation, as nnue.Decode reads it: a copy.
func Evaluation(name string) ([]byte, error) {
	if !HasEvaluation(name) {
		return nil, fmt.Errorf("no shipped evaluation is called %q: want %s", name, strings.Join(evaluations, " or "))
	}
	return files.ReadFile(name + EvaluationExtension)
}

// Matches are how an evaluation did against the network of its name, each with the same time
// and one core.
type Matches struct {
	// Evaluation and Network are the digests of the files that played.
	Evaluation string  `json:"evaluation"`
	Network    string  `json:"network"`
	Matches    []Match `json:"matches"`
	// Browser is a match by counts of positions and simulations that take a browser that time,
	// nil if none was played: there the network is further behind.
	Browser *Match `json:"browser,omitempty"`
}

// Match is one of them.
type Match struct {
	// Milliseconds is the time for a decision.
	Milliseconds int `json:"milliseconds"`
	Games        int `json:"games"`
	// Score is the evaluation's share of the points, Low to High its 95 % interval.
	Score float64 `json:"score"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Command repeats the match.
	Command string `json:"command"`
}

// ScoreText is the score with its interval, in per cent.
func (m *Match) ScoreText() string {
	return fmt.Sprintf("%.1f %% (95 %%: %.1f to %.1f)", 100*m.Score, 100*m.Low, 100*m.High)
}

// EvaluationMatches returns the matches of a shipped evaluation, nil if none was played. Those
// of other files are refused.
func EvaluationMatches(name string) (*Matches, error) {
	evaluation, err := Evaluation(name)
	if err != nil {
		return nil, err
	}
	data, err := files.ReadFile(name + MatchesExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var m Matches
	if err == nil {
		err = strictjson.Decode(data, &m)
	}
	var network []byte
	if err == nil {
		network, err = File(name)
	}
	if of := Digest(evaluation); err == nil && m.Evaluation != of {
		err = fmt.Errorf("they are of evaluation %q: want matches of %s", m.Evaluation, of)
	}
	if of := Digest(network); err == nil && m.Network != of {
		err = fmt.Errorf("they are against network %q: want matches against %s", m.Network, of)
	}
	if err != nil {
		return nil, fmt.Errorf("matches %s: %w", path.Join("model/zoo", name+MatchesExtension), err)
	}
	return &m, nil
}

// WonInBrowser tells whether the evaluation won the match by what a browser computes.
func (m *Matches) WonInBrowser() bool { return m != nil && m.Browser != nil && m.Browser.Score > 0.5 }

// At returns the match whose time is nearest, by ratio, to that of a decision; of two as near
// the first. It is nil if there is none.
func (m *Matches) At(decision time.Duration) *Match {
	if m == nil {
		return nil
	}
	away := func(of *Match) float64 {
		return math.Abs(math.Log(float64(max(1, decision)) / float64(time.Duration(of.Milliseconds)*time.Millisecond)))
	}
	var nearest *Match
	for i := range m.Matches {
		if of := &m.Matches[i]; nearest == nil || away(of) < away(nearest) {
			nearest = of
		}
	}
	return nearest
}
