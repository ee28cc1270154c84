package ratings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
)

// File holds the matches of a run, one per line, in the order they were played.
// OldFile is its predecessor in earlier programs.
const (
	File    = "ratings.jsonl"
	OldFile = "rating.json"
)

// oldVersion is the version of OldFile.
const oldVersion = 1

// line is a match as File holds it.
type line struct {
	Match
	// Digest is the SHA-256 of the line without it. Lines of earlier programs have none.
	Digest string `json:"digest,omitempty"`
}

// seal returns the line as it is written, without its newline, with a digest if it has
// one or is new.
func (l *line) seal(isNew bool) ([]byte, error) {
	sealed := line{Match: l.Match}
	b, err := json.Marshal(&sealed)
	if isNew && err == nil {
		// JSON replaces bytes that are no UTF-8; what is read must be written the same.
		sealed = line{}
		if err = json.Unmarshal(b, &sealed); err == nil {
			b, err = json.Marshal(&sealed)
		}
	}
	if err != nil || l.Digest == "" && !isNew {
		return b, err
	}
	sum := sha256.Sum256(b)
	sealed.Digest = hex.EncodeToString(sum[:])
	return json.Marshal(&sealed)
}

// Read reads the matches of the run in folder dir, from OldFile first; none if there
// are no files. A line must be as this program writes it, its sums must follow from its
// games, and it must have the digest that it names. Where there is none, and in OldFile,
// games of rules of this version are replayed, unless a pack has left out their moves. Read ignores an
// unfinished last line, which a killed process left. Other errors name file and line.
func Read(games engine.Families, dir string) ([]Match, error) {
	old, err := readOld(games, filepath.Join(dir, OldFile))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, File)
	b, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return old, nil
	}
	if err != nil {
		return nil, err
	}
	list := old
	for text := range bytes.Lines(b[:bytes.LastIndexByte(b, '\n')+1]) {
		m, err := parse(games, bytes.TrimSuffix(text, []byte("\n")))
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, len(list)-len(old)+1, err)
		}
		list = append(list, *m)
	}
	return list, nil
}

// parse reads a line without its newline.
func parse(games engine.Families, text []byte) (*Match, error) {
	var l line
	if err := strictjson.DecodeVersion(text, version, &l); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	want, err := l.seal(false)
	if err != nil {
		return nil, err
	}
	if at := differAt(text, want); at >= 0 {
		if digits := len(want) - len(`"}`) - 2*sha256.Size; l.Digest != "" && at >= digits {
			return nil, fmt.Errorf("digest %.16q: its other fields make %.16q", l.Digest, want[digits:])
		}
		return nil, fmt.Errorf("byte %d: %.40q, want %.40q: a key is missing, misspelt, repeated or out of order", at+1, text[at:], want[at:])
	}
	if l.Digest == "" && !l.Result.Short() {
		return &l.Match, replay(games, l.Result)
	}
	return &l.Match, nil
}

// differAt is where a and b begin to differ, -1 if they are equal.
func differAt(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}

// replay checks games by the rules, unless those have changed since.
func replay(games engine.Families, r *match.Result) error {
	g, err := games.Open(r.Game, r.Rules)
	if err != nil || g.Info().Version != r.GameVersion {
		return err
	}
	return archive.Verify(r, g)
}

// readOld reads the matches of earlier programs; none if there is no such file.
func readOld(games engine.Families, path string) ([]Match, error) {
	b, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct {
		Version int
		Matches []*match.Result
	}
	if err := strictjson.DecodeVersion(b, oldVersion, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var list []Match
	for i, r := range file.Matches {
		var m Match
		err := errors.New("there is none")
		if r != nil {
			if m, err = oldMatch(r); err == nil {
				err = m.check()
			}
			if err == nil {
				err = replay(games, r)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: match %d: %w", path, i+1, err)
		}
		list = append(list, m)
	}
	return list, nil
}

// Append adds a match to the file of the run in folder dir, and returns once it is on
// disk; m.Version need not be set. It removes an unfinished line, which a killed
// process left. Only the process that holds the run's lock may append.
func Append(dir string, m *Match) error {
	l := line{Match: *m}
	l.Version = version
	if err := l.check(); err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	text, err := l.seal(true)
	if err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	path := filepath.Join(dir, File)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	if err := errors.Join(appendLine(f, path, append(text, '\n')), f.Close()); err != nil {
		return fmt.Errorf("rating: %s: %w", path, err)
	}
	return nil
}

func appendLine(f *os.File, path string, line []byte) error {
	old, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := int64(bytes.LastIndexByte(old, '\n') + 1) // of the last whole line
	if err := f.Truncate(end); err != nil {
		return err
	}
	fault.PointAt("before-append", path)
	if fault.Armed("mid-append", path) {
		if _, err := f.WriteAt(line[:len(line)/2], end); err != nil {
			return err
		}
		fault.PointAt("mid-append", path)
	}
	if _, err := f.WriteAt(line, end); err != nil {
		return errors.Join(err, f.Truncate(end)) // the disk may be full: leave no part of a line
	}
	if err := f.Sync(); err != nil {
		return err
	}
	fault.PointAt("after-append", path)
	return nil
}

// Forget removes the matches of networks after a generation from the run in folder dir.
func Forget(games engine.Families, dir string, generation int) error {
	list, err := Read(games, dir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, File)
	b, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var kept []byte
	lines := bytes.SplitAfter(b[:bytes.LastIndexByte(b, '\n')+1], []byte("\n"))
	lines = lines[:len(lines)-1] // after the last newline
	for i, m := range list[len(list)-len(lines):] {
		if m.Generation <= generation {
			kept = append(kept, lines[i]...)
		}
	}
	return atomicfile.WriteBytes(path, kept)
}
