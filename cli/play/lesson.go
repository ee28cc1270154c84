package play

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/player/table"
	"github.com/ludozero/ludozero/report/rulebook"
	"github.com/spf13/cobra"
)

// listLessons is the word of --lesson that lists them.
const listLessons = "list"

// errLesson refuses moves after the end of a lesson.
var errLesson = errors.New("the lesson is over: `takeback` tries again, `quit` leaves")

// lessons lists the lessons of a game.
func lessons(c *cobra.Command, about *guide.Guide, game string) error {
	if about == nil || len(about.Lessons) == 0 {
		return shell.Usagef("--lesson: %s has no lessons", game)
	}
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, l := range about.Lessons {
		fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, l.Title, l.Goal.Text)
	}
	return w.Flush()
}

// learn sets the flags for a lesson, which says who plays what from where, and returns
// who sits where.
func (f *playFlags) learn(c *cobra.Command, game *shell.GameFlags) (names [2]string, err error) {
	for _, name := range []string{"load", "rules", "against", "first", "second", "position", "clock", "seed", "dice"} {
		if c.Flags().Changed(name) {
			return names, shell.Usagef("--%s: a lesson has its own", name)
		}
	}
	family, err := game.Family()
	if err != nil {
		return names, err
	}
	if f.lesson, err = f.guide.Lesson(f.lessonName); err != nil {
		return names, shell.Usagef("--lesson: %w: --lesson %s lists them", err, listLessons)
	}
	_, start, err := f.lesson.Set(family)
	if err != nil {
		return names, fmt.Errorf("lesson %s: %w", f.lesson.Name, err)
	}
	game.Rules, f.position, f.seed, f.against, f.note = f.lesson.Rules, f.lesson.Position, guide.Seed, f.lesson.Opponent, ""
	names = [2]string{f.lesson.Opponent, f.lesson.Opponent}
	names[start.Actor()] = table.You
	return names, nil
}

// lessonOver reports whether the table is at a lesson that is over.
func (t *gameTable) lessonOver() bool {
	v := t.verdict()
	return v.Done || v.Failed
}

// verdict is how the lesson stands.
func (t *gameTable) verdict() guide.Verdict {
	if t.flags.lesson == nil {
		return guide.Verdict{}
	}
	start, decisions := t.session.Decisions()
	return t.flags.lesson.Judge(t.session.Game(), start, decisions)
}

// judge says how the lesson has ended. done: the goal is reached, and nobody wants
// anything any more.
func (t *gameTable) judge() (done bool) {
	v := t.verdict()
	switch {
	case v.Done:
		t.say("Done: the goal is reached.\n")
		if next := t.flags.guide.After(t.flags.lesson); next != "" {
			t.say("The next lesson:\n  %s play --game %s --lesson %s\n", t.program, t.session.Game().Info().Name, next)
		}
	case v.Failed:
		t.say("The goal is missed. `takeback` tries again, `hint` helps, `quit` leaves.\n")
	}
	return v.Done
}

// rules prints the page of rules, or a section of it.
func (t *gameTable) rules(section string) error {
	family, err := t.env.Families.ByName(t.session.Game().Info().Name)
	if err != nil {
		return err
	}
	if t.flags.guide == nil || t.flags.guide.Rules == "" {
		return fmt.Errorf("%s has no page of rules", family.Name)
	}
	text, err := rulebook.Text(family, t.flags.guide.Rules, section, t.color)
	if err == nil {
		t.say("\n%s", text)
	}
	return err
}
