package shell

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/study"
	"github.com/spf13/cobra"
)

// StudyFlags are the flags of a command that runs a study.
type StudyFlags struct {
	options *study.Options
	asJSON  bool
}

// Add adds the flags of settings and those that all studies have; busy says what
// Options.Workers counts.
func (f *StudyFlags) Add(c *cobra.Command, o *study.Options, settings []study.Setting, busy string) {
	f.options = o
	flags := c.Flags()
	for _, s := range settings {
		switch v := s.Value.(type) {
		case *int:
			flags.IntVar(v, s.Name, *v, s.Help)
		case *uint64:
			flags.Uint64Var(v, s.Name, *v, s.Help)
		case *float64:
			flags.Float64Var(v, s.Name, *v, s.Help)
		case *string:
			flags.StringVar(v, s.Name, *v, s.Help)
		case *[]int:
			flags.IntSliceVar(v, s.Name, *v, s.Help)
		case *[]float64:
			flags.Float64SliceVar(v, s.Name, *v, s.Help)
		case *[]string:
			if s.Each {
				flags.StringArrayVar(v, s.Name, *v, s.Help)
			} else {
				flags.StringSliceVar(v, s.Name, *v, s.Help)
			}
		default:
			panic("BUG: --" + s.Name + " of a type that no flag has")
		}
	}
	flags.IntVar(&o.Workers, "workers", 0, busy+" at the same time, 0: one for each core; changes no result")
	flags.BoolVar(&o.OnlyPlan, "plan", false, "print the plan and play nothing")
	flags.StringVar(&o.Out, "out", "", "folder that keeps games and report; the same command resumes from it")
	flags.DurationVar(&o.CoreTime, "core-time", 0, fmt.Sprintf("with --out: end after the last of %d rounds that fits in this time of one core, such as 90m; 0: play all", study.Rounds))
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	c.MarkFlagsMutuallyExclusive("plan", "json")
}

// Run checks the study that open makes, runs it and prints its result.
func (f *StudyFlags) Run(c *cobra.Command, open func(context.Context, archive.Progress) (study.Study, error)) error {
	ctx, stop := Interruptible(c.Context())
	defer stop()
	f.options.Program = c.Root().DisplayName()
	s, err := open(ctx, NewProgress(c.ErrOrStderr()))
	if err != nil {
		return StudyError(err)
	}
	e, err := s.Experiment()
	if err != nil {
		return StudyError(err)
	}
	plan := c.OutOrStdout()
	if f.asJSON { // then the result is all that stdout gets
		plan = c.ErrOrStderr()
	}
	r, err := e.Run(ctx, plan)
	if err != nil || r == nil {
		return err
	}
	if f.asJSON {
		return WriteJSON(c, r)
	}
	if err := r.Report().WriteText(c.OutOrStdout()); err != nil || f.options.Out == "" {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "\nkept in %s\n", wording.PlainName(f.options.Out))
	return err
}

// StudyError makes what a study refuses to be asked a mistake in how the command was
// called.
func StudyError(err error) error {
	if wrong := (study.UsageError{}); errors.As(err, &wrong) {
		return Usage(err)
	}
	return err
}
