// Package study runs experiments that play many games: it writes the plan with its
// cost, plays in rounds that can be interrupted, resumed and limited by core time,
// keeps everything in a folder,
//
//	asked.json   what was asked for
//	rounds.json  how many rounds were played, and the core time they took
//	*/           a folder for each series of games (package match/archive)
//	NAME.json    the result, with report.txt, report.html and CSV files beside it
//
// and prints the result. What is varied, measured and concluded belongs to the
// packages below: an [Experiment] is what each of them brings.
package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/report/sheet"
)

// Rounds is how many rounds a study that is kept plays. Each has its share of every
// part, so that there could be a result after any of them.
const Rounds = 10

// Options are what all studies are asked.
type Options struct {
	// OnlyPlan writes the plan and plays nothing.
	OnlyPlan bool
	// Out is the folder, "" to keep nothing.
	Out string
	// CoreTime ends the study after the last round that fits in that time of one
	// core; 0 plays all.
	CoreTime time.Duration
	// Workers is the number of games played at the same time, 0 for one a core. It
	// changes no result.
	Workers int
	// Program is how a person calls the program whose commands results name, "" for
	// ludozero. It changes no figure.
	Program string
}

// Call returns a command of the program, for a person to type.
func (o *Options) Call(command string) string { return cmp.Or(o.Program, "ludozero") + " " + command }

// UsageError marks what is wrong with what a study was asked, in difference to what
// fails in doing it.
type UsageError struct{ error }

// Unwrap returns what is wrong.
func (e UsageError) Unwrap() error { return e.error }

// Usage marks an error as a UsageError.
func Usage(err error) error { return UsageError{err} }

// Validate reports an impossible value.
func (o *Options) Validate() error {
	_, known := coretime.Process()
	switch {
	case o.Workers < 0:
		return fmt.Errorf("--workers %d: want 0 or more", o.Workers)
	case o.CoreTime == 0:
		return nil
	case o.CoreTime < 0:
		return fmt.Errorf("--core-time %v: want more than 0, or 0 for no limit", o.CoreTime)
	case o.Out == "":
		return errors.New("--core-time: want --out, too, which keeps what was played")
	case !known:
		return errors.New("--core-time: this system does not say what processors spend on a process")
	}
	return nil
}

// Folder returns the folder of a part, "" if nothing is kept.
func (o *Options) Folder(parts ...string) string {
	if o.Out == "" {
		return ""
	}
	path := o.Out
	for _, part := range parts {
		path = filepath.Join(path, strings.ReplaceAll(part, string(filepath.Separator), "_"))
	}
	return path
}

// Result is the outcome of a study. Its JSON holds everything that Report shows.
type Result interface{ Report() *sheet.Report }

// Stop says that a study ended at a limit of core time that was set before its
// games, and how far it came.
type Stop struct {
	// Round is the last that was played of Rounds.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Limit is what was set.
	Limit time.Duration `json:"limit_ns"`
	// Asked are the sizes that were asked for, as flags.
	Asked string `json:"asked"`
}

// String says it in a sentence.
func (s *Stop) String() string {
	return fmt.Sprintf("Ended after round %d of %d, at the limit of %v of core time that was set beforehand. Rounds are whole and each has its share of all parts, so that no result had a say in it; asked for were %s.",
		s.Round, s.Rounds, s.Limit, s.Asked)
}

// Study is an experiment that has been checked as far as that is possible before its first
// game.
type Study interface {
	// Experiment is what the runner plays.
	Experiment() (*Experiment, error)
}

// Experiment is a study that has been checked as far as that is possible before its
// first game.
type Experiment struct {
	Options *Options
	// Name is the name of the file of the result, without its ending.
	Name string
	// Asked is written to asked.json: all that the result depends on except the
	// machine and the number of workers. Result points to the empty type of the result.
	Asked  any
	Result Result
	// Same, if not nil, refuses to resume a folder that was begun with before.
	Same func(before []byte) error
	Plan func(context.Context, *Plan) error
	// Rounds bounds the number of rounds: more would not differ in size.
	Rounds int
	// Play plays what is missing up to the end of a round, counted from 1. Finish
	// makes the result of what was played; stop is nil unless a limit ended it.
	Play   func(ctx context.Context, round, rounds int) error
	Finish func(ctx context.Context, stop *Stop) (Result, []sheet.CSV, error)
	// Sizes are the sizes that were asked for, as flags.
	Sizes string
	// asked, result and rounds are what the folder had before; nil if nothing.
	asked, result, rounds []byte
}

