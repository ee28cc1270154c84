package player

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
)

// Kind is one kind of player: what may be written about it and how it is made.
type Kind struct {
	// Doc is one sentence for people.
	Doc string
	// Argument names the word that must come first after the colon, such as
	// PATH; empty if the kind takes none. The argument must not hold a comma.
	Argument string
	// Quotes says that the argument may stand in quotes, single or double, and then
	// hold commas, too.
	Quotes bool
	// Name, if not nil, returns the one word for an argument that may be written in
	// several ways.
	Name    func(argument string) (string, error)
	Options []Option
	// OneOf names options of which exactly one must be given.
	OneOf []string
	// Make is given checked values. It does the work that players can share,
	// such as reading a network, once.
	Make func(v Values) (Factory, error)
	// ByNetwork says that players compute with a network, and so play by what the
	// arithmetic of the machine makes of it.
	ByNetwork bool
	// Usual is the option of OneOf, "sims=400", that a description means which gives
	// none; empty: one must be given.
	Usual string
	// ChoiceOnly says that players tell nothing but their move.
	ChoiceOnly bool
	// Identify, if not nil, returns what players depend on and their description
	// does not say, such as what the file of that name holds.
	Identify func(v Values) (string, error)
	// ByHash, if not nil, adds to an argument the hash of what it names now, if that can
	// be read, and Hash returns the hash that an argument has, "" if it has none.
	ByHash, Hash func(argument string) string
	// Carry, if not nil, says how another machine gets what an argument names: by word,
	// which means the same there, or else as the contents of a file. An error says that it
	// cannot. Nil: the argument itself means the same everywhere.
	Carry func(argument string) (word string, file []byte, err error)
	// FileOption, if not empty, is an option that names a file unless it has its default,
	// which another machine gets. A kind has this or Carry.
	FileOption string
}

// Values are what one description sets, defaults included. Options of OneOf that
// were not given, and those that need them, have no value.
type Values struct {
	Argument string
	engine.Settings
}

// Spec is a parsed description.
type Spec struct {
	// Text is the canonical description: every option but quiet ones at their
	// defaults, in the kind's order.
	Text string
	// ByClock says that its players think by the clock of the game, so that there
	// must be one.
	ByClock bool
	// ByTime says that time limits its players, by the clock or not: what they play is
	// not reproducible.
	ByTime bool
	// Threads is how many threads a search has, at least 1.
	Threads int
	// ByNetwork and ChoiceOnly are as in Kind.
	ByNetwork, ChoiceOnly bool

	factory  Factory
	identify func() (string, error)
	byHash   func() string
	seeds    string // match.Contestant.Identity
	kind     *Kind
	values   Values
	with     func(changes [][2]string) (*Spec, error)
	portable func() (*match.Portable, error)
}

// Option returns the option of that name and its value; ok is false if the kind has none,
// or if it means nothing beside the others of this description.
func (s *Spec) Option(name string) (o Option, value string, ok bool) {
	i := slices.IndexFunc(s.kind.Options, func(o Option) bool { return o.Name == name })
	value, ok = s.values.Values[name]
	if i < 0 || !ok {
		return Option{}, "", false
	}
	return s.kind.Options[i], value, true
}

// Options are the options that the kind of player takes.
func (s *Spec) Options() []Option { return s.kind.Options }

// With is the description with changes, pairs of an option and its value. An option that
// limits the search takes the place of the one that did, and of what belonged to that.
func (s *Spec) With(changes ...[2]string) (*Spec, error) { return s.with(changes) }

// New makes a player of this description.
func (s *Spec) New(g engine.Game) (match.Player, error) {
	p, err := s.factory(g)
	if err != nil {
		return nil, fmt.Errorf("player %s: %w", s.Text, err)
	}
	return p, nil
}

// Identity is what the player depends on besides its description: other than
// before, if it is another player now. Empty if the description says all.
func (s *Spec) Identity() (string, error) {
	if s.identify == nil {
		return "", nil
	}
	id, err := s.identify()
	if err != nil {
		return "", fmt.Errorf("player %s: %w", s.Text, err)
	}
	return id, nil
}

// ByHash is Text with the network named by its hash: players of that description are
// the same wherever the network is, and refuse any other network there. If it cannot be
// read, it is Text: New says what is wrong.
func (s *Spec) ByHash() string { return s.byHash() }

// Contestant enters players of this description in a match of g.
func (s *Spec) Contestant(g engine.Game) match.Contestant {
	return match.Contestant{Name: s.Text, Identity: s.seeds, ByClock: s.ByClock, New: func() (match.Player, error) { return s.New(g) }, Portable: s.portable}
}

