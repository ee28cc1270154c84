package heuristics

import (
	"slices"

	"github.com/ludozero/ludozero/player/school"
)

// Tag is what the rulebook calls a rule of thumb: how freely it may be broken.
type Tag string

// The tags. The book explains three and gives them to three rules; the other rules have
// none.
const (
	Hard     Tag = "Hard"
	Soft     Tag = "Soft"
	Bait     Tag = "Bait"
	Untagged Tag = "-"
)

// Rule is a rule of thumb.
type Rule struct {
	ID string `json:"id"`
	// Says is the rule in our words, Source where the book has it.
	Says   string `json:"says"`
	Tag    Tag    `json:"tag"`
	Source string `json:"source"`
	// Question is the ID of the question that the rule answers.
	Question string `json:"question"`
	// Claims is what the rule has to say about what searches expect.
	Claims []Claim `json:"claims"`
	// Order is what the measure that the rule goes by has to say; nil if there is none.
	Order *Order `json:"order,omitempty"`

	// against are the levels at which the act breaks the rule.
	against []int
}

// School is the ID of the player that has this rule alone.
func (r *Rule) School() string { return "only-" + r.ID }

// Claim says that in some situations the act that the question is about is better than
// what else there is, or worse.
type Claim struct {
	// Levels are indices of Question.Levels.
	Levels []int `json:"levels"`
	Better bool  `json:"better"`
}

// Order says that the act gains more at the levels of High than at those of Low. An act
// is nearly always worse than the best of all other moves, of which there are many more:
// only the difference between levels says that the measure tells anything.
type Order struct {
	Low  []int `json:"low"`
	High []int `json:"high"`
}

// Question is a choice that comes up in games: to do something or not.
type Question struct {
	ID string
	// Act is what is done, Else what else there is.
	Act, Else string
	// Levels are the situations that are told apart.
	Levels []string
	// Even says that a choice has few moves on either side, such as to seed or not, so
	// that the difference of the two is a fair one of its own.
	Even bool

	act, other func(p *school.Probe) bool // other nil: whatever is not act
	level      func(p *school.Probe) int  // of an act
}

// capSteps are the own turns within which the book's tests of a captured Blue ask for a
// plant: 4 for the captor, 5 for the one who lost it, as long as the countdown takes by
// the rules of the book.
const (
	captorPlants = 4
	loserPlants  = 5
)

// nearCap is the number of Greens that a Seed must at least lead to for the cap of six
// to be near; the book says no number.
const nearCap = 5

func event(name string) func(*school.Probe) bool {
	return func(p *school.Probe) bool { return p.Event(name) }
}

func atMost(name string, most int) func(*school.Probe) int {
	return func(p *school.Probe) int { return min(most, p.Value(name)) }
}

func one(*school.Probe) int { return 0 }

var questions = []Question{
	{
		ID: "seed", Act: "seed", Else: "decline", Levels: []string{"SSI of Blue 0", "SSI of Blue 1", "SSI of Blue 2"}, Even: true,
		act: event("seed"), other: event("decline_seed"), level: atMost("blue_ssi", 2),
	},
	{
		ID: "green", Act: "seed", Else: "decline", Levels: []string{"SSI of the Green 0", "SSI of the Green 1", "SSI of the Green 2"}, Even: true,
		act: event("seed"), other: event("decline_seed"), level: atMost("ssi", 2),
	},
	{
		ID: "cap", Act: "seed near the cap", Else: "decline", Levels: []string{"not ahead in Greens", "ahead in Greens"}, Even: true,
		act: func(p *school.Probe) bool {
			return p.Event("seed") && p.Value("greens")+p.Value("their_greens") >= nearCap
		},
		other: event("decline_seed"),
		level: func(p *school.Probe) int {
			if p.Value("greens")-1 > p.Value("their_greens") { // before the Seed
				return 1
			}
			return 0
		},
	},
	{
		ID: "cross", Act: "enter the Cross", Else: "any other move", Levels: []string{"XS 0", "XS 1", "XS 2 or more"},
		act: event("enter_cross"), level: atMost("exits", 2),
	},
	{
		ID: "ring", Act: "move a runner into the Cross", Else: "any other move", Levels: []string{"always"},
		act: event("runner_enters_cross"), level: one,
	},
	{
		ID: "special", Act: "use the last special", Else: "any other move", Levels: []string{"SRI 0", "SRI 1", "SRI 2"},
		act: event("last_special"), level: atMost("sri", 2),
	},
	{
		ID: "blue", Act: "capture their Blue", Else: "any other move",
		Levels: []string{"own T* over 4, their T* up to 5", "own T* over 4, their T* over 5", "own T* up to 4, their T* up to 5", "own T* up to 4, their T* over 5"},
		act:    event("capture_blue"),
		level: func(p *school.Probe) int {
			level := 0
			if p.Value("their_plant_turns") > loserPlants {
				level++
			}
			if p.Value("plant_turns") <= captorPlants {
				level += 2
			}
			return level
		},
	},
	{
		ID: "home", Act: "place Blue at Home", Else: "on a Sanctum", Levels: []string{"always"}, Even: true,
		act: event("place_home"), other: event("place_sanctum"), level: one,
	},
	{
		ID: "apex", Act: "place Blue on the Apex", Else: "at Home or on a Sanctum", Levels: []string{"their Blue without specials", "their Blue with specials"}, Even: true,
		act: event("place_apex"), other: func(p *school.Probe) bool { return p.Event("place_home") || p.Event("place_sanctum") },
		level: atMost("their_specials", 1),
	},
}

