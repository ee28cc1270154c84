package measure

import (
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Description is what the rulebook counts in a position, for both sides. Numbers that are not finite
// are null.
type Description struct {
	Game     string           `json:"game"`
	Rules    string           `json:"rules"`
	Position string           `json:"position"`
	Sides    [2]describedSide `json:"sides"`
	// SecondSpecials are the specials that may be played now and would leave none.
	SecondSpecials []DescribedSpecial `json:"second_specials,omitempty"`
}

type describedSide struct {
	Side   string          `json:"side"`
	Clocks describedClocks `json:"clocks"`
	// OpponentSpecials is S.
	OpponentSpecials int                `json:"opponent_specials"`
	Sanctums         []describedSanctum `json:"sanctums"`
	Cross            []describedExits   `json:"cross"`
	CCA              float64            `json:"cca"`
	SeedTurns        *int               `json:"seed_turns"`
	SRI              *int               `json:"sri"`
	Race             describedRace      `json:"race"`
	// Before is the race before the last turn of --moves.
	Before *describedRace `json:"race_before_last_turn,omitempty"`
}

type describedClocks struct {
	Stay      int `json:"cross_stay"`
	StayLimit int `json:"cross_stay_limit"`
	Exclusion int `json:"cross_exclusion"`
	Rooted    int `json:"rooted"`
	Specials  int `json:"specials"`
	Reforge   int `json:"reforge"`
}

type describedSanctum struct {
	Square      string `json:"square"`
	Reach       *int   `json:"reach"`
	ReachAny    *int   `json:"reach_any"`
	Screens     int    `json:"screens"`
	BlueScreens int    `json:"screens_against_blue"`
	SSI         int    `json:"ssi"`
	WhenToSeed  string `json:"when_to_seed"`
}

type describedExits struct {
	Square string `json:"square"`
	XS     int    `json:"xs"`
}

type describedRace struct {
	PlantTurns *int `json:"plant_turns"`
	TurnsLeft  int  `json:"turns_left"`
	Kappa      *int `json:"kappa"`

	Race `json:"-"`
}

// DescribedSpecial is a special and the SRI after it.
type DescribedSpecial struct {
	Move string `json:"move"`
	SRI  int    `json:"sri"`
}

// Describe measures the position that moves lead to from a position line, "" for the
// start, in the game g of Kon'reh.
func Describe(g engine.Game, line string, moves []string) (*Description, error) {
	s, h := g.NewState().(*konreh.State), g.NewHistory()
	if line == "" {
		s.Start(h)
	} else if err := s.ParsePosition(line); err != nil {
		return nil, fmt.Errorf("position %q: %w", line, err)
	} else {
		s.Begin(h)
	}
	began := *s // where the last turn began
	for _, word := range moves {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", word, err)
		}
		if s.BeginsTurn() {
			began = *s
		}
		s.Apply(a, h)
	}
	x := &Description{Game: g.Info().Name, Rules: g.Rules(), Position: string(s.AppendPosition(nil))}
	var m Meter
	m.Set(s)
	for side := range engine.Side(2) {
		x.Sides[side] = sideOf(&m, s.Game(), side)
	}
	x.SecondSpecials = secondSpecials(&m, s)
	if len(moves) > 0 {
		m.Set(&began)
		for side := range engine.Side(2) {
			r := raceOf(m.Race(side))
			x.Sides[side].Before = &r
		}
	}
	return x, nil
}