// Builtin returns the kinds that play every game and need nothing from outside this
// package.
func Builtin() map[string]Kind {
	plain := func(newPlayer func(engine.Game) match.Player) func(Values) (Factory, error) {
		return func(Values) (Factory, error) {
			return func(g engine.Game) (match.Player, error) { return newPlayer(g), nil }, nil
		}
	}
	return map[string]Kind{
		"random": {
			Doc:  "plays any legal move with equal probability",
			Make: plain(newRandom),
		},
		"exact": {
			Doc: "solves the game from where it stands; for games of at most " + strconv.Itoa(maxSolved) + " positions",
			Make: plain(func(g engine.Game) match.Player {
				return NewExact(g)
			}),
		},
		"minimax": {
			Doc: "alpha-beta search over whole turns, counting material",
			Options: []Option{
				{Name: "depth", Doc: "player turns looked ahead", Min: 1, Max: 64},
			},
			Make: func(v Values) (Factory, error) {
				return func(g engine.Game) (match.Player, error) { return newMinimax(g, v.Int("depth")), nil }, nil
			},
		},
		"alphabeta": alphaBetaKind(),
		"mcts": {
			Doc:   "tree search (UCT) that plays random games to judge a position",
			OneOf: bounds(),
			Options: append(boundOptions(uctEdges),
				Option{Name: "cap", Doc: "player turns after which a random game counts as drawn", Default: "600", Min: 1, Max: 1_000_000},
			),
			Make: func(v Values) (Factory, error) {
				return func(g engine.Game) (match.Player, error) {
					if p, ok := v.pace(); ok {
						return newTimedUCT(g, p, v.Int("edges"), v.Int("cap")), nil
					}
					return newUCT(g, v.Int("sims"), v.Int("cap")), nil
				}, nil
			},
		},
	}
}

// Parse reads a description. Kinds come from Builtin and extra; extra
// may be nil and must not repeat a name.
func Parse(text string, extra map[string]Kind) (*Spec, error) {
	kinds := Builtin()
	for name, k := range extra {
		if _, ok := kinds[name]; ok {
			panic("BUG: player kind " + name + " is defined twice")
		}
		kinds[name] = k
	}
	name, rest, colon := strings.Cut(text, ":")
	k, ok := kinds[name]
	if !ok {
		names := slices.Sorted(maps.Keys(kinds))
		return nil, fmt.Errorf("player %q: no kind %q%s: want one of %s", text, name, problems.Nearest(name, names), strings.Join(names, ", "))
	}
	words, err := k.words(rest, colon)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", text, err)
	}
	v, err := k.values(name, words)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", text, err)
	}
	if k.Name != nil {
		if v.Argument, err = k.Name(v.Argument); err != nil {
			return nil, fmt.Errorf("player %q: %w", text, err)
		}
	}
	f, err := k.Make(v)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", text, err)
	}
	spec := &Spec{Text: k.canonical(name, v), ByClock: v.ByClock(), ByTime: v.Values["time"] != "", ByNetwork: k.ByNetwork, ChoiceOnly: k.ChoiceOnly, Threads: 1, factory: f}
	if threads, ok := v.Values["threads"]; ok {
		spec.Threads, _ = strconv.Atoi(threads)
	}
	spec.kind, spec.values = &k, v
	spec.with = func(changes [][2]string) (*Spec, error) { return Parse(k.changed(name, v, changes), extra) }
	if k.Identify != nil {
		spec.identify = func() (string, error) { return k.Identify(v) }
	}
	// as is the description with another argument.
	as := func(argument string) string { return k.canonical(name, Values{argument, v.Settings}) }
	spec.portable = func() (*match.Portable, error) {
		p := &match.Portable{Text: spec.Text, ByTime: spec.ByTime, Threads: spec.Threads}
		if i := slices.IndexFunc(k.Options, func(o Option) bool { return o.Name == k.FileOption }); i >= 0 && v.Values[k.FileOption] != k.Options[i].Default {
			file := v.Values[k.FileOption]
			p.Text = k.changed(name, v, [][2]string{{k.FileOption, match.FilePlace}})
			p.File, err = input.Read(file, input.Small)
			return p, err
		}
		if k.Carry == nil {
			return p, nil
		}
		word, file, err := k.Carry(v.Argument)
		if err != nil {
			return nil, fmt.Errorf("player %s: %w", spec.Text, err)
		}
		if file != nil {
			word, p.File = match.FilePlace, file
		}
		p.Text = as(word)
		return p, nil
	}
	spec.byHash = func() string { return spec.Text }
	if k.ByHash != nil {
		spec.byHash = func() string { return as(k.ByHash(v.Argument)) }
		if hash := k.Hash(v.Argument); hash != "" {
			spec.seeds = as("@" + hash)
		}
	}
	return spec, nil
}

