package positions

import (
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// Measured is what show --measures says of a position. Numbers that are not finite
// are null.
type Measured struct {
	Game     string          `json:"game"`
	Rules    string          `json:"rules"`
	Position string          `json:"position"`
	Sides    [2]measuredSide `json:"sides"`
	// SecondSpecials are the specials that may be played now and would leave none.
	SecondSpecials []MeasuredSpecial `json:"second_specials,omitempty"`
}

type measuredSide struct {
	Side   string         `json:"side"`
	Clocks measuredClocks `json:"clocks"`
	// OpponentSpecials is S.
	OpponentSpecials int               `json:"opponent_specials"`
	Sanctums         []measuredSanctum `json:"sanctums"`
	Cross            []measuredExits   `json:"cross"`
	CCA              float64           `json:"cca"`
	SeedTurns        *int              `json:"seed_turns"`
	SRI              *int              `json:"sri"`
	Race             measuredRace      `json:"race"`
	// Before is the race before the last turn of --moves.
	Before *measuredRace `json:"race_before_last_turn,omitempty"`
}

type measuredClocks struct {
	Stay      int `json:"cross_stay"`
	StayLimit int `json:"cross_stay_limit"`
	Exclusion int `json:"cross_exclusion"`
	Rooted    int `json:"rooted"`
	Specials  int `json:"specials"`
	Reforge   int `json:"reforge"`
}

type measuredSanctum struct {
	Square      string `json:"square"`
	Reach       *int   `json:"reach"`
	ReachAny    *int   `json:"reach_any"`
	Screens     int    `json:"screens"`
	BlueScreens int    `json:"screens_against_blue"`
	SSI         int    `json:"ssi"`
	WhenToSeed  string `json:"when_to_seed"`
}

type measuredExits struct {
	Square string `json:"square"`
	XS     int    `json:"xs"`
}

type measuredRace struct {
	PlantTurns *int `json:"plant_turns"`
	TurnsLeft  int  `json:"turns_left"`
	Kappa      *int `json:"kappa"`

	measure.Race `json:"-"`
}

type MeasuredSpecial struct {
	Move string `json:"move"`
	SRI  int    `json:"sri"`
}

// measuresOf measures the position that moves lead to from a position line, both of
// which have been read before.
func measuresOf(g engine.Game, line, moves string) (*Measured, error) {
	state, h, err := shell.Position(g, line)
	if err != nil {
		return nil, err
	}
	s, ok := state.(*konreh.State)
	if !ok {
		return nil, shell.Usagef("--measures: game %s has none; they are those of Kon'reh's rulebook (--game konreh)", g.Info().Name)
	}
	began := *s // where the last turn began
	words := shell.MoveWords(g, moves)
	for _, word := range words {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, shell.Usagef("%q: %w", word, err)
		}
		if s.BeginsTurn() {
			began = *s
		}
		s.Apply(a, h)
	}
	x := &Measured{Game: g.Info().Name, Rules: g.Rules(), Position: string(s.AppendPosition(nil))}
	var m measure.Meter
	m.Set(s)
	for side := range engine.Side(2) {
		x.Sides[side] = sideOf(&m, s.Game(), side)
	}
	x.SecondSpecials = secondSpecials(&m, s)
	if len(words) > 0 {
		m.Set(&began)
		for side := range engine.Side(2) {
			r := raceOf(m.Race(side))
			x.Sides[side].Before = &r
		}
	}
	return x, nil
}

func sideOf(m *measure.Meter, g *konreh.Game, side engine.Side) measuredSide {
	var sheet measure.Sheet
	m.Sheet(side, &sheet)
	name := func(q int) string { return konreh.SquareName(bits.TrailingZeros64(g.Seen(side, 1<<q))) }
	c := sheet.Clocks
	x := measuredSide{
		Side: g.Info().Sides[side], OpponentSpecials: sheet.S, CCA: sheet.CCA, SeedTurns: finite(sheet.SeedTurns), Race: raceOf(sheet.Race),
		Clocks: measuredClocks{Stay: c.Stay, StayLimit: c.StayLimit, Exclusion: c.Exclusion, Rooted: c.Rooted, Specials: c.Specials, Reforge: c.Reforge},
		Cross:  []measuredExits{},
	}
	if sheet.SRI >= 0 {
		x.SRI = &sheet.SRI
	}
	for _, z := range sheet.Sanctums {
		x.Sanctums = append(x.Sanctums, measuredSanctum{
			Square: name(z.Square), Reach: finite(z.R), ReachAny: finite(z.ReachAny), Screens: z.Screens, BlueScreens: z.BlueScreens,
			SSI: z.SSI, WhenToSeed: z.Advice.String(),
		})
	}
	for _, c := range sheet.Cross {
		x.Cross = append(x.Cross, measuredExits{Square: name(c.Square), XS: c.XS})
	}
	if side == 1 {
		// B sees the board turned: its squares stand here in the order of A's.
		for i, j := 0, len(x.Cross)-1; i < j; i, j = i+1, j-1 {
			x.Cross[i], x.Cross[j] = x.Cross[j], x.Cross[i]
		}
		x.Sanctums[0], x.Sanctums[1] = x.Sanctums[1], x.Sanctums[0]
	}
	return x
}

func raceOf(r measure.Race) measuredRace {
	return measuredRace{PlantTurns: finite(r.PlantTurns), TurnsLeft: r.TurnsLeft, Kappa: finite(r.Kappa), Race: r}
}

