package lab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/luck"
	"golang.org/x/sync/errgroup"
)

// judgedFolder is the folder of what the judge said: a file of lines for each player under
// each ruleset.
const judgedFolder = "judged"

// judgement is a line of such a file.
type judgement struct {
	Game int `json:"game"`
	// Moves is a digest of the moves that were judged.
	Moves string `json:"moves"`
	Curve
}

func digest(moves string) string {
	sum := sha256.Sum256([]byte(moves))
	return hex.EncodeToString(sum[:8])
}

// judgedFile is where judgements of x are kept, "" if nowhere.
func (s *Study) judgedFile(x *share) string {
	dir := s.asked.Folder(judgedFolder, s.rules[x.side].Rules())
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, filepath.Base(s.folder(x))+".jsonl")
}

// readJudged returns the judgements that x.games have; nil for one that is missing.
func (s *Study) readJudged(x *share, games int) ([]*Curve, error) {
	list := make([]*Curve, games)
	path := s.judgedFile(x)
	if path == "" {
		return list, nil
	}
	data, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		var j judgement
		if err := json.Unmarshal(line, &j); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, number, err)
		}
		if at := j.Game - 1; at >= 0 && at < games && j.Moves == digest(x.games[at].Moves) && len(j.Values) > 0 {
			list[at] = &j.Curve
		}
	}
	return list, nil
}

// writeJudged keeps the judgements of x that there are.
func (s *Study) writeJudged(x *share) error {
	path := s.judgedFile(x)
	if path == "" {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for at, c := range x.curves {
		if c == nil {
			continue
		}
		if err := e.Encode(judgement{Game: at + 1, Moves: digest(x.games[at].Moves), Curve: *c}); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, b.Bytes())
}

// judgeShare has the judge see the first games of x that it has not seen; said tells where
// the work stands.
func (s *Study) judgeShare(ctx context.Context, x *share, said string) (err error) {
	games := min(s.played.Judged, len(x.games))
	if x.curves, err = s.readJudged(x, games); err != nil {
		return err
	}
	var missing []int
	for at, c := range x.curves {
		if c == nil {
			missing = append(missing, at)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	type answer struct {
		at    int
		curve *Curve
	}
	numbers, answers := make(chan int), make(chan answer)
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(numbers)
		for _, at := range missing {
			select {
			case numbers <- at:
			case <-running.Done():
				return context.Cause(running)
			}
		}
		return nil
	})
	workers := s.asked.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range min(workers, len(missing)) {
		group.Go(func() error {
			j, dismiss, err := s.newJudge(s.rules[x.side])
			if err != nil {
				return err
			}
			defer dismiss()
			for at := range numbers {
				c, err := j.curve(running, x.series.Seed, &x.games[at])
				if err != nil {
					return fmt.Errorf("judge %s: game %d: %w", s.judge.Text, at+1, err)
				}
				answers <- answer{at, c} // drained until every worker has ended
			}
			return nil
		})
	}
	result := make(chan error, 1)
	go func() {
		result <- group.Wait()
		close(answers)
	}()
	s.progress.Start(len(missing), "games")
	done := 0
	for a := range answers {
		x.curves[a.at] = a.curve
		done++
		s.progress.Set(done, said)
	}
	s.progress.Stop()
	return errors.Join(<-result, s.writeJudged(x)) // also of what was interrupted
}

// newJudge makes a judge of games of g and what ends its players.
func (s *Study) newJudge(g engine.Game) (*judge, func(), error) {
	p, err := s.judge.New(g)
	if err != nil {
		return nil, nil, err
	}
	var dice match.Player
	if g.Info().NumChance > 0 {
		if dice, err = s.dice.New(g); err != nil {
			match.Dismiss(p)
			return nil, nil, err
		}
	}
	return newJudge(g, p, dice), func() { match.Dismiss(p); match.Dismiss(dice) }, nil
}

// readJudge makes the judge, by default of the best player's network, or of a search where
// none plays.
func (s *Study) readJudge() (err error) {
	o := &s.asked
	if o.Judged == 0 {
		o.Judge = ""
		return nil
	}
	if o.Judge == "" {
		o.Judge = "alphabeta:depth=2"
		if network := NetworkOf(s.strongest()); network != "" {
			o.Judge = player.NetText(network, judgeSims)
		}
	}
	o.Judge = s.open.ByHash(o.Judge)[0]
	if s.judge, err = s.open.Parse(o.Judge); err != nil {
		return fmt.Errorf("--judge: %w", err)
	}
	o.Judge = s.judge.Text
	if s.dice, err = s.open.Parse(luck.DefaultJudge); err != nil {
		return err
	}
	for _, g := range s.rules {
		if _, err := s.judge.Judge(g); err != nil { // refuses whose answers would differ each time
			return fmt.Errorf("--judge: %w", err)
		}
	}
	if !judges(s.judge, s.rules[0]) {
		return fmt.Errorf("--judge %s: it says no value of positions: want another player", s.judge.Text)
	}
	return nil
}

// judges reports whether a player says a value of the start. One who does not say in a
// moment, as a solver, is believed to.
func judges(spec *player.Spec, g engine.Game) bool {
	p, err := spec.New(g)
	if err != nil {
		return true // whoever makes it first says so
	}
	defer match.Dismiss(p)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for s.Actor() == engine.Chance {
		s.Apply(s.Chance(nil)[0].Code, h)
	}
	a, err := match.Analyze(ctx, p, 1, s, h)
	return err != nil || a.Judged
}

// judgeSims is enough for a network to see what the next moves threaten.
const judgeSims = 16
