package engine

// Pictured is a State that describes its board for a drawing: cells on a plane and the
// pieces on them, without colours, lines or a format, so that a file, a page and a
// program may each draw it in their own way. Its methods may allocate; search,
// self-play and training do not call them.
type Pictured interface {
	// Layout describes the board of the state's ruleset: the same pointer for
	// every state of it. Callers must not change it.
	Layout() *Layout
	// AppendPieces appends all pieces: those on the board by ascending cell,
	// then those beside it.
	AppendPieces(dst []Piece) []Piece
	// AppendMarks appends what action a, or a chance outcome, does on the board
	// when it is played in the receiver and leads to after, a state of the same
	// Game. Every cell whose pieces it changes is in a mark.
	AppendMarks(dst []Mark, a Action, after State) []Mark
}

// NoSide stands for no side: a zone of both sides, a neutral piece, nobody to move.
const NoSide Side = -1

// Point is a place on the plane of a Layout: X grows to the right and Y
// downwards, as in SVG. The unit is about the distance of neighbouring cells.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Layout is a board without pieces. Where the sides sit opposite each other,
// side 0 sits at the bottom.
type Layout struct {
	// Width and Height are the extent: the board lies in [0, Width] × [0, Height].
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Frame is the outline of the board.
	Frame []Point `json:"frame"`
	// Shapes are the forms that cells have.
	Shapes []Shape `json:"shapes"`
	// Zones are the kinds of cells that the rules distinguish; [0] is the plain one.
	Zones []Zone `json:"zones"`
	Cells []Cell `json:"cells"`
	// Labels are texts along the edge, outside of the frame and perhaps of the
	// extent, by half a unit at most.
	Labels []Label `json:"labels"`
	// Kinds are the kinds of pieces.
	Kinds []PieceKind `json:"kinds"`
	// Sides names the sides, as Info does.
	Sides [2]string `json:"sides"`
	// Beside says where the pieces of a side are that stand beside the board, such as
	// "in reserve". If it is empty, State.Board shows them.
	Beside string `json:"beside,omitempty"`
	// Shared names the place of pieces that stand beside the board for both sides, such
	// as "draft area".
	Shared string `json:"shared,omitempty"`
}

// Shape is the outline of a cell around its centre: a circle if Radius is above
// 0, else a polygon.
type Shape struct {
	Radius  float64 `json:"radius,omitempty"`
	Corners []Point `json:"corners,omitempty"`
}

// Cell is a place for pieces.
type Cell struct {
	// Name is the cell's name in moves, such as "e5".
	Name   string `json:"name"`
	Center Point  `json:"center"`
	// Shape and Zone are indices in the Layout.
	Shape int `json:"shape"`
	Zone  int `json:"zone"`
	// Shade tells neighbouring cells of a zone apart, as on a chessboard: 0 or 1.
	Shade int `json:"shade"`
	// Input is where the cell stands in an observation from side 0's seat,
	// row·Width + column, or -1 if the observation has no such cell.
	Input int `json:"input"`
}

// Zone is a kind of cell.
type Zone struct {
	// Name is for people; empty for the plain zone.
	Name string `json:"name,omitempty"`
	// Sign is the character that Board draws on an empty cell of it.
	Sign string `json:"sign,omitempty"`
	// Side owns the zone, or NoSide.
	Side Side `json:"side"`
	// Color is the zone's colour in the words of the game, one of Colors, or "" for none
	// of its own.
	Color string `json:"color,omitempty"`
}

// Label is a text centred on At.
type Label struct {
	Text string `json:"text"`
	At   Point  `json:"at"`
}

