package train

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/player/open"
)

// opponentsKey is the setting that can name programs.
const opponentsKey = "evaluation.opponents"

// namesOpponents tells whether this command line or the environment sets the opponents.
func namesOpponents(set []string) bool {
	_, ok := os.LookupEnv("LUDOZERO_EVALUATION_OPPONENTS")
	return ok || slices.ContainsFunc(set, func(w string) bool { return strings.HasPrefix(w, opponentsKey+"=") })
}

// checkPrograms starts each program among the opponents of the run in folder dir once, so
// that one that cannot be started is reported before any work. named says that the user
// has named the opponents with this command; otherwise that must have been done before,
// see open.Approval.
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
	approval := open.Approval{Run: whole, Programs: programs}
	approved := approval.Given()
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
	if _, err := env.Contestants(g, nil, programs...); err != nil {
		return shell.Usage(fmt.Errorf("%s: %w", opponentsKey, err))
	}
	if approved {
		return nil
	}
	return approval.Give()
}
