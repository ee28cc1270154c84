package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ludozero/ludozero/evaluation/heuristic"
)

// verdictJournal is a file of one line for each choice that has been judged; path is ""
// if nothing is kept. A line counts once its newline is written.
type verdictJournal struct {
	path string
	file *os.File
}

// verdictLine is a line of the journal.
type verdictLine struct {
	Choice   int                 `json:"choice"`
	Verdicts []heuristic.Verdict `json:"verdicts"`
}

// open reads what is known into verdicts, each of so many networks, and says how many
// there are. A line that was not finished is cut off.
func (j *verdictJournal) open(verdicts [][]heuristic.Verdict, networks int) (known int, err error) {
	if j.path == "" {
		return 0, nil
	}
	data, err := os.ReadFile(j.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) < len(data) {
		if err := os.Truncate(j.path, int64(len(whole))); err != nil {
			return 0, err
		}
	}
	for number, text := range bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")) {
		if len(text) == 0 {
			break // an empty file
		}
		var line verdictLine
		err := json.Unmarshal(text, &line)
		if err == nil && (line.Choice < 0 || line.Choice >= len(verdicts) || len(line.Verdicts) != networks) {
			err = fmt.Errorf("choice %d with %d verdicts: want 0 to %d with %d", line.Choice, len(line.Verdicts), len(verdicts)-1, networks)
		}
		if err != nil {
			return 0, fmt.Errorf("%s: line %d: %w", j.path, number+1, err)
		}
		if verdicts[line.Choice] == nil {
			known++
		}
		verdicts[line.Choice] = line.Verdicts
	}
	j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	return known, err
}

func (j *verdictJournal) append(choice int, verdicts []heuristic.Verdict) error {
	if j.file == nil {
		return nil
	}
	text, err := json.Marshal(verdictLine{choice, verdicts})
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