var rules = []Rule{
	{
		ID: "seed-safety", Says: "Seed where the Rooted Blue has SSI 1 or 2, and not at 0.", Tag: Soft, Source: "H1; player aid; designer's note", Question: "seed", against: []int{0},
		Claims: []Claim{{Levels: []int{0}}, {Levels: []int{1}, Better: true}, {Levels: []int{2}, Better: true}},
		Order:  &Order{Low: []int{0}, High: []int{2}},
	},
	{
		ID: "seed-screened", Says: "Seed where the Rooted Blue has SSI 2 only.", Tag: Untagged, Source: "coach's notes after the annotated game", Question: "seed", against: []int{0, 1},
		Claims: []Claim{{Levels: []int{0, 1}}},
		Order:  &Order{Low: []int{0, 1}, High: []int{2}},
	},
	{
		ID: "seed-green", Says: "The same as seed-safety, read of the Green: seed where its SSI is at least 1.", Tag: Soft, Source: "player aid, read as in docs/measures.md", Question: "green",
		against: []int{0},
		Claims:  []Claim{{Levels: []int{0}}, {Levels: []int{1}, Better: true}, {Levels: []int{2}, Better: true}},
		Order:   &Order{Low: []int{0}, High: []int{2}},
	},
	{
		ID: "cap-lead", Says: "With the cap on Greens near, seed only if ahead in Greens.", Tag: Untagged, Source: "H2", Question: "cap", against: []int{0},
		Claims: []Claim{{Levels: []int{0}}},
		Order:  &Order{Low: []int{0}, High: []int{1}},
	},
	{
		ID: "cross-exit", Says: "Enter the Cross where XS is at least 1.", Tag: Untagged, Source: "H3; player aid", Question: "cross", against: []int{0},
		Claims: []Claim{{Levels: []int{0}}},
		Order:  &Order{Low: []int{0}, High: []int{1, 2}},
	},
	{
		ID: "cross-two-exits", Says: "Enter the Cross where XS is at least 2.", Tag: Soft, Source: "designer's note", Question: "cross", against: []int{0, 1},
		Claims: []Claim{{Levels: []int{1}}},
		Order:  &Order{Low: []int{1}, High: []int{2}},
	},
	{
		ID: "ring", Says: "Runners ring the Cross and stay out of it.", Tag: Bait, Source: "designer's note; coach's notes", Question: "ring", against: []int{0},
	},
	{
		ID: "last-special", Says: "Use the second special where SRI is at least 1.", Tag: Untagged, Source: "H5", Question: "special", against: []int{0},
		Claims: []Claim{{Levels: []int{0}}},
		Order:  &Order{Low: []int{0}, High: []int{2}},
	},
	{
		ID: "free-blue", Says: "Take their Blue only if an own runner could plant within 4 turns.", Tag: Untagged, Source: "the free Blue test of the coach's notes", Question: "blue", against: []int{0, 1},
		Claims: []Claim{{Levels: []int{0, 1}}},
		Order:  &Order{Low: []int{0, 1}, High: []int{2, 3}},
	},
	{
		ID: "deny-banner", Says: "Take their Blue only if no runner of theirs could plant within 5 turns.", Tag: Untagged, Source: "endgame cues", Question: "blue", against: []int{0, 2},
		Claims: []Claim{{Levels: []int{0, 2}}},
		Order:  &Order{Low: []int{0, 2}, High: []int{1, 3}},
	},
	{
		ID: "home", Says: "Place a new Blue at Home rather than on a Sanctum.", Tag: Untagged, Source: "H4", Question: "home",
		Claims: []Claim{{Levels: []int{0}, Better: true}},
	},
	{
		ID: "no-apex", Says: "Place no Blue on the enemy Apex while their Blue has specials.", Tag: Untagged, Source: "H4; traps", Question: "apex", against: []int{1},
		Claims: []Claim{{Levels: []int{1}}},
		Order:  &Order{Low: []int{1}, High: []int{0}},
	},
}

// Rules are the rules that are tested, in the order of reports: the declared family.
func Rules() []Rule { return slices.Clone(rules) }

// questionOf is the number of the question of that ID.
func questionOf(id string) int {
	return slices.IndexFunc(questions, func(q Question) bool { return q.ID == id })
}

// obeys tells whether r is obeyed by the act of its question at a level, or by what
// else there is; it says nothing of choices in which either will do.
func (r *Rule) obeys(level int, act bool) (obeyed, says bool) {
	if slices.Contains(r.against, level) {
		return !act, true
	}
	for _, c := range r.Claims {
		if c.Better && slices.Contains(c.Levels, level) {
			return act, true
		}
	}
	return false, false
}
