package konreh

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
)

// A balance is the way in which the second player is made up for moving second.
type balance uint8

const (
	balanceDouble    balance = iota // B's first turn has two moves
	balanceSingle                   // nothing
	balancePie                      // hold or swap after A's first move
	balancePieDouble                // the same, then B's first turn has two moves
	balanceDoublePie                // two moves on B's first turn, then hold or swap
	numBalances
)

var balanceWords = []string{"double-move", "single", "pie", "pie-double", "double-pie"}

// rules is a ruleset: one field for each option of Family, as documented there.
type rules struct {
	contactCapture  bool
	targetZocExempt bool
	slideSpecial    bool
	rootedThrough   bool // rooted: through-next-turn
	crossStay       int
	crossExclusion  int
	reforgeTurns    int
	greenCap        int
	seed            bool
	mobilization    bool
	balance         balance
	speed           bool // progress: speed
	noProgress      int
	maxTurns        int
	buyback         bool
	seedLimit       int
	noCaptureTurns  int
	stalemateLoses  bool // stalemate: loss
	specials        int
	size            int
}

// double reports whether B's first turn has two moves.
func (r *rules) double() bool {
	return r.balance == balanceDouble || r.balance == balancePieDouble || r.balance == balanceDoublePie
}

// pieTurn is the turn at whose start hold or swap is asked, -1 if never.
func (r *rules) pieTurn() int32 {
	switch r.balance {
	case balancePie, balancePieDouble:
		return 1
	case balanceDoublePie:
		return 2
	}
	return -1
}

// rootedMark is what becoming Rooted sets the mark to.
func (r *rules) rootedMark() int {
	if r.rootedThrough {
		return 2
	}
	return 1
}

func newRules(s engine.Settings) (rules, error) {
	r := rules{
		contactCapture:  s.Bool("contact_capture"),
		targetZocExempt: s.Bool("target_zoc_exempt"),
		slideSpecial:    s.Bool("slide_special"),
		rootedThrough:   s.Text("rooted") == "through-next-turn",
		crossStay:       s.Int("cross_stay"),
		crossExclusion:  s.Int("cross_exclusion"),
		reforgeTurns:    s.Int("reforge_turns"),
		greenCap:        s.Int("green_cap"),
		seed:            s.Bool("seed"),
		mobilization:    s.Bool("mobilization"),
		speed:           s.Text("progress") == "speed",
		noProgress:      s.Int("no_progress"),
		maxTurns:        s.Int("max_turns"),
		buyback:         s.Bool("buyback"),
		seedLimit:       s.Int("seed_limit"),
		noCaptureTurns:  s.Int("no_capture_turns"),
		stalemateLoses:  s.Text("stalemate") == "loss",
		specials:        s.Int("specials"),
		size:            s.Int("size"),
	}
	for i, w := range balanceWords {
		if w == s.Text(engine.BalanceOption) {
			r.balance = balance(i)
		}
	}
	micro := s.Preset == "micro"
	size, specials := 8, 2
	if micro {
		size, specials = 6, 1
	}
	var l problems.List
	l.If(r.size != size, "option size=%d: preset %s is played on size %d; the 6×6 board belongs to preset micro alone", r.size, s.Preset, size)
	l.If(r.specials != specials, "option specials=%d: preset %s has specials=%d; 1 belongs to preset micro alone", r.specials, s.Preset, specials)
	return r, l.Err()
}
