package knaw

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// The board is four equal quarters of 25 spaces, clockwise from the top. A space is
// numbered 25·quarter + its place in the quarter, so that 25 more is a quarter turn and
// 50 more the space opposite, which side 1 sees where side 0 sees the other. The names
// follow the rules page: a letter for the tier, and a number clockwise from the top.
const (
	spaces  = 100
	quarter = spaces / 4
	half    = spaces / 2
)

// The tiers. Four spaces are of the first tier and of the rim.
const (
	center = iota
	second
	first
	rim
	tiers
)

var tierNames = [tiers]string{"center", "second tier", "first tier", "rim"}

// tierLetters, and where the spaces of a tier begin in a quarter and in the numbers of
// the rules page.
const tierLetters = "CSFR"

var (
	tierPlace = [tiers + 1]int{0, 4, 12, 20, 25}
	tierCode  = [tiers]int{0, 16, 48, 80}
)

// quarterSpaces are the spaces of the first quarter, with the corners of their outlines
// on a disc of radius 1 whose Y goes up.
var quarterSpaces = [quarter]struct {
	wedge, slot int
	black       bool
	beside      string
	corners     []engine.Point
}{
	{0, 0, false, "C1 C15 S0", []engine.Point{{}, {X: 0.038806, Y: 0.19509}, {X: -0.038806, Y: 0.19509}}},                                                                                                            // C0
	{1, 0, true, "C0 C2 S1", []engine.Point{{}, {X: 0.130355, Y: 0.19509}, {X: 0.038806, Y: 0.19509}}},                                                                                                               // C1
	{2, 0, false, "C1 C3 S3 S5", []engine.Point{{}, {X: 0.19509, Y: 0.130355}, {X: 0.19509, Y: 0.19509}, {X: 0.130355, Y: 0.19509}}},                                                                                 // C2
	{3, 0, true, "C2 C4 S7", []engine.Point{{}, {X: 0.19509, Y: 0.038806}, {X: 0.19509, Y: 0.130355}}},                                                                                                               // C3
	{0, 1, true, "C0 S1 S31 F0", []engine.Point{{X: -0.11051, Y: 0.55557}, {X: -0.038806, Y: 0.19509}, {X: 0.038806, Y: 0.19509}, {X: 0.11051, Y: 0.55557}}},                                                         // S0
	{1, 1, false, "C1 S0 S2 S3 F1", []engine.Point{{X: 0.11051, Y: 0.55557}, {X: 0.038806, Y: 0.19509}, {X: 0.130355, Y: 0.19509}, {X: 0.19509, Y: 0.291973}, {X: 0.19509, Y: 0.55557}}},                             // S1
	{1, 2, true, "S1 S4 F2", []engine.Point{{X: 0.37122, Y: 0.55557}, {X: 0.19509, Y: 0.55557}, {X: 0.19509, Y: 0.291973}}},                                                                                          // S2
	{2, 1, true, "C2 S1 S4", []engine.Point{{X: 0.19509, Y: 0.291973}, {X: 0.130355, Y: 0.19509}, {X: 0.19509, Y: 0.19509}}},                                                                                         // S3
	{2, 3, false, "S2 S3 S5 S6 F3 F5", []engine.Point{{X: 0.37122, Y: 0.55557}, {X: 0.19509, Y: 0.291973}, {X: 0.19509, Y: 0.19509}, {X: 0.291973, Y: 0.19509}, {X: 0.55557, Y: 0.37122}, {X: 0.55557, Y: 0.55557}}}, // S4
	{2, 2, true, "C2 S4 S7", []engine.Point{{X: 0.291973, Y: 0.19509}, {X: 0.19509, Y: 0.19509}, {X: 0.19509, Y: 0.130355}}},                                                                                         // S5
	{3, 2, true, "S4 S7 F6", []engine.Point{{X: 0.55557, Y: 0.37122}, {X: 0.291973, Y: 0.19509}, {X: 0.55557, Y: 0.19509}}},                                                                                          // S6
	{3, 1, false, "C3 S5 S6 S8 F7", []engine.Point{{X: 0.19509, Y: 0.038806}, {X: 0.55557, Y: 0.11051}, {X: 0.55557, Y: 0.19509}, {X: 0.291973, Y: 0.19509}, {X: 0.19509, Y: 0.130355}}},                             // S7
	{0, 2, false, "S0 F1 F31 R0", []engine.Point{{X: -0.16539, Y: 0.83147}, {X: -0.11051, Y: 0.55557}, {X: 0.11051, Y: 0.55557}, {X: 0.16539, Y: 0.83147}}},                                                          // F0
	{1, 3, true, "S1 F0 F2 R1", []engine.Point{{X: 0.16539, Y: 0.83147}, {X: 0.11051, Y: 0.55557}, {X: 0.19509, Y: 0.55557}, {X: 0.19509, Y: 0.83147}}},                                                              // F1
	{1, 4, false, "S2 F1 F3 R2", []engine.Point{{X: 0.55557, Y: 0.83147}, {X: 0.19509, Y: 0.83147}, {X: 0.19509, Y: 0.55557}, {X: 0.37122, Y: 0.55557}}},                                                             // F2
	{2, 4, true, "S4 F2 F4", []engine.Point{{X: 0.55557, Y: 0.83147}, {X: 0.37122, Y: 0.55557}, {X: 0.55557, Y: 0.55557}}},                                                                                           // F3
	{2, 6, false, "F3 F5", []engine.Point{{X: 0.55557, Y: 0.83147}, {X: 0.55557, Y: 0.55557}, {X: 0.83147, Y: 0.55557}}},                                                                                             // F4
	{2, 5, true, "S4 F4 F6", []engine.Point{{X: 0.83147, Y: 0.55557}, {X: 0.55557, Y: 0.55557}, {X: 0.55557, Y: 0.37122}}},                                                                                           // F5
	{3, 4, false, "S6 F5 F7 R3", []engine.Point{{X: 0.83147, Y: 0.55557}, {X: 0.55557, Y: 0.37122}, {X: 0.55557, Y: 0.19509}, {X: 0.83147, Y: 0.19509}}},                                                             // F6
	{3, 3, true, "S7 F6 F8 R4", []engine.Point{{X: 0.55557, Y: 0.11051}, {X: 0.83147, Y: 0.16539}, {X: 0.83147, Y: 0.19509}, {X: 0.55557, Y: 0.19509}}},                                                              // F7
	{0, 3, true, "F0 R1 R19", []engine.Point{{X: -0.19509, Y: 0.980785}, {X: -0.16539, Y: 0.83147}, {X: 0.16539, Y: 0.83147}, {X: 0.19509, Y: 0.980785}}},                                                            // R0
	{1, 5, false, "F1 R0 R2", []engine.Point{{X: 0.19509, Y: 0.980785}, {X: 0.16539, Y: 0.83147}, {X: 0.19509, Y: 0.83147}, {X: 0.382683, Y: 0.92388}}},                                                              // R1
	{1, 6, true, "F2 R1", []engine.Point{{X: 0.55557, Y: 0.83147}, {X: 0.382683, Y: 0.92388}, {X: 0.19509, Y: 0.83147}}},                                                                                             // R2
	{3, 6, true, "F6 R4", []engine.Point{{X: 0.83147, Y: 0.55557}, {X: 0.83147, Y: 0.19509}, {X: 0.92388, Y: 0.382683}}},                                                                                             // R3
	{3, 5, false, "F7 R3 R5", []engine.Point{{X: 0.83147, Y: 0.16539}, {X: 0.980785, Y: 0.19509}, {X: 0.92388, Y: 0.382683}, {X: 0.83147, Y: 0.19509}}},                                                              // R4
}

