package shell

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// usageError marks an error in how the command was called: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks err as a mistake in how the command was called.
func Usage(err error) error { return usageError{err} }

// Usagef is usage of an error that it formats as fmt.Errorf does.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Within refuses a value of a flag that is not from least to most.
func Within[T int | float64](flag string, value, least, most T) error {
	if value >= least && value <= most { // not so for what is no number
		return nil
	}
	return Usagef("--%s %v: want %v to %v", flag, value, least, most)
}

// ExitCode is 0 for no error, 2 for a mistake in how the command was called, else 1.
func ExitCode(err error) int {
	var wrong usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		return 2
	}
	return 1
}

// NoSuchCommand refuses words that are left when no command took them.
func NoSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("no command %q", args[0])
	if near := NearCommand(c, args); near != "" {
		text += ": did you mean " + near + "?"
	}
	return Usage(errors.New(text + "; `" + c.CommandPath() + " --help` lists them"))
}

// NearCommand names the commands below c that the first of args may have been meant for.
func NearCommand(c *cobra.Command, args []string) string {
	if len(args) == 0 {
		return ""
	}
	c.SuggestionsMinimumDistance = 2 // letters that may be wrong; zero would mean none
	return strings.Join(c.SuggestionsFor(args[0]), " or ")
}
