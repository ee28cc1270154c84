package cluster

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/plan"
)

// charter is all that the games of a match.Series depend on, as JSON. Two series with the
// same charter have the same games, however many of them are wanted.
type charter struct {
	Game        string              `json:"game"`
	GameVersion int                 `json:"game_version"`
	Rules       string              `json:"rules"`
	Contestants []charterContestant `json:"contestants"`
	Openings    []match.Opening     `json:"openings"`
	Schedule    []match.Pair        `json:"schedule"`
	Clock       string              `json:"clock,omitempty"`
	MaxTurns    int                 `json:"max_turns"`
	Seed        uint64              `json:"seed"`
}

// charterContestant is a match.Contestant.
type charterContestant struct {
	match.Portable
	// Name and Identity are the contestant's: the seeds of its players follow from them.
	Name     string `json:"name"`
	Identity string `json:"identity,omitempty"`
	// Digest is the SHA-256 of Portable.File in hexadecimal, "" if there is none.
	Digest string `json:"digest,omitempty"`
}

// newCharter describes s. files are the charter itself, whose digest is returned, and what
// its contestants need. timed says that time limits a player or a game.
func newCharter(s *match.Series) (digest string, files map[string][]byte, timed bool, err error) {
	c := charter{
		Game: s.Game.Info().Name, GameVersion: s.Game.Info().Version, Rules: s.Game.Rules(),
		Openings: s.Openings.List, Schedule: s.Schedule, Clock: s.Clock.String(), MaxTurns: s.MaxTurns, Seed: s.Seed,
	}
	timed = s.Clock.On()
	files = map[string][]byte{}
	var errs []error
	for i := range s.Contestants {
		one := &s.Contestants[i]
		p, err := portable(one)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		e := charterContestant{Portable: *p, Name: one.Name, Identity: one.Identity}
		if p.File != nil {
			e.Digest = plan.SHA256(p.File)
			files[e.Digest] = p.File
		}
		timed = timed || p.ByTime
		c.Contestants = append(c.Contestants, e)
	}
	if err := errors.Join(errs...); err != nil {
		return "", nil, false, err
	}
	text, err := json.Marshal(&c)
	if err != nil {
		return "", nil, false, err
	}
	digest = plan.SHA256(text)
	files[digest] = text
	return digest, files, timed, nil
}

func portable(c *match.Contestant) (*match.Portable, error) {
	if c.Portable == nil {
		return nil, fmt.Errorf("player %s: other machines cannot make it", c.Name)
	}
	return c.Portable()
}

// readCharter reads what newCharter has written.
func readCharter(text []byte) (*charter, error) {
	var c charter
	if err := strictjson.Decode(text, &c); err != nil {
		return nil, fmt.Errorf("charter of the series: %w", err)
	}
	return &c, nil
}

// series makes the series without its contestants.
func (c *charter) series(games engine.Families) (*match.Series, error) {
	family, err := games.ByName(c.Game)
	if err != nil {
		return nil, err
	}
	g, err := family.Parse(c.Rules)
	if err != nil {
		return nil, err
	}
	if v := g.Info().Version; v != c.GameVersion {
		return nil, fmt.Errorf("%s has version %d here: want %d", c.Game, v, c.GameVersion)
	}
	clock, err := match.ParseTimeControl(c.Clock)
	if err != nil {
		return nil, err
	}
	return &match.Series{
		Game: g, Openings: &match.Openings{List: c.Openings}, Schedule: c.Schedule, Clock: clock, MaxTurns: c.MaxTurns, Seed: c.Seed,
	}, nil
}

// threads is how many threads the searches of a game need at the same time.
func (c *charter) threads() int {
	most := 1
	for i := range c.Contestants {
		most = max(most, c.Contestants[i].Threads)
	}
	return most
}