// Run plays what is missing and returns the result, which the folder has in all its
// forms; nil if only the plan was wanted. Exactly the same study, once finished, is
// read from its folder.
func (e *Experiment) Run(ctx context.Context, plan io.Writer) (Result, error) {
	asked := indented(e.Asked)
	known, err := e.open(asked)
	if err != nil {
		return nil, err
	}
	if known != nil && !e.Options.OnlyPlan {
		if err := json.Unmarshal(known, e.Result); err != nil {
			return nil, fmt.Errorf("%s: %w", e.path(e.Name+".json"), err)
		}
		return e.Result, nil
	}
	p := &Plan{out: plan, limit: e.Options.CoreTime, rounds: min(Rounds, e.Rounds)}
	err = e.Plan(ctx, p)
	if err == nil && e.Options.Out == "" {
		p.Line("kept", "nothing without --out: what is interrupted is lost; with --out FOLDER the same command resumes it")
	}
	if err == nil {
		_, err = fmt.Fprintln(plan)
	}
	if err != nil || e.Options.OnlyPlan {
		return nil, err
	}
	stop, err := e.playRounds(ctx)
	var result Result
	var tables []sheet.CSV
	if err == nil {
		result, tables, err = e.Finish(ctx, stop)
	}
	if err != nil && ctx.Err() != nil && e.Options.Out != "" {
		return nil, fmt.Errorf("%w\nwhat was done is kept in %s; the same command resumes it", err, e.Options.Out)
	}
	if err != nil {
		return nil, err
	}
	return result, e.keep(result, tables)
}

// spentFile tells how far rounds have come.
const spentFile = "rounds.json"

// hardlyAny is less time than a round takes whose games are not there, as far as limits go.
const hardlyAny = 100 * time.Millisecond

type spent struct {
	Round    int           `json:"round"`
	CoreTime time.Duration `json:"core_time_ns"`
	// Longest is of the rounds, Part of what was played of the one after Round.
	Longest time.Duration `json:"longest_ns,omitempty"`
	Part    time.Duration `json:"part_ns,omitempty"`
	// Again says that the folder is asked something else since, see beginAgain.
	Again bool `json:"again,omitempty"`
}

// spent reads how far the rounds have come; none have in a new folder.
func (e *Experiment) spent() (p spent, err error) {
	data, err := input.Read(e.path(spentFile), input.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", e.path(spentFile), err)
	}
	return p, err
}

// playRounds plays the rounds: all, or while a round that takes as long as the mean
// of those before ends within the limit, whatever the results are. The first is
// always played. Of a process that was killed the time up to its last whole round
// counts; of a round that was broken off by an error, Ctrl-C included, what was played of it does, too. A folder that is asked something else begins at the first round again:
// rounds whose games are there, which cost nothing to speak of, end nothing, and of
// the others the longest stands for the mean.
func (e *Experiment) playRounds(ctx context.Context) (*Stop, error) {
	if e.Options.Out == "" {
		return nil, e.Play(ctx, 1, 1)
	}
	p, err := e.spent()
	if err != nil {
		return nil, err
	}
	rounds, before := min(Rounds, e.Rounds), p.CoreTime
	known := p.Round // whose games are there, and were when it ended
	begun, part := p.Round+1, p.Part
	began, _ := coretime.Process()
	for round := max(1, min(p.Round, rounds)); ; round++ {
		spentBefore := p.CoreTime
		err := e.Play(ctx, round, rounds)
		if errors.Is(err, archive.ErrOther) {
			return nil, errors.Join(err, e.putBack())
		}
		now, _ := coretime.Process()
		p.CoreTime = before + now - began
		took := p.CoreTime - spentBefore
		if round == begun {
			took += part
		}
		switch {
		case err == nil:
			p.Round, p.Longest = round, max(p.Longest, took)
			if round >= begun {
				p.Part = 0
			}
		case round >= begun:
			p.Part = took
		}
		err = errors.Join(err, atomicfile.WriteBytes(e.path(spentFile), indented(&p)))
		if err != nil || round == rounds {
			return nil, err
		}
		next := (p.CoreTime - p.Part) / time.Duration(round)
		if p.Again {
			next = p.Longest
		}
		next = max(0, next-p.Part) // of the round that was broken off the rest is left
		there := p.Again && round > known && took < max(before/100, hardlyAny)
		if limit := e.Options.CoreTime; limit > 0 && !there && p.CoreTime+next > limit {
			return &Stop{Round: round, Rounds: rounds, Limit: limit, Asked: e.Sizes}, nil
		}
	}
}

func indented(v any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("BUG: " + err.Error()) // words and numbers only
	}
	return append(b, '\n')
}
