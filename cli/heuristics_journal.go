package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/study/heuristics"
)

// verdictJournal is a file of one line for each choice that has been judged; path is ""
// if nothing is kept. A line counts once its newline is written.
type verdictJournal struct {
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

// keyOf is the key of a choice, if so many games are of the networks.
func keyOf(x *heuristics.Asked, networks int) choiceKey {
	k := choiceKey{x.Game >= networks, x.Game, x.Ply, x.Via, x.Question, x.Level}
	if k.OnOff {
		k.Game -= networks
	}
	return k
}

// verdictLine is a line of the journal.
type verdictLine struct {
	choiceKey
	Verdicts []heuristics.Verdict `json:"verdicts"`
}

// open reads what is known, each choice by so many networks. A line that was not
// finished is cut off.
func (j *verdictJournal) open(networks int) (map[choiceKey][]heuristics.Verdict, error) {
	known := map[choiceKey][]heuristics.Verdict{}
	if j.path == "" {
		return known, nil
	}
	data, err := os.ReadFile(j.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) < len(data) {
		if err := os.Truncate(j.path, int64(len(whole))); err != nil {
			return nil, err
		}
	}
	for number, text := range bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")) {
		if len(text) == 0 {
			break // an empty file
		}
		var line verdictLine
		err := json.Unmarshal(text, &line)
		if err == nil && len(line.Verdicts) != networks {
			err = fmt.Errorf("%s: want %d", shell.Count(len(line.Verdicts), "verdict"), networks)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", j.path, number+1, err)
		}
		known[line.choiceKey] = line.Verdicts
	}
	j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	return known, err
}

func (j *verdictJournal) append(key choiceKey, verdicts []heuristics.Verdict) error {
	if j.file == nil {
		return nil
	}
	text, err := json.Marshal(verdictLine{key, verdicts})
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	return err
}

func (j *verdictJournal) close() {
	if j.file != nil {
		j.file.Close() // what it holds is checked when it is read
	}
}
