package elements

// The kinds of pieces as the rules page numbers them.
const (
	balance = iota
	fire
	freedom
	leadership
	leaf
	mirror
	moon
	power
	rock
	shadow
	lotus
	wind
	wood
	sun
	chaos
	shield
	water
	ice
	infinity
	portal
	kinds
)

var kindNames = [kinds]string{
	"Balance", "Fire", "Freedom", "Leadership", "Leaf", "Mirror", "Moon", "Power", "Rock", "Shadow", "White Lotus", "Wind", "Wood", "Sun",
	"Chaos", "Shield", "Water", "Ice", "Infinity", "Portal",
}

// letters has a letter of its name for each kind, small for side 0, capital for side 1,
// and last that of a copy of Mirror.
const letters = "bfdeamopkhlnwucstiyrx"

// A piece on a square: 0 is none, else 1 + kind, with a bit for side 1 and one for a
// copy of Mirror.
type piece uint8

const (
	kindBits = 0x1f
	sideBit  = 0x20
	copyBit  = 0x40
)

func pieceOf(kind int, side uint8) piece { return piece(1+kind) | piece(side)*sideBit }

func (p piece) kind() int   { return int(p&kindBits) - 1 }
func (p piece) side() uint8 { return uint8(p / sideBit & 1) }
func (p piece) copy() bool  { return p&copyBit != 0 }

// letter returns a piece's letter in position lines: small for side 0, a capital for side 1.
func (p piece) letter() byte {
	k := p.kind()
	if p.copy() {
		k = kinds
	}
	return letters[k] - 'a' + "aA"[p.side()]
}
