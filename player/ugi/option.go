package ugi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// options are what setoption sets, besides the rules.
type options struct {
	// simulations and moveTime, in milliseconds, limit every search; 0: no limit.
	simulations, moveTime int
	temperature           float64 // 0: the best move
	multiPV               int
	seed                  uint64
	// limitStrength has the player play at rating, by its measured table.
	limitStrength bool
	rating        int // 0: the most that was measured
	threads       int // 0: as the player is described
	// precision and hash, in MiB, are likewise "" and 0 as the player is described.
	precision string
	hash      int
	// showWDL and showMoves have info tell win, draw and loss, and every move's statistics.
	showWDL, showMoves bool
}

func defaultOptions() options { return options{multiPV: 1, seed: 1} }

// option is one that the other side may set.
type option struct {
	name string
	// form is its type as the protocol has it; empty for an option that this player
	// does not have, whose set says why.
	form string
	// set changes nothing if it fails.
	set func(ctx context.Context, value string) error
}

// listed are the options of the present player, in the order in which they are told.
func (s *server) listed() []option {
	list := []option{
		{"Rules", "string default " + s.game.Rules(), s.setRules},
		{"Temperature", "string default 0", s.setTemperature},
		spin("Simulations", 0, 0, 1_000_000, func(n int) error { s.options.simulations = n; return nil }),
		spin("MoveTime", 0, 0, 3_600_000, func(n int) error { s.options.moveTime = n; return nil }),
		spin("MultiPV", 1, 1, 100, func(n int) error { s.options.multiPV = n; return nil }),
		spin("Seed", 1, 0, math.MaxInt32, func(n int) error {
			s.options.seed = uint64(n)
			s.games = 0 // a game depends on the seed and how many came after it was set
			return nil
		}),
	}
	if names := s.choices(s.game); len(names) > 1 {
		list = append(list, s.playerOption(names))
	}
	threads := option{optionThreads, "", func(_ context.Context, value string) error {
		if value == "1" { // as programs say to every engine
			return nil
		}
		return fmt.Errorf("%s: this player searches with one thread", optionThreads)
	}}
	if _, ok := s.player.(player.Threaded); ok {
		threads = spin(optionThreads, s.threads, 1, player.MaxThreads, s.setThreads)
	}
	wdl := check(optionWDL, func(on bool) { s.options.showWDL = on })
	if !s.spec.ByNetwork {
		wdl.form = "" // nothing to show, which harms nobody
	}
	list = append(list, threads, s.hashOption(), s.precisionOption(), wdl,
		check(optionMoves, func(on bool) { s.options.showMoves = on }))
	limit := option{optionLimit, "check default false", s.setLimit}
	r, err := ratingsOf(s.player)
	if err != nil {
		limit.form = ""
		return append(list, limit, option{optionRating, "", func(context.Context, string) error {
			return fmt.Errorf("%s: %w", optionRating, err)
		}})
	}
	least, most := r.Range()
	return append(list, limit, spin(optionRating, most, least, most, func(n int) error {
		if s.options.rating = n; !s.options.limitStrength {
			s.say("info string %s counts once %s is true", optionRating, optionLimit)
		}
		return nil
	}))
}

const (
	optionPlayer    = "Player"
	optionThreads   = "Threads"
	optionHash      = "Hash"
	optionPrecision = "Precision"
	optionWDL       = "ShowWDL"
	optionMoves     = "VerboseMoveStats"
	optionLimit     = "LimitStrength"
	optionRating    = "Rating"
)

// wordPrecision is the option of players that Precision sets.
const wordPrecision = "precision"

// memoryOption returns the option of a player that bounds the memory of its searches, and
// its value.
func memoryOption(spec *player.Spec) (o player.Option, value int, ok bool) {
	for _, o := range spec.Options() {
		if o.Bytes == 0 {
			continue
		}
		if _, text, ok := spec.Option(o.Name); ok {
			n, err := strconv.Atoi(text)
			return o, n, err == nil
		}
	}
	return o, 0, false
}

// changes are what o asks of a player beyond its description, as far as it can.
func (o *options) changes(spec *player.Spec) (list [][2]string) {
	if m, _, ok := memoryOption(spec); ok && o.hash > 0 {
		units := max(m.Min, min(m.Max, o.hash<<20/m.Bytes))
		list = append(list, [2]string{m.Name, strconv.Itoa(units)})
	}
	if _, _, ok := spec.Option(wordPrecision); ok && o.precision != "" {
		list = append(list, [2]string{wordPrecision, o.precision})
	}
	return list
}

// hashOption bounds the memory of a search, in MiB.
func (s *server) hashOption() option {
	m, units, ok := memoryOption(s.spec)
	if !ok {
		return option{optionHash, "", func(context.Context, string) error {
			return fmt.Errorf("%s: nothing bounds the memory of this player's searches but its description", optionHash)
		}}
	}
	mib := func(units int) int { return max(1, units*m.Bytes>>20) }
	most := mib(m.Max)
	form := fmt.Sprintf("spin default %d min 1 max %d", mib(units), most)
	return option{optionHash, form, whole(optionHash, 1, most, func(ctx context.Context, n int) error {
		return s.change(ctx, func(o *options) { o.hash = n })
	})}
}

