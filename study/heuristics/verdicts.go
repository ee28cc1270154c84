package heuristics

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"golang.org/x/sync/errgroup"
)

// newJudge makes the players of one worker.
func (s *Study) newJudge() (*Judge, error) {
	j := &Judge{}
	for i := range s.judges {
		for _, x := range []struct {
			list *[]match.Player
			spec *player.Spec
		}{{&j.Choosers, s.choosers[i]}, {&j.Judges, s.judges[i]}} {
			p, err := x.spec.New(s.game)
			if err != nil {
				return nil, err
			}
			*x.list = append(*x.list, p)
		}
	}
	return j, nil
}

// judge asks about the choices of which the folder has no verdicts.
func (s *Study) judge(ctx context.Context) ([][]Verdict, error) {
	asked := s.in.Asked
	verdicts := make([][]Verdict, len(asked))
	kept := &journal{path: s.o.Folder("verdicts.jsonl")}
	before, err := kept.open(len(s.judges))
	if err != nil {
		return nil, err
	}
	defer kept.close()
	known := 0
	for i := range asked {
		if verdicts[i] = before[keyOf(&asked[i], s.own)]; verdicts[i] != nil {
			known++
		}
	}
	if known > 0 && known < len(asked) {
		s.progress.Line(fmt.Sprintf("%s: %s judged before", s.o.Out, wording.Count(known, "choice")))
	}
	s.progress.Start(len(asked), "choices")
	defer s.progress.Stop()
	workers := s.o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	var lock sync.Mutex // of the journal, known and progress
	for n := range workers {
		group.Go(func() error {
			j, err := s.newJudge()
			if err != nil {
				return err
			}
			at, h := s.game.NewState().(*konreh.State), s.game.NewHistory()
			for i := n; i < len(asked); i += workers {
				if verdicts[i] != nil {
					continue
				}
				asked[i].Position(s.games, at, h)
				list, err := j.Ask(ctx, at, h, &asked[i])
				if err != nil {
					return err
				}
				lock.Lock()
				err = kept.append(keyOf(&asked[i], s.own), list)
				verdicts[i] = list
				known++
				s.progress.Set(known, "judged")
				lock.Unlock()
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return verdicts, group.Wait()
}

// journal is a file with a line for each choice that has been judged; path is "" if
// nothing is kept. A line counts once its newline is written.
type journal struct {
	path string
	file *os.File
}

// choiceKey says which choice a verdict is about, however many games there are: Game
// counts those of the networks, or with OnOff those of on and off.
type choiceKey struct {
	OnOff    bool          `json:"on_off"`
	Game     int           `json:"game"`
	Ply      int           `json:"ply"`
	Via      engine.Action `json:"via"`
	Question int           `json:"question"`
	Level    int           `json:"level"`
}

// keyOf is the key of a choice if the first own games are of the networks.
func keyOf(x *Asked, own int) choiceKey {
	k := choiceKey{x.Game >= own, x.Game, x.Ply, x.Via, x.Question, x.Level}
	if k.OnOff {
		k.Game -= own
	}
	return k
}

// verdictLine is a line of the journal.
type verdictLine struct {
	choiceKey
	Verdicts []Verdict `json:"verdicts"`
}

// open reads what is known, with a verdict of each network on every choice. A line that
// was not finished is cut off.
func (j *journal) open(networks int) (map[choiceKey][]Verdict, error) {
	known := map[choiceKey][]Verdict{}
	if j.path == "" {
		return known, nil
	}
	whole, err := atomicfile.WholeLines(j.path)
	if err != nil {
		return nil, err
	}
	number := 0
	for text := range bytes.Lines(whole) {
		var line verdictLine
		err := json.Unmarshal(text, &line)
		if err == nil && len(line.Verdicts) != networks {
			err = fmt.Errorf("%s: want %d", wording.Count(len(line.Verdicts), "verdict"), networks)
		}
		if number++; err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", j.path, number, err)
		}
		known[line.choiceKey] = line.Verdicts
	}
	j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	return known, err
}

func (j *journal) append(key choiceKey, verdicts []Verdict) error {
	if j.file == nil {
		return nil
	}
	text, err := json.Marshal(verdictLine{key, verdicts})
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	return err
}

func (j *journal) close() {
	if j.file != nil {
		j.file.Close() // what it holds is checked when it is read
	}
}