// changed describes a player with changes of its options.
func (k *Kind) changed(name string, v Values, changes [][2]string) string {
	set := maps.Clone(v.Values)
	limits := slices.ContainsFunc(changes, func(c [2]string) bool { return slices.Contains(k.OneOf, c[0]) })
	maps.DeleteFunc(set, func(key, _ string) bool { return limits && slices.Contains(k.OneOf, key) })
	for _, c := range changes {
		set[c[0]] = c[1]
	}
	for _, o := range k.Options {
		if _, ok := set[o.Needs]; o.Needs != "" && !ok && !slices.ContainsFunc(changes, func(c [2]string) bool { return c[0] == o.Name }) {
			delete(set, o.Name)
		}
	}
	text := k.canonical(name, Values{v.Argument, engine.Settings{Values: set}})
	for _, c := range changes { // what the kind does not have, for Parse to refuse
		if !slices.ContainsFunc(k.Options, func(o Option) bool { return o.Name == c[0] }) {
			mark := ","
			if !strings.Contains(text, ":") {
				mark = ":"
			}
			text += mark + c[0] + "=" + c[1]
		}
	}
	return text
}

// words divides what stands after the colon, if there is one.
func (k *Kind) words(rest string, colon bool) ([]string, error) {
	if !colon {
		return nil, nil
	}
	if !k.Quotes || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return strings.Split(rest, ","), nil
	}
	argument, rest, closed := strings.Cut(rest[1:], rest[:1])
	switch {
	case !closed:
		return nil, errors.New("a quote is open")
	case rest == "":
		return []string{argument}, nil
	case rest[0] != ',':
		return nil, fmt.Errorf("%q behind the quote: want a comma", rest)
	}
	return append([]string{argument}, strings.Split(rest[1:], ",")...), nil
}

// quoted is an argument as words reads it of kinds with quotes.
func quoted(argument string) string {
	if argument == "" || !strings.Contains(argument, ",") && argument[0] != '"' && argument[0] != '\'' {
		return argument
	}
	if strings.Contains(argument, `"`) {
		return "'" + argument + "'"
	}
	return `"` + argument + `"`
}

// values checks the words after the colon and reports every problem.
func (k *Kind) values(name string, words []string) (Values, error) {
	v := Values{Settings: engine.Settings{Values: map[string]string{}}}
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if k.Argument != "" {
		if len(words) == 0 || words[0] == "" {
			fail("%s needs its %s first: %s:%s", name, k.Argument, name, k.Argument)
		}
		if len(words) > 0 {
			v.Argument, words = words[0], words[1:]
		}
	}
	given := map[string]bool{} // also badly, so that it is not called missing, too
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		i := slices.IndexFunc(k.Options, func(o Option) bool { return o.Name == key })
		_, twice := v.Values[key]
		given[key] = true
		switch {
		case i < 0:
			fail("%s has no option %q: want %s", name, key, k.optionNames())
		case !ok || value == "":
			fail("option %s has no value: want %s=%s", key, key, k.Options[i].Range())
		case twice:
			fail("option %s is set twice", key)
		default:
			word, err := k.Options[i].read(value)
			v.Values[key] = word
			if err != nil {
				errs = append(errs, err)
			}
		}
	}
	limits := 0
	for _, o := range k.OneOf {
		if given[o] {
			limits++
		}
	}
	if limits == 0 && k.Usual != "" {
		key, value, _ := strings.Cut(k.Usual, "=")
		v.Values[key] = value
	} else if limits != 1 && len(k.OneOf) > 0 {
		want := "needs exactly"
		if k.Usual != "" {
			want = "takes at most"
		}
		fail("%s %s one of %s", name, want, strings.Join(k.oneOf(), " and "))
	}
	for _, o := range k.Options {
		_, set := v.Values[o.Name]
		switch {
		case o.Needs != "" && !given[o.Needs]:
			if set {
				fail("option %s means something with %s only", o.Name, o.Needs)
			}
			continue
		case set || slices.Contains(k.OneOf, o.Name):
			continue
		}
		if o.Default == "" && !given[o.Name] {
			fail("%s needs option %s (%s): %s=%s", name, o.Name, o.Doc, o.Name, o.Range())
		}
		v.Values[o.Name] = o.Default
	}
	return v, errors.Join(errs...)
}

func (k *Kind) optionNames() string {
	if len(k.Options) == 0 {
		return "none"
	}
	names := make([]string, len(k.Options))
	for i, o := range k.Options {
		names[i] = o.Name
	}
	return strings.Join(names, ", ")
}

func (k *Kind) canonical(name string, v Values) string {
	var words []string
	if k.Argument != "" {
		if k.Quotes {
			v.Argument = quoted(v.Argument)
		}
		words = append(words, v.Argument)
	}
	for _, o := range k.Options {
		if value, ok := v.Values[o.Name]; ok && !(o.Quiet && value == o.Default) {
			words = append(words, o.Name+"="+value)
		}
	}
	if len(words) == 0 {
		return name
	}
	return name + ":" + strings.Join(words, ",")
}
