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

// ErrUnapproved is returned where programs are to be started that the user has not named.
var ErrUnapproved = errors.New("programs that were not named for the run on this machine")

// Try starts the programs by start if the user names them now, or has named them before,
// which it remembers if start succeeds.
func (a *Approval) Try(named bool, start func() error) error {
	given := a.given()
	if !named && !given {
		return ErrUnapproved
	}
	if err := start(); err != nil || given {
		return err
	}
	return a.give()
}

// given tells whether the user has given the approval; where none can be read none was.
func (a *Approval) given() bool {
	path, err := approvalsFile()
	if err != nil {
		return false
	}
	data, err := input.Read(path, input.Large)
	line := a.line()
	return err == nil && slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(l []byte) bool { return bytes.Equal(l, line) })
}

// give remembers the approval. A user without a configuration directory names programs
// again each time.
func (a *Approval) give() error {
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
