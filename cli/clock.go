package cli

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/ludozero/ludozero/match"
	"github.com/spf13/cobra"
)

// addClock adds the flag that gives games clocks.
func addClock(c *cobra.Command, clock *string) {
	c.Flags().StringVar(clock, "clock", *clock, "time for each player of a game, MINUTES+SECONDS: 5+3 is five minutes and three seconds a turn; whose runs out loses")
}

// wantClock refuses players that think by the clock of the game where there is
// none; how says how to have one, empty if there cannot be any.
func wantClock(list []match.Contestant, clock, how string) error {
	var errs []error
	for _, p := range list {
		if p.ByClock && clock == "" {
			rule := "there are no clocks here, want a fixed time=100ms"
			if how != "" {
				rule = "want a clock, " + how + ", or a fixed time=100ms"
			}
			errs = append(errs, fmt.Errorf("player %s: time=clock goes by the clock of the game: %s", p.Name, rule))
		}
	}
	if len(errs) > 0 {
		return usageError{errors.Join(errs...)}
	}
	return nil
}

// warnClock says that games of so many workers, 0 for one for each core, get in
// each other's way: in a game with clocks one player thinks at a time, on one core.
func warnClock(c *cobra.Command, clock string, workers int) {
	if cores := runtime.GOMAXPROCS(0); clock != "" && workers > cores {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %d games with clocks at the same time on %s: players wait for a core while their time runs; want --workers %d at most\n",
			workers, count(cores, "core"), cores)
	}
}
