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

// learn sets options for a lesson, which says who plays what from where.
func (s *setting) learn(o *options, given func(flag string) bool) error {
	for _, name := range []string{"load", "rules", "against", "first", "second", "position", "clock", "seed"} {
		if given(name) {
			return shell.Usagef("--%s: a lesson has its own", name)
		}
	}
	family, err := o.ruleset.Family()
	if err != nil {
		return err
	}
	if s.lesson, err = s.guide.Lesson(o.lessonName); err != nil {
		return shell.Usagef("--lesson: %w: --lesson %s lists them", err, listLessons)
	}
	_, start, err := s.lesson.Set(family)
	if err != nil {
		return fmt.Errorf("lesson %s: %w", s.lesson.Name, err)
	}
	o.ruleset.Rules, o.position, o.seed, o.against = s.lesson.Rules, s.lesson.Position, guide.Seed, s.lesson.Opponent
	s.seats = [2]string{s.lesson.Opponent, s.lesson.Opponent}
	s.seats[start.Actor()] = table.You
	return nil
}

func (t *gameTable) lessonOver() bool {
	v := t.verdict()
	return v.Done || v.Failed
}

// verdict is how the lesson stands.
func (t *gameTable) verdict() guide.Verdict {
	if t.lesson == nil {
		return guide.Verdict{}
	}
	start, decisions := t.session.Decisions()
	return t.lesson.Judge(t.session.Game(), start, decisions)
}

// judge says how the lesson has ended. done: the goal is reached, and nobody wants
// anything any more.
func (t *gameTable) judge() (done bool) {
	v := t.verdict()
	switch {
	case v.Done:
		t.say("Done: the goal is reached.\n")
		if next := t.guide.After(t.lesson); next != "" {
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
	if t.guide == nil || t.guide.Rules == "" {
		return fmt.Errorf("%s has no page of rules", family.Name)
	}
	text, err := rulebook.Text(family, t.guide.Rules, section, t.color)
	if err == nil {
		t.say("\n%s", text)
	}
	return err
}
