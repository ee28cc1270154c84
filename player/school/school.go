package school

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/input"
)

// School is a doctrine as a file says it. It is not changed once it has been read.
type School struct {
	// ID is the name of the file without .yaml, Name is for people, About a
	// sentence.
	ID, Name, About string
	// Terms are in the order of Features, each at most once and never with weight 0.
	Terms []Term
	// Rules come from never, favour and placement.
	Rules   []Rule
	Opening Opening
	// Text is the file.
	Text string
}

// Term is a feature that positions are judged by.
type Term struct {
	Feature string
	Weight  int // of one, in hundredths of a Red
}

// Rule is how a school judges an event.
type Rule struct {
	Event string
	// If are conditions on the position after the action, of which all must hold.
	If []Condition
	// Never forbids the actions; else By is added to their value, in hundredths of a
	// Red.
	Never bool
	By    int
}

// Condition bounds a feature or an extra: Min <= value <= Max.
type Condition struct {
	Of       string
	Min, Max int
}

// Opening is lines of own moves from the set-up, which a school follows as long as its
// pieces stand as the line has put them.
type Opening struct {
	By    int // added to the value of the next move of a line
	Lines [][]string
}

//go:embed schools heuristics
var files embed.FS

// None is the ID of the school without a doctrine.
const None = "none"

// shipped are the schools of the book in its order, and the control before them.
var shipped = read("schools",
	None, "cross-puncture", "cross-lock", "cross-bait", "patient-seed", "safe-majority", "cross-raid", "forced-cross",
	"edge-seed", "cross-show", "cross-denial", "race-seed", "delayed-bait", "cap-control", "exit-denial",
)

// heuristics are the control with one rule of thumb of the book each.
var heuristics = read("heuristics",
	"only-seed-safety", "only-seed-screened", "only-seed-green", "only-cap-lead", "only-cross-exit", "only-cross-two-exits", "only-ring",
	"only-last-special", "only-free-blue", "only-deny-banner", "only-home", "only-no-apex",
)

// read reads files that are part of this program.
func read(folder string, ids ...string) []*School {
	var list []*School
	for _, id := range ids {
		data, err := files.ReadFile(folder + "/" + id + ".yaml")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		s, err := Parse(id+".yaml", data)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		list = append(list, s)
	}
	return list
}

// Shipped lists the control and the schools of the book, in its order.
func Shipped() []*School { return slices.Clone(shipped) }

// Find returns the school that word means: a path if it has a slash in it or ends in
// .yaml or .yml, else a shipped school by its ID or by its name in lower case, with -
// for a space.
func Find(word string) (*School, error) {
	if strings.ContainsRune(word, '/') || strings.ContainsRune(word, filepath.Separator) || isYAML(word) {
		data, err := input.Read(word, input.Small)
		if err != nil {
			return nil, err
		}
		return Parse(word, data)
	}
	for _, s := range heuristics {
		if word == s.ID {
			return s, nil
		}
	}
	var known []string
	for _, s := range shipped {
		if word == s.ID || word == s.word() {
			return s, nil
		}
		if known = append(known, s.ID); s.word() != s.ID {
			known[len(known)-1] = s.word() + " (" + s.ID + ")"
		}
	}
	return nil, fmt.Errorf("no school %q: want a path that ends in .yaml, or one of %s", word, strings.Join(known, ", "))
}

func isYAML(word string) bool {
	ext := path.Ext(word)
	return ext == ".yaml" || ext == ".yml"
}

// word is the name as people type it.
func (s *School) word() string { return strings.ReplaceAll(strings.ToLower(s.Name), " ", "-") }

// Shipped tells whether s is part of this program.
func (s *School) Shipped() bool { return slices.Contains(shipped, s) || slices.Contains(heuristics, s) }

// Digest tells schools apart by all that their files say: 16 hexadecimal digits of
// the SHA-256.
func (s *School) Digest() string {
	sum := sha256.Sum256([]byte(s.Text))
	return hex.EncodeToString(sum[:8])
}
