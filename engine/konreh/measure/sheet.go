package measure

import "github.com/ludozero/ludozero/engine"

// Sheet is all measures of one side, by squares from its seat.
type Sheet struct {
	Clocks Clocks
	// S are the specials left to opp's Blue.
	S int
	// Sanctums are the side's left one and its right one.
	Sanctums [2]SanctumSheet
	// Cross are its squares in ascending order, none if nothing counts as Cross.
	Cross []CrossSheet
	CCA   float64
	// SeedTurns is the fewest own turns to a slide that may seed.
	SeedTurns int
	Race      Race
	// SRI is the index of the square where Blue stands, -1 with Blue off the board.
	SRI int
}

// SanctumSheet has the measures of a Green of the side on a Sanctum, real or assumed.
type SanctumSheet struct {
	Square int
	Threat
	SSI    int
	Advice Advice
}

// CrossSheet is the number of ways out from a square of the Cross.
type CrossSheet struct{ Square, XS int }

// Sheet sets x to the measures of side. It reuses the memory of x.
func (m *Meter) Sheet(side engine.Side, x *Sheet) {
	*x = Sheet{
		Clocks: m.Clocks(side), S: m.Specials(1 - side), Cross: x.Cross[:0],
		CCA: m.CCA(side), SeedTurns: m.SeedTurns(side), Race: m.Race(side), SRI: -1,
	}
	for i, z := range m.game.Sanctums() {
		q := squareOf(z)
		t := m.Threat(side, q)
		x.Sanctums[i] = SanctumSheet{Square: q, Threat: t, SSI: t.SSI(), Advice: t.Advice()}
	}
	for on := m.cross; on != 0; on &= on - 1 {
		q := squareOf(on)
		x.Cross = append(x.Cross, CrossSheet{Square: q, XS: m.XS(side, q)})
	}
	if blue := m.armies[side&1].kind[3]; blue != 0 {
		x.SRI = m.SRI(side, squareOf(blue))
	}
}
