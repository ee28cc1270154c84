package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/match"
)

// FormatVersion is the version of AskedFile and the journal. It changes when a
// reader of the old version could misread the new one.
const FormatVersion = 1

// ErrOther says that a folder was begun for something else.
var ErrOther = errors.New("begun with other settings")

// Asked is all that the games of a series depend on, except the machine and the
// number of workers.
type Asked struct {
	Format int `json:"format"`
	// Kind is what plays them: match, tournament or sprt.
	Kind        string `json:"kind"`
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	// Players are the contestants in their order.
	Players  []Player `json:"players"`
	Pairs    int      `json:"pairs"` // of the whole schedule
	Openings Openings `json:"openings"`
	MaxTurns int      `json:"max_turns"`
	Seed     uint64   `json:"seed"`
	// Seeds is SeedsByHash if the seeds of a player with a network follow from the hash
	// of its weights, and empty if they follow from its name, as those of all others do.
	Seeds string `json:"seeds,omitempty"`
	// Kernel is the arithmetic that networks are evaluated with: kernels round
	// differently. Empty if there is no network.
	Kernel string `json:"kernel,omitempty"`
	// Settings is whatever else was asked for, by name: a clock, the bounds of a
	// test. What is off has no entry.
	Settings map[string]string `json:"settings,omitempty"`
}

// SeedsByHash is a value of Asked.Seeds.
const SeedsByHash = "hash"

// clockSetting and diceSetting name the time control and match.PairDice in
// Asked.Settings. Folders of a game with chance without the latter were begun by a
// program that rolled for each game alone, and cannot be resumed.
const (
	clockSetting = "clock"
	diceSetting  = "dice"
)

// Player is a contestant.
type Player struct {
	// Name is the description.
	Name string `json:"name"`
	// Identity is what the description does not say and the player depends on:
	// for a network a hash of its weights.
	Identity string `json:"identity,omitempty"`
}

// Openings say where pairs begin.
type Openings struct {
	Source   string `json:"source"`
	Distinct int    `json:"distinct"`
	Hash     string `json:"hash"`
}

// Ask describes a series. identities are Player.Identity of the contestants; settings
// is what else the games depend on, to which clock and dice are added.
func Ask(kind string, s *match.Series, identities []string, kernel string, settings map[string]string) *Asked {
	clock, chance := s.Clock.On(), s.Game.Info().NumChance > 0
	if settings = maps.Clone(settings); settings == nil && (clock || chance) {
		settings = map[string]string{}
	}
	if clock {
		settings[clockSetting] = s.Clock.String()
	}
	if chance {
		settings[diceSetting] = match.PairDice
	}
	a := &Asked{
		Format: FormatVersion, Kind: kind,
		Game: s.Game.Info().Name, GameVersion: s.Game.Info().Version, Rules: s.Game.Rules(),
		Pairs:    len(s.Schedule),
		Openings: Openings{s.Openings.Source, len(s.Openings.List), s.Openings.Hash()},
		MaxTurns: s.MaxTurns, Seed: s.Seed, Kernel: kernel, Settings: settings,
	}
	for i, c := range s.Contestants {
		a.Players = append(a.Players, Player{c.Name, identities[i]})
		if c.Identity != "" {
			a.Seeds = SeedsByHash
		}
	}
	return a
}

// ReadAsked reads what the folder dir was begun for; fs.ErrNotExist if it was not.
func ReadAsked(dir string) (*Asked, error) {
	path := filepath.Join(dir, AskedFile)
	b, err := input.Read(path, input.Small)
	if err != nil {
		return nil, err
	}
	var v struct{ Format int } // first: another version has other fields
	a := &Asked{}
	if err = json.Unmarshal(b, &v); err == nil && v.Format != FormatVersion {
		err = fmt.Errorf("format %d: this program reads %d", v.Format, FormatVersion)
	}
	if err == nil {
		err = strictjson.Decode(b, a)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// encode returns the text of AskedFile.
func (a *Asked) encode() []byte {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		panic("BUG: " + err.Error()) // words and numbers only
	}
	return append(b, '\n')
}

// setting is one thing that was asked for, in text.
type setting struct{ key, value string }

// list returns all settings in the order in which they are shown.
func (a *Asked) list() []setting {
	l := []setting{
		{"kind", a.Kind}, {"game", a.Game}, {"game version", strconv.Itoa(a.GameVersion)}, {"rules", a.Rules},
	}
	for i, p := range a.Players {
		l = append(l, setting{fmt.Sprintf("player %d", i+1), p.Name})
		if p.Identity != "" {
			l = append(l, setting{fmt.Sprintf("player %d depends on", i+1), p.Identity})
		}
	}
	l = append(l, setting{"pairs", strconv.Itoa(a.Pairs)},
		setting{"openings", a.Openings.Source},
		setting{"different openings", strconv.Itoa(a.Openings.Distinct)},
		setting{"hash of the openings", a.Openings.Hash},
		setting{"max_turns", strconv.Itoa(a.MaxTurns)},
		setting{"seed", strconv.FormatUint(a.Seed, 10)})
	if a.Seeds != "" {
		l = append(l, setting{"seeds of players follow from", a.Seeds})
	}
	if a.Kernel != "" {
		l = append(l, setting{"kernel", a.Kernel})
	}
	for _, key := range slices.Sorted(maps.Keys(a.Settings)) {
		l = append(l, setting{key, a.Settings[key]})
	}
	return l
}

// sameAs reports, with ErrOther, every way in which a differs from what the folder
// was begun for.
func (a *Asked) sameAs(known *Asked) error {
	was, is := known.list(), a.list()
	text := func(list []setting, key string) string {
		if i := slices.IndexFunc(list, func(s setting) bool { return s.key == key }); i >= 0 {
			return list[i].value
		}
		return "not set"
	}
	var errs []error
	seen := map[string]bool{}
	for _, s := range slices.Concat(was, is) {
		if before, now := text(was, s.key), text(is, s.key); before != now && !seen[s.key] {
			errs = append(errs, fmt.Errorf("%s: %s there, %s now", s.key, before, now))
		}
		seen[s.key] = true
	}
	if errs == nil {
		return nil
	}
	return fmt.Errorf("%w: want a folder of its own, or what it was begun with\n%w", ErrOther, errors.Join(errs...))
}