func nameOf(x int) string {
	at, tier := x%quarter, center
	for at >= tierPlace[tier+1] {
		tier++
	}
	size := tierPlace[tier+1] - tierPlace[tier]
	return tierLetters[tier:tier+1] + strconv.Itoa(at-tierPlace[tier]+x/quarter*size)
}

// named is the space of a name, an error for other words.
func named(name string) (int, error) {
	if name != "" {
		tier := strings.IndexByte(tierLetters, name[0])
		n, err := strconv.Atoi(name[1:])
		if tier >= 0 && err == nil && strconv.Itoa(n) == name[1:] {
			if size := tierPlace[tier+1] - tierPlace[tier]; n >= 0 && n < 4*size {
				return quarter*(n/size) + tierPlace[tier] + n%size, nil
			}
		}
	}
	return 0, fmt.Errorf("space %.20q: want C0 to C15, S0 to S31, F0 to F31 or R0 to R19", name)
}

func mustNamed(name string) int {
	x, err := named(name)
	if err != nil {
		panic("BUG: knaw: " + err.Error())
	}
	return x
}

var (
	names = table(nameOf)
	// codes are the numbers of the rules page.
	codes = table(func(x int) int {
		tier := strings.IndexByte(tierLetters, nameOf(x)[0])
		n, _ := strconv.Atoi(nameOf(x)[1:])
		return tierCode[tier] + n
	})
	// mirrored exchanges left and right.
	mirrored = table(func(x int) uint8 {
		name := nameOf(x)
		tier := strings.IndexByte(tierLetters, name[0])
		n, _ := strconv.Atoi(name[1:])
		size := 4 * (tierPlace[tier+1] - tierPlace[tier])
		return uint8(mustNamed(name[:1] + strconv.Itoa((size-n)%size)))
	})
	// beside are the spaces that border one.
	beside = table(func(x int) (b set) {
		for _, name := range strings.Fields(quarterSpaces[x%quarter].beside) {
			b = b.or(single((mustNamed(name) + x/quarter*quarter) % spaces))
		}
		return b
	})
	// tier are the spaces of each tier.
	tier = func() (t [tiers]set) {
		for x := range spaces {
			k := strings.IndexByte(tierLetters, nameOf(x)[0])
			t[k] = t[k].or(single(x))
		}
		for _, name := range []string{"F4", "F12", "F20", "F28"} {
			t[rim] = t[rim].or(single(mustNamed(name)))
		}
		return t
	}()
	// places[x] has bit k set if the space can stand for tier k in a resolution.
	places = table(func(x int) (b uint8) {
		for k := second; k < tiers; k++ {
			if tier[k].has(x) {
				b |= 1 << k
			}
		}
		return b
	})
	all = set{1<<half - 1, 1<<half - 1}
)