// precisionOption sets the number format of a network.
func (s *server) precisionOption() option {
	o, value, ok := s.spec.Option(wordPrecision)
	if !ok {
		return option{optionPrecision, "", func(context.Context, string) error {
			return fmt.Errorf("%s: this player has no network", optionPrecision)
		}}
	}
	return option{optionPrecision, "combo default " + value + " var " + strings.Join(o.Values, " var "), func(ctx context.Context, value string) error {
		value = strings.ToLower(value)
		if !slices.Contains(o.Values, value) {
			return fmt.Errorf("%s %q: want one of %s", optionPrecision, value, strings.Join(o.Values, ", "))
		}
		return s.change(ctx, func(o *options) { o.precision = value })
	}}
}

// change changes options that make another player necessary. Nothing has changed if there
// can be none.
func (s *server) change(ctx context.Context, by func(*options)) error {
	before := s.options
	by(&s.options)
	err := s.reseat(ctx)
	if err != nil {
		s.options = before
	}
	return err
}

// check is an option that is on or off.
func check(name string, set func(on bool)) option {
	return option{name, "check default false", func(_ context.Context, value string) error {
		if value != "true" && value != "false" {
			return fmt.Errorf("%s %q: want true or false", name, value)
		}
		set(value == "true")
		return nil
	}}
}

// spin is an option that is a whole number.
func spin(name string, standard, least, most int, set func(int) error) option {
	form := fmt.Sprintf("spin default %d min %d max %d", standard, least, most)
	return option{name, form, whole(name, least, most, func(_ context.Context, n int) error { return set(n) })}
}

// whole reads a whole number for set.
func whole(name string, least, most int, set func(ctx context.Context, n int) error) func(context.Context, string) error {
	return func(ctx context.Context, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%s %q: want a whole number from %d to %d", name, value, least, most)
		}
		return set(ctx, n)
	}
}

func (s *server) setRules(ctx context.Context, rules string) error {
	g, err := s.cfg.Parse(rules)
	if err != nil {
		return err
	}
	if err = s.sit(ctx, g); err == nil {
		s.explain()
	}
	return err
}

func (s *server) setTemperature(_ context.Context, value string) error {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || x != 0 && (player.Sampling{Temperature: x}).Validate() != nil {
		return fmt.Errorf("option Temperature %q: want 0 for the best move, or up to 10", value)
	}
	s.options.temperature = x
	return nil
}

func (s *server) setThreads(n int) error {
	if err := s.player.(player.Threaded).SetThreads(n); err != nil {
		return fmt.Errorf("%s: %w", optionThreads, err)
	}
	s.options.threads = n
	return nil
}

// spread gives p the threads that were asked for, if it can have some, and returns how
// many it had.
func (o *options) spread(p match.Player) (before int, err error) {
	t, ok := p.(player.Threaded)
	if !ok {
		return 1, nil
	}
	before = t.Threads()
	if o.threads > 0 {
		err = t.SetThreads(o.threads)
	}
	return before, err
}

func (s *server) setLimit(_ context.Context, value string) error {
	if value != "true" && value != "false" {
		return fmt.Errorf("%s %q: want true or false", optionLimit, value)
	}
	next := s.options
	next.limitStrength = value == "true"
	if _, err := next.strength(s.player); err != nil {
		return err
	}
	s.options = next
	return nil
}

// ratingsOf is the table by which a player plays at a rating, and why it has none.
func ratingsOf(p match.Player) (*player.Ratings, error) {
	rated, ok := p.(interface {
		Ratings() (*player.Ratings, error)
	})
	if !ok {
		return nil, errors.New("no ratings were measured of this player")
	}
	return rated.Ratings()
}

// strength is how player p searches if it is to play at a rating; nil: as it does
// otherwise.
func (o *options) strength(p match.Player) (*player.Strength, error) {
	if !o.limitStrength {
		return nil, nil
	}
	r, err := ratingsOf(p)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be on: %w", optionLimit, err)
	}
	rating := o.rating
	if rating == 0 {
		_, rating = r.Range()
	}
	s, err := r.At(rating)
	return &s, err
}

// setOption is the command setoption. Nothing has changed if it fails.
func (s *server) setOption(ctx context.Context, words []string) error {
	i := slices.Index(words, "value")
	if len(words) < 4 || words[0] != "name" || i < 2 || i == len(words)-1 {
		return errors.New("want name NAME value VALUE")
	}
	name, value := strings.Join(words[1:i], " "), strings.Join(words[i+1:], " ")
	var names []string
	for _, o := range s.listed() {
		if strings.EqualFold(name, o.name) {
			return o.set(ctx, value)
		}
		if o.form != "" {
			names = append(names, o.name)
		}
	}
	return fmt.Errorf("no option %q: want one of %s", name, strings.Join(names, ", "))
}
