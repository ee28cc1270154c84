package zoo

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/train/plan"
)

// each runs a test of every shipped network.
func each(t *testing.T, test func(t *testing.T, name string, w *model.Weights, c *model.Card)) {
	if len(Names()) == 0 {
		t.Fatal("no network is shipped")
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			w, c, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, name, w, c)
		})
	}
}

// family is the game that a network plays.
func family(t *testing.T, c *model.Card) *engine.Family {
	t.Helper()
	f, err := games.All().ByName(c.Game)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestShippedFiles holds what a file says against what it is: size, card, the
// card beside it and the page of these very weights.
func TestShippedFiles(t *testing.T) {
	each(t, func(t *testing.T, name string, w *model.Weights, c *model.Card) {
		file, err := File(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(file) > MaxBytes {
			t.Errorf("%d bytes, want at most %d", len(file), MaxBytes)
		}
		beside, err := os.ReadFile(model.CardPath(name + model.Extension))
		if err != nil {
			t.Fatal(err)
		}
		var text model.Card
		if err := json.Unmarshal(beside, &text); err != nil {
			t.Fatal(err)
		}
		text.Calibration = c.Calibration // which that file does not have
		if !reflect.DeepEqual(&text, c) {
			t.Errorf("the card beside the file says\n%+v\nthat in it\n%+v", text, *c)
		}
		if c.Licence == "" || c.Step == 0 || c.Samples == 0 || len(c.Rules) == 0 || c.Calibration == nil {
			t.Errorf("the card lacks something: %+v", *c)
		}
		if strength, err := Strength(name); err != nil || strength == "" {
			t.Errorf("strength %q, %v", strength, err)
		}
		if _, err := games.All().ByName(name); err == nil && c.Game != name {
			t.Errorf("it plays %s by default and is a network for %s", name, c.Game)
		}
		info := mustParse(t, family(t, c), "").Info()
		if err := c.Fits(plan.Identity(info), plan.Shape(info)); err != nil {
			t.Error(err)
		}
	})
}

// TestShippedRatings are tables of these very weights that can be read, under rules
// that the network was trained on.
func TestShippedRatings(t *testing.T) {
	tables := 0
	each(t, func(t *testing.T, name string, _ *model.Weights, c *model.Card) {
		data, err := Ratings(name)
		if err != nil {
			t.Fatal(err)
		}
		if data == nil {
			return
		}
		tables++
		r, err := player.ReadRatings(data)
		if err != nil {
			t.Fatal(err)
		}
		f := family(t, c)
		knows := slices.ContainsFunc(c.Rules, func(s model.RulesShare) bool { return r.Under(f, s.Rules) == nil })
		if r.Game != c.Game || !knows {
			t.Errorf("ratings of %s under %s", r.Game, r.Rules)
		}
	})
	if tables == 0 {
		t.Error("no network has a table")
	}
	if of := RatingsOf([]byte("{")); of != "" {
		t.Errorf("no table is about %q", of)
	}
}

func mustParse(t *testing.T, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// searcher is a player of few simulations with a shipped network.
func searcher(t *testing.T, g engine.Game, w *model.Weights, c *model.Card, p precision.Precision) match.Player {
	t.Helper()
	net, err := infer.New(c.Network, w, infer.Options{MaxBatch: 1, Precision: p, Calibration: c.Calibration})
	if err != nil {
		t.Fatal(err)
	}
	cfg := mcts.DefaultConfig()
	cfg.Simulations = 8
	bot, err := player.NewNet(g, net, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

// TestShippedNetworksPlayTheirRules plays the beginning of a game by every ruleset
// of the card, in float32 and in eight bits, from openings that differ.
func TestShippedNetworksPlayTheirRules(t *testing.T) {
	each(t, func(t *testing.T, _ string, w *model.Weights, c *model.Card) {
		f := family(t, c)
		for i, r := range c.Rules {
			g := mustParse(t, f, r.Rules)
			for _, p := range []precision.Precision{precision.F32, precision.Int8} {
				who := searcher(t, g, w, c, p)
				who.NewGame(t.Context(), uint64(i))
				s, h := g.NewState(), g.NewHistory()
				s.Start(h)
				for ply := 0; ply < 12 && !s.Outcome().Over && s.Actor() != engine.Chance; ply++ {
					legal := s.Legal(nil, h)
					a := legal[(7*i+3*ply)%len(legal)]
					if ply >= 4 {
						var err error
						if a, err = choose(context.Background(), who, s, h); err != nil || !slices.Contains(legal, a) {
							t.Fatalf("%s, ply %d: action %d of %v, %v", r.Rules, ply, a, legal, err)
						}
					}
					s.Apply(a, h)
				}
			}
		}
	})
}

// TestShippedNetworksBeatRandom plays a few games by the ruleset with the largest
// share: a network whose inputs or outputs are not what it was trained with would
// score about half.
func TestShippedNetworksBeatRandom(t *testing.T) {
	each(t, func(t *testing.T, name string, w *model.Weights, c *model.Card) {
		most := slices.MaxFunc(c.Rules, func(a, b model.RulesShare) int {
			if a.Share < b.Share {
				return -1
			}
			return 1
		})
		g := mustParse(t, family(t, c), most.Rules)
		spec, err := player.Parse("random", nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg := match.DefaultConfig()
		cfg.Pairs, cfg.Workers = 4, 1
		us := match.Contestant{Name: name, New: func() (match.Player, error) { return searcher(t, g, w, c, precision.F32), nil }}
		r, err := match.Play(t.Context(), cfg, g, us, spec.Contestant(g), nil)
		if err != nil {
			t.Fatal(err)
		}
		if points := float64(r.Wins) + float64(r.Draws)/2; points < 7 {
			t.Errorf("%g points of %d against random: %+v", points, 2*cfg.Pairs, r.Tally)
		}
	})
}

func TestUnknownName(t *testing.T) {
	for _, name := range []string{"", "chess", "konreh.md", "../zoo/konreh"} {
		_, fileErr := File(name)
		_, _, loadErr := Load(name)
		_, strengthErr := Strength(name)
		for _, err := range []error{fileErr, loadErr, strengthErr} {
			if Has(name) || err == nil || !strings.Contains(err.Error(), strings.Join(Names(), " or ")) {
				t.Errorf("%q: %v, want the names that there are", name, err)
			}
		}
	}
}

// TestPages reads pages good and bad, with the line ends of any system.
func TestPages(t *testing.T) {
	file := []byte("weights")
	digest := Digest(file)
	fresh := NewPage("a-game", file)
	for _, c := range []struct{ page, want, err string }{
		{fresh, "Not measured yet.", ""},
		{strings.ReplaceAll(fresh, "\n", "\r\n"), "Not measured yet.", ""},
		{strings.Replace(fresh, "Not measured yet.", "First.\n\n### Below\n- second\n\n## Else\nthird", 1), "First.\n\n### Below\n- second", ""},
		{strings.Replace(fresh, "Not measured yet.\n", "", 1), "", "nothing under ## Strength"},
		{strings.Replace(fresh, "## Strength", "## Length", 1), "", "nothing under ## Strength"},
		{strings.Replace(fresh, digest, "0123456789abcdef", 1), "", `about weights "0123456789abcdef"`},
		{strings.Replace(fresh, "Weights ", "Of ", 1), "", `about weights ""`},
		{"", "", `about weights ""`},
	} {
		got, err := strength(c.page, digest)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("page %q: %q, %v, want %q, %s", c.page, got, err, c.want, c.err)
		}
	}
}

// TestCopies: whoever changes what was handed out changes nothing here.
func TestCopies(t *testing.T) {
	name := Names()[0]
	Names()[0] = "other"
	a, err := File(name)
	if err != nil {
		t.Fatal(err)
	}
	before := Digest(a)
	a[len(a)/2] ^= 1
	b, err := File(name)
	if err != nil || Digest(b) != before || !Has(name) {
		t.Errorf("%s: %v", name, err)
	}
}

// TestNothingElseIsShipped: every file in the folder belongs to a network or is
// code.
func TestNothingElseIsShipped(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		for _, extension := range []string{model.Extension, PageExtension, model.CardExtension, RatingsExtension, EvaluationExtension, MatchesExtension} {
			name = strings.TrimSuffix(name, extension)
		}
		if filepath.Ext(e.Name()) != ".go" && !Has(name) && !HasEvaluation(name) {
			t.Errorf("%s belongs to no network or evaluation", e.Name())
		}
	}
}

// choose asks p for its move.
func choose(ctx context.Context, p match.Player, s engine.State, h *engine.History) (engine.Action, error) {
	x, err := p.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		return 0, err
	}
	return x.Choice, nil
}