// table has a value for every space.
func table[T any](of func(x int) T) (t [spaces]T) {
	for x := range t {
		t[x] = of(x)
	}
	return t
}

// opposite is the space across the hub.
func opposite(x int) int {
	if x < half {
		return x + half
	}
	return x - half
}

// set is a set of spaces: lo has those below half, hi the others.
type set struct{ lo, hi uint64 }

func single(x int) set {
	if x < half {
		return set{lo: 1 << x}
	}
	return set{hi: 1 << (x - half)}
}

func (b set) has(x int) bool {
	if x < half {
		return b.lo>>x&1 != 0
	}
	return b.hi>>(x-half)&1 != 0
}

func (b set) or(c set) set      { return set{b.lo | c.lo, b.hi | c.hi} }
func (b set) and(c set) set     { return set{b.lo & c.lo, b.hi & c.hi} }
func (b set) minus(c set) set   { return set{b.lo &^ c.lo, b.hi &^ c.hi} }
func (b set) empty() bool       { return b.lo|b.hi == 0 }
func (b set) meets(c set) bool  { return b.lo&c.lo|b.hi&c.hi != 0 }
func (b set) within(c set) bool { return b.lo&^c.lo|b.hi&^c.hi == 0 }
func (b set) count() int        { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

// turned is the set that the other side sees in its place.
func (b set) turned() set { return set{b.hi, b.lo} }

// first is the lowest space of a set that is not empty, rest the others.
func (b set) first() int {
	if b.lo != 0 {
		return bits.TrailingZeros64(b.lo)
	}
	return half + bits.TrailingZeros64(b.hi)
}

func (b set) rest() set {
	if b.lo != 0 {
		return set{b.lo & (b.lo - 1), b.hi}
	}
	return set{0, b.hi & (b.hi - 1)}
}
