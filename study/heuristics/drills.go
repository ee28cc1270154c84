package heuristics

import (
	_ "embed"

	"go.yaml.in/yaml/v3"
)

// Drill is an exercise of the book.
type Drill struct {
	ID string `yaml:"id" json:"id"`
	// Says is what the book says of it, in our words.
	Says      string          `yaml:"says" json:"says"`
	Positions []DrillPosition `yaml:"positions" json:"positions"`
}

// DrillPosition is a position of ours that is what a drill says. Facts that are not said
// are nil.
type DrillPosition struct {
	Line   string `yaml:"line" json:"line"`
	R      *int   `yaml:"r" json:"r,omitempty"`
	S      *int   `yaml:"s" json:"s,omitempty"`
	XS     *int   `yaml:"xs" json:"xs,omitempty"`
	Greens []int  `yaml:"greens" json:"greens,omitempty"`
}

// BookMove is a move of the annotated game of the book. Play is empty if the book does
// not say what is moved; the opening double move has two parts.
type BookMove struct {
	ID   string     `yaml:"id"`
	Side string     `yaml:"side"`
	Play []BookPart `yaml:"play"`
}

// BookPart is what the book says of one piece's move; what is empty is not said.
type BookPart struct {
	Piece, Way, Into, Special, Takes string
	Seed, Plants                     bool
}

//go:embed book/drills.yaml
var drillsFile []byte

//go:embed book/game.yaml
var gameFile []byte

// Drills are those of the book.
func Drills() []Drill { return embedded[Drill](drillsFile) }

// BookGame is the annotated game of the book.
func BookGame() []BookMove { return embedded[BookMove](gameFile) }

func embedded[T any](data []byte) []T {
	var list []T
	if err := yaml.Unmarshal(data, &list); err != nil {
		panic("BUG: " + err.Error())
	}
	return list
}
