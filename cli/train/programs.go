package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
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

// checkPrograms starts each program among the opponents once, so that one that cannot be
// started is reported before any work. The user must have named them with this command or
// before, see open.Approval.
func (s *setting) checkPrograms(env *shell.Env) error {
	programs := env.Players.Programs(s.cfg.Evaluation.Opponents)
	if len(programs) == 0 {
		return nil
	}
	whole, err := filepath.Abs(s.dir)
	if err != nil {
		return err
	}
	approval := open.Approval{Run: whole, Programs: programs}
	err = approval.Try(namesOpponents(s.set), func() error {
		g, err := env.Families.Open(s.cfg.Game, s.cfg.Rules)
		if err != nil {
			return err
		}
		if _, err := env.Contestants(g, nil, programs...); err != nil {
			return shell.Usage(fmt.Errorf("%s: %w", opponentsKey, err))
		}
		return nil
	})
	if !errors.Is(err, open.ErrUnapproved) {
		return err
	}
	list, err := json.Marshal(s.cfg.Evaluation.Opponents)
	if err != nil {
		return err
	}
	return shell.Usagef("run %s: its configuration names programs that were not named for it on this machine: %s; to start them, name them: --set %s; or train with --no-rating",
		s.dir, strings.Join(programs, ", "), wording.Quoted(opponentsKey+"="+string(list)))
}
