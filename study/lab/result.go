package lab

import (
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
)

// Result is a sheet that has been played to its end.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	// Rules are what the sheet is about and, if there are two, what it is compared with.
	Rules []string `json:"rules"`
	// Players are descriptions, from weak to strong; Weights are what they depend on
	// besides, and Kernel the kind of kernels that networks were computed on.
	Players []string          `json:"players"`
	Weights map[string]string `json:"weights,omitempty"`
	Kernel  string            `json:"kernel,omitempty"`
	// Judge said how games stood; empty if nobody did.
	Judge string `json:"judge,omitempty"`
	// Note says why the players are not better ones; empty if they are the best there are
	// or were named.
	Note string `json:"note,omitempty"`
	// Command repeats the sheet. Stopped is nil unless a limit ended it.
	Command string      `json:"command"`
	Stopped *study.Stop `json:"stopped,omitempty"`

	Config

	Measures  []Measure  `json:"measures"`
	Strengths []Strength `json:"strengths"`
	// Courses are how uncertain the games of each player under each ruleset were as they
	// went; Climbs how effort paid under each ruleset.
	Courses []Course `json:"courses,omitempty"`
	Climbs  []Climb  `json:"climbs,omitempty"`
	// Summary says in sentences what was found.
	Summary []string `json:"summary"`
}

// Strength is the games of one player with itself, or the matches of players of rising
// effort.
type Strength struct {
	// Player is a description, empty for rising effort. Title is for people.
	Player string `json:"player,omitempty"`
	Title  string `json:"title"`
	// Sides are its games under each of Result.Rules.
	Sides []Side `json:"sides"`
	// Differences are the first rules less the second; empty if there is one ruleset.
	Differences []Difference `json:"differences,omitempty"`
}

// Side is the games of one player under one ruleset.
type Side struct {
	Games int `json:"games"`
	// Repeated games are the same as an earlier one move by move.
	Repeated int            `json:"repeated"`
	Figures  []FigureResult `json:"figures"`
	// Lacks says what the games lack for figures that are missing.
	Lacks []string `json:"lacks,omitempty"`
}

// FigureResult is a measure with its interval of 95 %, null where its error is not known.
type FigureResult struct {
	Measure string `json:"measure"`
	// Games is how many it was counted in.
	Games int             `json:"games"`
	Value rating.Estimate `json:"value"`
}

// Course is how uncertain the games of one player under one ruleset were as they went.
type Course struct {
	Player string `json:"player"`
	Rules  string `json:"rules"`
	// Uncertainty has an estimate for each tenth of the game.
	Uncertainty []rating.Estimate `json:"uncertainty"`
}

// Difference is a figure under the first rules less the same under the second.
type Difference struct {
	Measure string          `json:"measure"`
	Value   rating.Estimate `json:"value"`
	// P is the two-sided p-value by itself, Holm corrected over the sheet; Found says that
	// Holm is at most Significance.
	P     float64 `json:"p"`
	Holm  float64 `json:"p_holm"`
	Found bool    `json:"found"`
}
