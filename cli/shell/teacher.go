package shell

import (
	"fmt"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay"
)

// Teacher makes the teacher that a run's configuration names, and names a network there
// by its hash; nil if there is none. An error names the key.
func (e *Env) Teacher(cfg *configs.Run) (func(engine.Game) (selfplay.Teacher, error), error) {
	c := &cfg.SelfPlay.Teacher
	if c.Player == "" {
		return nil, nil
	}
	newTeacher, canonical, err := e.Players.TeacherOf(c)
	if err == nil {
		var g engine.Game
		if g, err = e.Families.Open(cfg.Game, cfg.Rules); err != nil {
			return newTeacher, nil // that is said of the rules themselves
		}
		if _, err = newTeacher(g); err == nil { // now, not hours later
			_, err = e.Contestants(g, Begin(g, 0), c.Player)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("self_play.teacher.player: %w", err)
	}
	c.Player = canonical
	return newTeacher, nil
}