func sideOf(m *Meter, g *konreh.Game, side engine.Side) describedSide {
	var sheet Sheet
	m.Sheet(side, &sheet)
	name := func(q int) string { return konreh.SquareName(bits.TrailingZeros64(g.Seen(side, 1<<q))) }
	c := sheet.Clocks
	x := describedSide{
		Side: g.Info().Sides[side], OpponentSpecials: sheet.S, CCA: sheet.CCA, SeedTurns: finite(sheet.SeedTurns), Race: raceOf(sheet.Race),
		Clocks: describedClocks(c),
		Cross:  []describedExits{},
	}
	if sheet.SRI >= 0 {
		x.SRI = &sheet.SRI
	}
	for _, z := range sheet.Sanctums {
		x.Sanctums = append(x.Sanctums, describedSanctum{
			Square: name(z.Square), Reach: finite(z.R), ReachAny: finite(z.ReachAny), Screens: z.Screens, BlueScreens: z.BlueScreens,
			SSI: z.SSI, WhenToSeed: z.Advice.String(),
		})
	}
	for _, c := range sheet.Cross {
		x.Cross = append(x.Cross, describedExits{Square: name(c.Square), XS: c.XS})
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

func raceOf(r Race) describedRace {
	return describedRace{PlantTurns: finite(r.PlantTurns), TurnsLeft: r.TurnsLeft, Kappa: finite(r.Kappa), Race: r}
}

func finite(n int) *int {
	if n == Inf {
		return nil
	}
	return &n
}

// secondSpecials are the legal specials in s that leave Blue without any, with the SRI
// of the position after them; m is set to s. Under rules with one special there is no
// second.
func secondSpecials(m *Meter, s *konreh.State) (list []DescribedSpecial) {
	if m.Specials(s.Side()) != 1 || s.Game().LifeSpecials() < 2 {
		return nil
	}
	var after Meter
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
		list = append(list, DescribedSpecial{Move: word, SRI: after.SRI(s.Side(), at)})
	}
	return list
}

// WriteText prints them as a table, a column for each side.
func (x *Description) WriteText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(what string, value func(s *describedSide) string) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", what, value(&x.Sides[0]), value(&x.Sides[1]))
	}
	number := func(what string, value func(s *describedSide) int) {
		row(what, func(s *describedSide) string { return strconv.Itoa(value(s)) })
	}
	maybe := func(what, never string, value func(s *describedSide) *int) {
		row(what, func(s *describedSide) string { return orNever(value(s), never) })
	}
	fmt.Fprintln(out, "\nMeasures of the rulebook, for each side; turns are its own, ∞ is never")
	row("", func(s *describedSide) string { return s.Side })
	row("clocks: turns in the Cross", func(s *describedSide) string {
		if s.Clocks.StayLimit == 0 {
			return "no Cross"
		}
		return fmt.Sprintf("%d of %d", s.Clocks.Stay, s.Clocks.StayLimit)
	})
	number("  barred from the Cross", func(s *describedSide) int { return s.Clocks.Exclusion })
	number("  Rooted", func(s *describedSide) int { return s.Clocks.Rooted })
	number("  specials left", func(s *describedSide) int { return s.Clocks.Specials })
	row("  turns left to plant", func(s *describedSide) string {
		if s.Clocks.Reforge == 0 {
			return "-"
		}
		return strconv.Itoa(s.Clocks.Reforge)
	})
	number("S, the opponent's specials", func(s *describedSide) int { return s.OpponentSpecials })
	for i := range x.Sides[0].Sanctums {
		at := func(s *describedSide) *describedSanctum { return &s.Sanctums[i] }
		maybe("a Green on "+x.Sides[0].Sanctums[i].Square+": R", "∞", func(s *describedSide) *int { return at(s).Reach })
		maybe("  reachAny", "∞", func(s *describedSide) *int { return at(s).ReachAny })
		row("  screens (against Blue)", func(s *describedSide) string { return fmt.Sprintf("%d (%d)", at(s).Screens, at(s).BlueScreens) })
		number("  SSI", func(s *describedSide) int { return at(s).SSI })
		row("  when to seed", func(s *describedSide) string { return at(s).WhenToSeed })
	}
	for i := range x.Sides[0].Cross {
		number("XS of "+x.Sides[0].Cross[i].Square, func(s *describedSide) int { return s.Cross[i].XS })
	}
	row("CCA", func(s *describedSide) string { return withSign(s.CCA) })
	maybe("turns to a Seed", "∞", func(s *describedSide) *int { return s.SeedTurns })
	maybe("SRI where Blue stands", "-", func(s *describedSide) *int { return s.SRI })
	maybe("T*", "∞", func(s *describedSide) *int { return s.Race.PlantTurns })
	row("κ", func(s *describedSide) string {
		return fmt.Sprintf("%s in %d turns", orNever(s.Race.Kappa, "∞"), s.Race.TurnsLeft)
	})
	if x.Sides[0].Before != nil {
		since := func(s *describedSide) (int, int) { return s.Race.Since(s.Before.Race) }
		row("ΔT* of the last turn", func(s *describedSide) string { turns, _ := since(s); return change(turns) })
		row("Δκ of the last turn", func(s *describedSide) string { _, kappa := since(s); return change(kappa) })
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
	case n >= Inf:
		return "+∞"
	case n <= -Inf:
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
