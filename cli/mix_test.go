package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestMixedRun trains as configs/konreh/mix.yaml says and looks at it with all
// commands that see the rules of games.
func TestMixedRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mixed")
	file := "../configs/konreh/mix.yaml"
	out := mustCall(t, "train", "--config", file, "--run", dir)
	for _, want := range []string{"konreh, rules standard,max_turns=80 (self-play by 12 rulesets), network of", "--rules standard,max_turns=80 "} {
		if !strings.Contains(out, want) {
			t.Errorf("train says\n%swant %q", out, want)
		}
	}
	if check := mustCall(t, "data", "check", dir); !strings.Contains(check, "48 games") || !strings.HasSuffix(check, ": no fault\n") {
		t.Errorf("data check: %s", check)
	}

	all := decode[census.Groups](t, mustCall(t, "data", "stat", dir, "--json")).Groups[0]
	if b := all.GamesByBeginning; len(b) != 3 || b["start"] < 20 {
		t.Errorf("beginnings %v, want all three", b)
	}
	groups := decode[census.Groups](t, mustCall(t, "data", "stat", dir, "--by", "rules", "--json")).Groups
	_, card, err := model.Load(rundir.WeightsPath(dir, 2))
	if err != nil || len(card.Rules) != len(groups) || len(groups) < 8 {
		t.Fatalf("%d rulesets were played, the card has %v, %v", len(groups), card.Rules, err)
	}
	for i, g := range groups {
		if s := card.Rules[i]; s.Rules != g.Rules || s.Share != float64(g.Rows)/float64(all.Rows) {
			t.Errorf("the card has a share of %g for %s, played were %d of %d positions by %s", s.Share, s.Rules, g.Rows, all.Rows, g.Rules)
		}
	}

	// The same with other weights is another run; what differs is shown.
	other := filepath.Join(t.TempDir(), "other")
	const mix = "rules_mix=[{rules: standard|table, weight: 3}]"
	mustCall(t, "train", "--config", file, "--run", other, "--no-rating", "--set", "generations=1", "--set", mix)
	mustFail(t, 2, []string{"train", "--run", other, "--set", "rules_mix=[]"},
		"rules_mix is [{rules: standard|table, weight: 3}] in run "+other+", now []: a run cannot change it")
	differ := decode[trained.Comparison](t, mustCall(t, "runs", "compare", dir, other, "--json")).Configuration
	cfg, err := configs.Load(configs.DefaultRun(games.All()), file, nil, nil)
	if err != nil || len(cfg.RulesMix) != 2 {
		t.Fatal(cfg.RulesMix, err)
	}
	if len(differ) == 0 || differ[0].Key != "rules_mix" || !strings.Contains(differ[0].A, cfg.RulesMix[1].Rules) || differ[0].B != "[{rules: standard|table, weight: 3}]" {
		t.Errorf("runs compare: %+v", differ)
	}
	mustFail(t, 2, []string{"train", "--config", file, "--run", other + "2", "--set", "rules_mix=[{rules: standard|chess, weight: 1}, {rules: '', share: 2}]"},
		"rules_mix: entry 2: unknown key \"share\"")
	mustFail(t, 2, []string{"train", "--config", file, "--run", other + "2", "--set", "rules_mix=[{rules: standard|chess, weight: 1}, {weight: 0}]"},
		"rules_mix: entry 1: chess: rules of konreh: konreh has no preset", "rules_mix: entry 2: weight 0: want a number above 0")
}
