package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/engine"
)

// FormatVersion is the version of schema, metadata and rules of this package.
// It changes when a reader of the old version could misread the new one.
const FormatVersion = 3

// formatWithoutDraws had no column root_draw and is read all the same.
const formatWithoutDraws = 2

// What callers tell apart when a shard is refused.
var (
	// ErrCorrupt: truncated, altered, or breaking a rule of the format.
	ErrCorrupt = errors.New("damaged shard")
	// ErrVersion: a version of format, game or encoder that this program does
	// not read.
	ErrVersion = errors.New("unknown version")
	// ErrForeign: of another game or run.
	ErrForeign = errors.New("foreign shard")
)

// Head is what the writer of a shard knows beside its rows.
type Head struct {
	// Run is the name of the run.
	Run string
	// Generation is the number of the newest network that played in it.
	Generation int32
	// Number counts the shards of a run, from 0.
	Number int64
	// ConfigHash identifies the resolved configuration; HashText makes one.
	ConfigHash string
	// Kernel names the arithmetic that the networks' evaluations were made
	// with: other kernels round otherwise, and the same games may differ.
	Kernel string
}

// Meta is the key-value metadata of a shard. The keys in the file are
// "ludozero." and the names given in the comments.
type Meta struct {
	// Format ("format") is FormatVersion, or an earlier one that is read, too.
	Format int
	// Game ("game"), GameVersion ("game_version"), EncoderVersion
	// ("encoder_version"), NumActions ("num_actions") and PackedBytes
	// ("packed_bytes") are copied from engine.Info.
	Game                                                 string
	GameVersion, EncoderVersion, NumActions, PackedBytes int
	// Head holds "run", "generation", "number", "config_hash" and
	// "kernel".
	Head
	// RulesHash ("rules_hash") is HashText of the different rules words of the
	// rows, sorted.
	RulesHash string
	// Rows ("rows") counts the rows.
	Rows int
	// FirstGame and LastGame ("first_game", "last_game") are the game numbers
	// of the first and the last row.
	FirstGame, LastGame int64
}

// keyPrefix marks our keys among others that a tool may have added.
const keyPrefix = "ludozero."

// pair is one key and its value in text, both ways.
type pair struct {
	key    string
	format func() string
	parse  func(string) error
}

// pairs binds the keys to the fields of m, in the order of the file.
func (m *Meta) pairs() []pair {
	text := func(key string, p *string) pair {
		return pair{key, func() string { return *p }, func(s string) error { *p = s; return nil }}
	}
	return []pair{
		text("config_hash", &m.ConfigHash),
		number("encoder_version", &m.EncoderVersion),
		number("first_game", &m.FirstGame),
		number("format", &m.Format),
		text("game", &m.Game),
		number("game_version", &m.GameVersion),
		number("generation", &m.Generation),
		text("kernel", &m.Kernel),
		number("last_game", &m.LastGame),
		number("num_actions", &m.NumActions),
		number("number", &m.Number),
		number("packed_bytes", &m.PackedBytes),
		number("rows", &m.Rows),
		text("rules_hash", &m.RulesHash),
		text("run", &m.Run),
	}
}

func number[T int | int32 | int64](key string, p *T) pair {
	return pair{key,
		func() string { return strconv.FormatInt(int64(*p), 10) },
		func(s string) error {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil || int64(T(n)) != n || n < 0 {
				return fmt.Errorf("%q is no number here", s)
			}
			*p = T(n)
			return nil
		}}
}

// parseMeta reads the metadata that lookup knows.
func parseMeta(lookup func(key string) (string, bool)) (Meta, error) {
	var m Meta
	if kind, other := lookup(keyPrefix + "kind"); other { // shards have none
		return m, fmt.Errorf("%w: it is a table of %s, no recorded games", ErrForeign, kind)
	}
	switch v, _ := lookup(keyPrefix + "format"); v {
	case strconv.Itoa(FormatVersion), strconv.Itoa(formatWithoutDraws):
	case "1":
		return m, fmt.Errorf("%w: format 1 of an earlier program, without surprise, beginning and resignation; this program reads %d and %d",
			ErrVersion, formatWithoutDraws, FormatVersion)
	default:
		return m, fmt.Errorf("%w: format %q, this program reads %d and %d", ErrVersion, v, formatWithoutDraws, FormatVersion)
	}
	for _, p := range m.pairs() {
		v, ok := lookup(keyPrefix + p.key)
		if !ok {
			return m, fmt.Errorf("%w: metadata has no %s", ErrCorrupt, p.key)
		}
		if err := p.parse(v); err != nil {
			return m, fmt.Errorf("%w: metadata %s: %w", ErrCorrupt, p.key, err)
		}
	}
	return m, nil
}

// hasDraws reports whether the shard has a column root_draw.
func (m *Meta) hasDraws() bool { return m.Format != formatWithoutDraws }

// fits reports whether rows of this shard mean what info says.
func (m *Meta) fits(info *engine.Info) error {
	switch {
	case m.Game != info.Name:
		return fmt.Errorf("%w: of game %s, want %s", ErrForeign, m.Game, info.Name)
	case m.GameVersion != info.Version:
		return fmt.Errorf("%w: %s rules version %d, this program has %d", ErrVersion, m.Game, m.GameVersion, info.Version)
	case m.EncoderVersion != info.EncoderVersion:
		return fmt.Errorf("%w: %s encoder version %d, this program has %d", ErrVersion, m.Game, m.EncoderVersion, info.EncoderVersion)
	case m.NumActions != info.NumActions || m.PackedBytes != info.PackedBytes:
		return fmt.Errorf("%w: %s with %d actions and %d-byte positions, want %d and %d",
			ErrVersion, m.Game, m.NumActions, m.PackedBytes, info.NumActions, info.PackedBytes)
	}
	return nil
}

// FileName is the name of shard number of a run, played by networks up to a
// generation. Names sort by generation, then number.
func FileName(generation int32, number int64) string {
	return fmt.Sprintf("gen%06d-%09d.parquet", generation, number)
}

var fileName = regexp.MustCompile(`^gen([0-9]{6,})-([0-9]{9,})\.parquet$`)

// ParseFileName reads a name that FileName makes; others are not ours.
func ParseFileName(name string) (generation int32, number int64, ok bool) {
	parts := fileName.FindStringSubmatch(name)
	if parts == nil {
		return 0, 0, false
	}
	g, err := strconv.ParseInt(parts[1], 10, 32)
	n, err2 := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || err2 != nil || FileName(int32(g), n) != name {
		return 0, 0, false
	}
	return int32(g), n, true
}

// HashText is a short hash for metadata: the first 16 hex digits of SHA-256 of
// the parts, each closed by a zero byte.
func HashText(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func rulesHash(rules map[string]bool) string {
	words := make([]string, 0, len(rules))
	for r := range rules {
		words = append(words, r)
	}
	slices.Sort(words)
	return HashText(words...)
}