// PieceKind is a kind of piece.
type PieceKind struct {
	Name string `json:"name"`
	// Letters are the kind's letters in position lines, by side; the second is empty if no
	// side owns such pieces.
	Letters [2]string `json:"letters"`
	// Colors are the colours of each side's pieces in the words of the game, one of
	// Colors, or "" for none of its own. They need not tell the sides apart.
	Colors [2]string `json:"colors"`
	// Pips is what such a die shows, 1 to MaxPips, in pictures instead of a letter; 0: it
	// is no die.
	Pips int `json:"pips,omitempty"`
}

// MaxPips is the largest number of PieceKind.Pips.
const MaxPips = 6

// Colors lists the colours that pieces can have.
func Colors() []string {
	return []string{"red", "orange", "yellow", "green", "blue", "violet", "brown"}
}

// Piece is what stands on a cell, or beside the board.
type Piece struct {
	// Cell is an index in Layout.Cells, or -1 beside the board.
	Cell int `json:"cell"`
	// Kind is an index in Layout.Kinds.
	Kind int `json:"kind"`
	// Side owns the piece; NoSide: neither, or both where it stands beside the board.
	Side Side `json:"side"`
	// Count is the number of such pieces: 1 on the board.
	Count int `json:"count"`
	// Tags are states and counters of the piece.
	Tags []Tag `json:"tags,omitempty"`
}

// Tag is a state or counter of a piece.
type Tag struct {
	// Short is a few characters to draw beside the piece, as in the position
	// line; empty if it is the usual state and may be left out of a drawing.
	Short string `json:"short,omitempty"`
	// Text says it in words.
	Text string `json:"text"`
}

// MarkKind says what a Mark marks.
type MarkKind string

// The kinds of marks and their cells.
const (
	// MarkMove: a piece went from the first cell to the last.
	MarkMove MarkKind = "move"
	// MarkPlace: a piece was placed on the cell, from Mark.From if that is set.
	MarkPlace MarkKind = "place"
	// MarkRemove: a piece was captured or taken off on the cell.
	MarkRemove MarkKind = "remove"
	// MarkStrike: a piece on the first cell, which stays, struck at the last.
	MarkStrike MarkKind = "strike"
	// MarkTake: a piece beside the board, Mark.From, changed its place there. It has no
	// cells.
	MarkTake MarkKind = "take"
	// MarkLine: the pieces on the cells are a line that decides the game.
	MarkLine MarkKind = "line"
)

// Mark is an effect of an action on the board.
type Mark struct {
	Kind MarkKind `json:"kind"`
	// Side did it, or NoSide if it was chance.
	Side Side `json:"side"`
	// Cells are indices in Layout.Cells.
	Cells []int `json:"cells"`
	// From is the piece beside the board that the action took.
	From *Entry `json:"from,omitempty"`
}

// Picture is a position as a drawing shows it. It can be written as JSON and drawn
// without the rules.
type Picture struct {
	Game     string  `json:"game"`
	Rules    string  `json:"rules"`
	Position string  `json:"position"`
	Layout   *Layout `json:"layout"`
	Pieces   []Piece `json:"pieces"`
	// Overlays are what else holds on cells.
	Overlays []Overlay `json:"overlays,omitempty"`
	// Marks show the last action; empty if unknown.
	Marks []Mark `json:"marks,omitempty"`
	// Turn counts the player turns finished.
	Turn int `json:"turn"`
	// Mover is the side that the decision is made for, NoSide after the end.
	Mover Side `json:"mover"`
	// Actor says who decides: "first", "second", "chance" or "nobody".
	Actor string `json:"actor"`
	// FirstSide is the side that the first player owns.
	FirstSide Side `json:"first_side"`
	// Asked and Status are an Explainer's words; empty if the game has none.
	Asked  string   `json:"asked,omitempty"`
	Status []string `json:"status,omitempty"`
	// End is nil in a game in progress.
	End *PictureEnd `json:"end,omitempty"`
}

// PictureEnd is how a game ended.
type PictureEnd struct {
	// Winner is a side, or NoSide for a draw.
	Winner Side   `json:"winner"`
	Reason string `json:"reason"`
}