func finite(n int) *int {
	if n == measure.Inf {
		return nil
	}
	return &n
}

// secondSpecials are the legal specials in s that leave Blue without any, with the SRI
// of the position after them; m is set to s. Under rules with one special there is no
// second.
func secondSpecials(m *measure.Meter, s *konreh.State) (list []MeasuredSpecial) {
	if m.Specials(s.Side()) != 1 || s.Game().LifeSpecials() < 2 {
		return nil
	}
	var after measure.Meter
	for _, a := range s.Legal(nil, nil) {
		word := string(s.AppendAction(nil, a))
		if !strings.ContainsAny(word, "*^") {
			continue
		}
		next := *s
		next.Apply(a, nil)
		after.Set(&next)
		army := next.Army(s.Side())
		at := bits.TrailingZeros64(army[konreh.Blue])
		list = append(list, MeasuredSpecial{Move: word, SRI: after.SRI(s.Side(), at)})
	}
	return list
}

// writeMeasures prints them as a table, a column for each side.
func writeMeasures(out io.Writer, x *Measured) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(what string, value func(s *measuredSide) string) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", what, value(&x.Sides[0]), value(&x.Sides[1]))
	}
	number := func(what string, value func(s *measuredSide) int) {
		row(what, func(s *measuredSide) string { return strconv.Itoa(value(s)) })
	}
	maybe := func(what, never string, value func(s *measuredSide) *int) {
		row(what, func(s *measuredSide) string { return orNever(value(s), never) })
	}
	fmt.Fprintln(out, "\nMeasures of the rulebook, for each side; turns are its own, ∞ is never")
	row("", func(s *measuredSide) string { return s.Side })
	row("clocks: turns in the Cross", func(s *measuredSide) string {
		if s.Clocks.StayLimit == 0 {
			return "no Cross"
		}
		return fmt.Sprintf("%d of %d", s.Clocks.Stay, s.Clocks.StayLimit)
	})
	number("  barred from the Cross", func(s *measuredSide) int { return s.Clocks.Exclusion })
	number("  Rooted", func(s *measuredSide) int { return s.Clocks.Rooted })
	number("  specials left", func(s *measuredSide) int { return s.Clocks.Specials })
	row("  turns left to plant", func(s *measuredSide) string {
		if s.Clocks.Reforge == 0 {
			return "-"
		}
		return strconv.Itoa(s.Clocks.Reforge)
	})
	number("S, the opponent's specials", func(s *measuredSide) int { return s.OpponentSpecials })
	for i := range x.Sides[0].Sanctums {
		at := func(s *measuredSide) *measuredSanctum { return &s.Sanctums[i] }
		maybe("a Green on "+x.Sides[0].Sanctums[i].Square+": R", "∞", func(s *measuredSide) *int { return at(s).Reach })
		maybe("  reachAny", "∞", func(s *measuredSide) *int { return at(s).ReachAny })
		row("  screens (against Blue)", func(s *measuredSide) string { return fmt.Sprintf("%d (%d)", at(s).Screens, at(s).BlueScreens) })
		number("  SSI", func(s *measuredSide) int { return at(s).SSI })
		row("  when to seed", func(s *measuredSide) string { return at(s).WhenToSeed })
	}
	for i := range x.Sides[0].Cross {
		number("XS of "+x.Sides[0].Cross[i].Square, func(s *measuredSide) int { return s.Cross[i].XS })
	}
	row("CCA", func(s *measuredSide) string { return withSign(s.CCA) })
	maybe("turns to a Seed", "∞", func(s *measuredSide) *int { return s.SeedTurns })
	maybe("SRI where Blue stands", "-", func(s *measuredSide) *int { return s.SRI })
	maybe("T*", "∞", func(s *measuredSide) *int { return s.Race.PlantTurns })
	row("κ", func(s *measuredSide) string {
		return fmt.Sprintf("%s in %d turns", orNever(s.Race.Kappa, "∞"), s.Race.TurnsLeft)
	})
	if x.Sides[0].Before != nil {
		since := func(s *measuredSide) (int, int) { return s.Race.Since(s.Before.Race) }
		row("ΔT* of the last turn", func(s *measuredSide) string { turns, _ := since(s); return change(turns) })
		row("Δκ of the last turn", func(s *measuredSide) string { _, kappa := since(s); return change(kappa) })
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(x.SecondSpecials) > 0 {
		var list []string
		for _, m := range x.SecondSpecials {
			list = append(list, fmt.Sprintf("%s %d", m.Move, m.SRI))
		}
		fmt.Fprintf(out, "SRI of each second special: %s\n", strings.Join(list, ", "))
	}
	return nil
}

func orNever(n *int, never string) string {
	if n == nil {
		return never
	}
	return strconv.Itoa(*n)
}

func change(n int) string {
	switch {
	case n >= measure.Inf:
		return "+∞"
	case n <= -measure.Inf:
		return "-∞"
	}
	return withSign(float64(n))
}

// withSign has a sign but for 0.
func withSign(x float64) string {
	if x == 0 {
		return "0"
	}
	return fmt.Sprintf("%+g", x)
}

// checkMeasureFlags refuses flags of show that contradict each other.
func checkMeasureFlags(measures, asJSON bool, svg string) error {
	switch {
	case asJSON && !measures:
		return shell.Usagef("--json needs --measures")
	case measures && svg == "-":
		return shell.Usagef("--svg - writes the picture and nothing else: give --measures alone or the picture a file")
	}
	return nil
}
