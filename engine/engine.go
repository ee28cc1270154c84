// Package engine is the contract between a board game and everything that
// plays, searches, records or learns it.
//
// A [Game] is one ruleset, fixed at construction and safe for concurrent use.
// A [State] is a position of that game: a small value behind a pointer that is
// copied into another with CopyFrom and never allocates while it is played,
// searched or encoded. What repetition rules need of the past is not in the
// state but in a [History], a stack that the owner of the game or of the search
// path pushes and pops.
//
// Three things that other engines merge are distinct here. A *player* (First, Second) is who wins and who decides; it need not alternate:
// a turn may have several decisions, an opening may give one player two moves.
// A *side* is a seat on the board, with its colour and its direction; a swap
// changes which player owns it. A decision may also belong to [Chance].
//
// Values are in [-1, 1], +1 a win for the player they are asked for. Actions
// are numbers in one flat space per family of rulesets and are written from the
// acting side's seat, so that a network sees one colour only.
//
// The package holds no clock, file, goroutine, log or random source.
package engine

// Action is an index in [0, Info.NumActions) when a player decides, and an
// outcome code in [0, Info.NumChance) when chance does.
type Action int32

// Player says whose decision a position is, and who wins.
type Player int8

// The players. Nobody acts in a finished game and wins a drawn one.
const (
	First  Player = 0
	Second Player = 1
	Chance Player = 2
	Nobody Player = 3
)

// Other returns the opponent of First or Second.
func (p Player) Other() Player { return p ^ 1 }

func (p Player) String() string {
	return [...]string{"first", "second", "chance", "nobody"}[p&3]
}

// Side is a seat on the board: 0 or 1. Info.Sides names them.
type Side int8

// Outcome is the result of a game. The zero value is a game in progress.
type Outcome struct {
	// Over is set when the game has ended.
	Over bool
	// Winner is First, Second, or Nobody for a draw. Meaningless unless Over.
	Winner Player
	// Reason is a short constant word such as "reforge" or "threefold".
	Reason string
}

// Value is the outcome in p's view: 1 a win, -1 a loss, 0 a draw or a game in
// progress.
func (o Outcome) Value(p Player) float32 {
	switch {
	case !o.Over || o.Winner == Nobody:
		return 0
	case o.Winner == p:
		return 1
	}
	return -1
}

// Weighted is one outcome of a chance decision.
type Weighted struct {
	Code Action
	Prob float64 // > 0; the probabilities of one decision sum to 1
}

// Game is one ruleset of a family of games that share action space, policy
// head and features. It is immutable and safe for concurrent use.
type Game interface {
	// Info describes the family: the same pointer for every ruleset of it.
	Info() *Info
	// Rules is the ruleset in canonical form, "preset,option=value,...", as
	// Family.Parse reads it back.
	Rules() string
	// NewState returns a state at the start position.
	NewState() State
	// NewHistory returns an empty history that fits the game's position keys.
	NewHistory() *History
}

// State is a position. The methods of one state must not run concurrently.
// States of different families must not be mixed.
//
// None of Actor, Side, SideOf, Legal, Chance, Apply, Outcome, Turn, Hash,
// EncodingHash, CopyFrom, Start, Begin, Encode, SymmetryMask, Transform and
// Pack allocates, if the slices handed in have room.
type State interface {
	// Actor says whose decision this is: First, Second, Chance, or Nobody when
	// the game is over.
	Actor() Player
	// Side is the side that the decision is made for. At a chance decision it
	// is the side whose turn it is.
	Side() Side
	// SideOf is the side that player p, First or Second, owns at present.
	SideOf(p Player) Side
	// Legal appends the legal actions in ascending order and returns the
	// longer slice; at least one if Actor is a player, else none. h is the
	// history that Apply would be given; it is only read.
	Legal(dst []Action, h *History) []Action
	// Chance appends the outcomes of a chance decision in ascending order of
	// code; none if Actor is not Chance.
	Chance(dst []Weighted) []Weighted
	// Apply plays a legal action, or a possible outcome at a chance decision.
	// Positions that repetition rules compare are pushed on h, at most one for
	// each turn that begins; a nil h turns repetition off. An action that is not legal is a bug of the caller,
	// caught under the build tag invariants.
	Apply(a Action, h *History)
	// Outcome reports whether and how the game has ended.
	Outcome() Outcome
	// Turn counts the player turns finished since the start of the game. It grows by more
	// than one where turns pass in which nothing can be decided.
	Turn() int

	// Hash is equal for equal positions. What makes two positions equal is the
	// game's own rule for repetition; the past is not part of it. Different
	// positions may share a hash.
	Hash() uint64
	// EncodingHash covers exactly what Encode writes, the ruleset included.
	EncodingHash() uint64
	// CopyFrom makes s equal to src, a state of a Game of the same family: s is
	// then played by the rules of src's Game.
	CopyFrom(src State)
	// Start sets the start position and begins h with it. h may be nil.
	Start(h *History)
	// Begin clears h and enters the present position, if it is one that
	// repetition rules compare.
	Begin(h *History)

	// Encode writes the observation in the acting side's view: planes is
	// [Planes, Height, Width], globals [Globals], both overwritten in full. No
	// plane has a value below 0, so that inference in eight bits needs no sign.
	// Not called at chance decisions or after the end.
	Encode(planes, globals []float32)
	// SymmetryMask has bit i set if Info.Symmetries[i] maps this position to
	// an equivalent one. Bit 0, the identity, is always set.
	SymmetryMask() uint32
	// Transform maps the position by Info.Symmetries[i].
	Transform(i int)

	// Pack appends exactly Info.PackedBytes bytes from which Unpack restores
	// everything but the history: rules, legal actions and encoding agree.
	Pack(dst []byte) []byte
	// Unpack reads what Pack wrote under the same rules. Bytes that no
	// position packs to are refused, and s is unchanged.
	Unpack(src []byte) error

	// AppendPosition appends the position as one line of text.
	AppendPosition(dst []byte) []byte
	// ParsePosition reads such a line. On error, which names the field and the
	// rule, s is unchanged. The caller follows up with Begin.
	ParsePosition(line string) error
	// AppendAction appends the word for an action that is legal here, or for a
	// possible chance outcome.
	AppendAction(dst []byte, a Action) []byte
	// ParseAction reads such a word. The error says why it is no move here.
	ParseAction(word string, h *History) (Action, error)
	// Board draws the position over several lines, with ANSI colours if color.
	Board(color bool) string
}

