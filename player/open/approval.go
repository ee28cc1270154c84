package open

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/internal/input"
)

// A configuration may be somebody else's: programs that it names are started only if this
// user has named them for the run on a command line. The user's configuration directory
// remembers for which runs that was done. Nothing of it is kept in the run's folder
// itself, where a stranger could write it, too.

// Approval is a line of the file of approvals: programs that the user has named for the
// run in a folder.
type Approval struct {
	Run      string   `json:"run"` // whole path of the folder
	Programs []string `json:"programs"`
}

// approvalsFile is where approvals are remembered.
func approvalsFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "ludozero", "programs.jsonl"), err
}

// line is a as the file has it, without the end of the line.
func (a *Approval) line() []byte {
	line, err := json.Marshal(a)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return line
}

// Given tells whether the user has given the approval; where none can be read none was.
func (a *Approval) Given() bool {
	path, err := approvalsFile()
	if err != nil {
		return false
	}
	data, err := input.Read(path, input.Large)
	line := a.line()
	return err == nil && slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(l []byte) bool { return bytes.Equal(l, line) })
}

// Give remembers the approval. A user without a configuration directory names programs
// again each time.
func (a *Approval) Give() error {
	path, err := approvalsFile()
	if err != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil
	}
	_, err = f.Write(append(a.line(), '\n'))
	return errors.Join(err, f.Close())
}
