package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
)

// LiveFile is where a trainer that other machines play for says every LiveEvery who plays.
// Its process removes it at its end, and the next process one that a kill has left.
const LiveFile = "live.json"

const (
	// LiveEvery is how often a live file is replaced.
	LiveEvery = 5 * time.Second
	// liveFor is how long a Live holds: the trainer may write late on a busy machine.
	liveFor = 4 * LiveEvery
)

// Live is what happens in a run that several machines play, at one moment.
type Live struct {
	Time time.Time `json:"time"`
	// Of the GamesWant games of Generation, Games have been taken in their order.
	Generation int `json:"generation"`
	Games      int `json:"games"`
	GamesWant  int `json:"games_want"`
	// Playing is false while the trainer wants no games: it learns or measures.
	Playing bool         `json:"playing"`
	Cluster ClusterEvent `json:"cluster"`
}

// WriteLive replaces the live file of the run in folder dir.
func WriteLive(dir string, l *Live) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(dir, LiveFile), append(b, '\n'))
}

// ForgetLive removes the live file of the run in folder dir, if there is one.
func ForgetLive(dir string) error {
	if err := os.Remove(filepath.Join(dir, LiveFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ReadLive reads the live file of the run in folder dir, nil if there is none.
func ReadLive(dir string) (*Live, error) {
	b, err := input.Read(filepath.Join(dir, LiveFile), input.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ParseLive(b)
}

// ParseLive reads the text of a live file.
func ParseLive(text []byte) (*Live, error) {
	l := &Live{}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("%s: %w", LiveFile, err)
	}
	return l, nil
}

// Holds reports whether l still tells what happens. A clock that was put back makes it as
// old as one that was put forward.
func (l *Live) Holds(now time.Time, working bool) bool {
	return working && now.Sub(l.Time).Abs() <= liveFor
}

// Text says in words who plays, and what for; working tells whether a process works on the
// run.
func (l *Live) Text(now time.Time, working bool) string {
	text := l.Cluster.Text()
	switch {
	case l.Playing:
		text = fmt.Sprintf("%d of %s of generation %d; %s", l.Games, wording.Count(l.GamesWant, "game"), l.Generation, text)
	default:
		text += "; no games are wanted while the trainer learns or measures"
	}
	switch age := wording.Clock(max(0, now.Sub(l.Time))); {
	case !working:
		return fmt.Sprintf("The trainer was killed: its last word is %s old. Workers keep what they have played, and wait for it. Before: %s", age, text)
	case !l.Holds(now, working):
		return fmt.Sprintf("The trainer has said nothing for %s, though its process is there. Before: %s", age, text)
	}
	return text
}
