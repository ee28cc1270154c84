package census

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Fault is one thing that is wrong with recorded games.
type Fault struct {
	Shard string `json:"shard"`
	// Run is the folder of the run if the fault is of no single shard, which is empty
	// then.
	Run string `json:"run,omitempty"`
	// Game and Ply say where in the shard; nil if the fault is the shard's own.
	Game *int64 `json:"game,omitempty"`
	Ply  *int32 `json:"ply,omitempty"`
	Text string `json:"error"`
}

// String says where the fault is and what is wrong.
func (f *Fault) String() string {
	if f.Run != "" {
		return fmt.Sprintf("run %s: %s", f.Run, f.Text)
	}
	if f.Game == nil {
		return fmt.Sprintf("shard %s: %s", f.Shard, f.Text)
	}
	return fmt.Sprintf("shard %s: game %d: ply %d: %s", f.Shard, *f.Game, *f.Ply, f.Text)
}

// Checker goes through shards and collects their faults.
type Checker struct {
	Shards int     `json:"shards"`
	Games  int     `json:"games"`
	Rows   int     `json:"rows"`
	Faults []Fault `json:"faults"`

	library *Library
	show    func(*Fault) // called with each fault when it is found
	numbers numbering
	held    map[string][]record.Meta // of the shards that can be read, by whole folder
}

// NewChecker returns a checker of that many shards, which calls show with every fault.
func NewChecker(games engine.Families, shards int, show func(*Fault)) *Checker {
	return &Checker{Shards: shards, Faults: []Fault{}, library: NewLibrary(games), show: show, held: map[string][]record.Meta{}}
}

// fault notes a fault of a shard, or of one of its rows.
func (k *Checker) fault(path string, r *record.Row, err error) {
	f := Fault{Shard: path, Text: strings.TrimPrefix(err.Error(), "shard "+path+": ")}
	if r != nil {
		game, ply := r.GameNumber, r.Ply
		f.Game, f.Ply = &game, &ply
	}
	k.add(&f)
}

func (k *Checker) add(f *Fault) {
	k.Faults = append(k.Faults, *f)
	k.show(f)
}

// Run notes the faults that whole finds in the shards of the run in folder dir: those
// that were checked and can be read.
func (k *Checker) Run(dir string, whole func([]record.Meta) []error) {
	for _, err := range whole(k.held[realFolder(filepath.Join(dir, "shards"))]) {
		k.add(&Fault{Run: dir, Text: err.Error()})
	}
}

// Shard checks one shard on its own and notes what it holds.
func (k *Checker) Shard(file File) {
	defer func() {
		if p := recover(); p != nil { // whatever the file holds, the others are checked
			k.fault(file.Path, nil, fmt.Errorf("panic: %v", p))
		}
	}()
	k.numbers.file(file)
	s, _, err := k.library.Open(file.Path)
	var rows []record.Row
	if err == nil {
		rows, err = s.Decode()
	}
	if err != nil {
		k.fault(file.Path, nil, err)
		return
	}
	k.rows(file, s, rows)
}

// realFolder is the same for all names of a folder: each shard is read once, under one.
func realFolder(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}

func (k *Checker) rows(file File, s *record.Shard, rows []record.Row) {
	folder := realFolder(filepath.Dir(file.Path))
	k.held[folder] = append(k.held[folder], s.Meta)
	k.numbers.shard(file, s, rows)
	k.Rows += len(rows)
	problems := s.Problems(rows)
	for start, game := range record.Games(rows) {
		k.Games++
		end := start + len(game)
		for len(problems) > 0 && problems[0].Row >= 0 && problems[0].Row < end {
			k.fault(file.Path, &rows[problems[0].Row], problems[0].Err)
			problems = problems[1:]
		}
		k.game(file.Path, game)
	}
	for _, p := range problems { // of no row
		k.fault(file.Path, nil, p.Err)
	}
}

// game holds a game to its rules.
func (k *Checker) game(path string, rows []record.Row) {
	book, err := k.library.rules(&rows[0])
	if err != nil {
		k.fault(path, &rows[0], err)
		return
	}
	for _, p := range book.Replayer.Play(rows, nil) {
		k.fault(path, &rows[p.Row], p.Err)
	}
}

// Compare holds the shards to each other.
func (k *Checker) Compare() {
	for _, f := range k.numbers.faults() {
		k.fault(f.path, nil, f.err)
	}
}
