package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/player/open"
)

// A configuration, of a run, of the source of a fork or in a file, may be somebody
// else's: programs that its opponents name are started only if this user has named them
// for that run on a command line. The user's configuration directory remembers for which
// runs that was done. Nothing of it is kept in the folder itself, where a stranger could
// write it, too.

// opponentsKey is the setting that can name programs.
const opponentsKey = "evaluation.opponents"

// namesOpponents tells whether this command line or the environment sets the opponents.
func namesOpponents(set []string) bool {
	_, ok := os.LookupEnv("LUDOZERO_EVALUATION_OPPONENTS")
	return ok || slices.ContainsFunc(set, func(w string) bool { return strings.HasPrefix(w, opponentsKey+"=") })
}

// approval is a line of the file of approvals: programs that the user has named for the
// run in a folder.
type approval struct {
	Run      string   `json:"run"`
	Programs []string `json:"programs"`
}

// approvalsFile is where approvals are remembered.
func approvalsFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "ludozero", "programs.jsonl"), err
}

// checkPrograms starts each program among the opponents of the run in folder dir once, so
// that one that cannot be started is reported before any work. named says that the user
// has named the opponents with this command; otherwise that must have been done before.
func checkPrograms(env *shell.Env, cfg *configs.Run, dir string, named bool) error {
	var programs []string
	for _, text := range cfg.Evaluation.Opponents {
		if spec, err := env.Players.Parse(text); err == nil && open.StartsProgram(spec) {
			programs = append(programs, text)
		}
	}
	if len(programs) == 0 {
		return nil
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	line, err := json.Marshal(approval{whole, programs})
	if err != nil {
		return err
	}
	approved := isApproved(line)
	if !named && !approved {
		list, err := json.Marshal(cfg.Evaluation.Opponents)
		if err != nil {
			return err
		}
		return shell.Usagef("run %s: its configuration names programs that were not named for it on this machine: %s; to start them, name them: --set %s; or train with --no-rating",
			dir, strings.Join(programs, ", "), wording.Quoted(opponentsKey+"="+string(list)))
	}
	g, err := env.Open(cfg.Game, cfg.Rules)
	if err != nil {
		return err
	}
	if _, err := env.Contestants(g, programs); err != nil {
		return shell.Usage(fmt.Errorf("%s: %w", opponentsKey, err))
	}
	if approved {
		return nil
	}
	return approve(line)
}

// isApproved looks a line up; where none can be read nothing is approved.
func isApproved(line []byte) bool {
	path, err := approvalsFile()
	if err != nil {
		return false
	}
	data, err := input.Read(path, input.Large)
	return err == nil && slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(l []byte) bool { return bytes.Equal(l, line) })
}

// approve remembers a line. A user without a configuration directory names programs
// again each time.
func approve(line []byte) error {
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
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