// Annotator is a State that can write a played action in a notation for people
// besides its unambiguous word.
type Annotator interface {
	// AppendAnnotation appends the notation of action a, played in the
	// receiver and leading to after, a state of the same Game.
	AppendAnnotation(dst []byte, a Action, after State) []byte
}

// Material is a State that can say what each player owns, for searches without
// a network.
type Material interface {
	// Material is the value of the pieces of player p, First or Second, in units of the
	// game's smallest piece. It does not allocate.
	Material(p Player) float32
}

// Info describes a family of rulesets. Callers must not change it.
type Info struct {
	// Name is the word for the game in commands, files and cards.
	Name string
	// Version changes when the same actions could lead to different positions.
	Version int
	// EncoderVersion changes when Encode writes something different.
	EncoderVersion int
	// Sides names the two sides in text.
	Sides [2]string
	// NumActions is the size of the action space, NumChance the number of codes of
	// chance outcomes (0: no chance in this game).
	NumActions, NumChance int
	// MaxLegal bounds the number of legal actions of a position.
	MaxLegal int
	// PackedBytes is the length of a packed position.
	PackedBytes int

	Features   Features
	Policy     PolicyHead
	Symmetries []Symmetry // [0] is the identity
}

// The boards that networks are built for, in cells, and how many planes and globals they
// take as input and policy. Package model has the same limits: a game beyond them could be
// played, but not learned.
const (
	MinSide    = 3
	MaxHeight  = 16
	MaxWidth   = 13
	MaxPlanes  = 512
	MaxGlobals = 4096
)

// MaxActions is how many action codes, and how many chance outcomes, searches and records
// take.
const MaxActions = 1<<16 - 1

// Features is the shape of an observation.
type Features struct {
	Planes, Height, Width int
	// Globals is the number of inputs that are the same over the whole board.
	Globals int
	// MaskPlane is the plane that is 1 on the board and 0 off it, or -1 if
	// every ruleset fills Height × Width.
	MaskPlane int
	// PlaneNames and GlobalNames document the inputs, one name each.
	PlaneNames, GlobalNames []string
	// Constant names planes and globals that are the same in all positions of all
	// rulesets, such as the squares of a river.
	Constant []string
}

// Cells is Height × Width.
func (f *Features) Cells() int { return f.Height * f.Width }

// PolicyHead says where in the network's policy output the logit of an action
// stands: Planes × Height × Width cells, the board's own height and width, then
// Globals more.
type PolicyHead struct {
	Planes, Globals int
	// Cells maps every action to plane·Height·Width + row·Width + column, or to
	// Planes·Height·Width + g, or to -1 for a code that is never legal. Several
	// actions may share a cell; they then share a logit.
	Cells []int32
	// Shared says why legal actions of one position may share a logit; empty if none do.
	Shared string
	// PlaneNames and GlobalNames document what an action of the head's planes
	// does with the cell that it stands on, and the actions of its globals, one
	// name each.
	PlaneNames, GlobalNames []string
}

// Symmetry is a relabelling under which rules and observation are unchanged:
// if t is the image of s, then cell Cells[c] of plane Planes[p] of t's encoding
// equals cell c of plane p of s's, global Globals[g] equals global g, and
// Actions[a] is legal in t exactly if a is legal in s. A nil slice is the
// identity.
type Symmetry struct {
	Name    string
	Cells   []int32 // [Height × Width]
	Planes  []int32 // [Features.Planes]
	Globals []int32 // [Features.Globals]
	Actions []Action
}

// Action maps an action of the original to its image.
func (y *Symmetry) Action(a Action) Action {
	if y.Actions == nil {
		return a
	}
	return y.Actions[a]
}
