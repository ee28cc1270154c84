package open

import (
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/model"
)

// TestRulesThatANetworkKnows compares what rules mean, not their words, and not
// after how many turns games end.
func TestRulesThatANetworkKnows(t *testing.T) {
	card := &model.Card{Identity: model.Identity{Game: "konreh"}, Rules: []model.RulesShare{
		{Rules: "standard,balance=pie,max_turns=600", Share: 0.5}, {Rules: "tutor", Share: 0.5},
	}}
	families := engine.Families{&konreh.Family}
	for rules, want := range map[string]bool{
		"standard": false, "standard,balance=pie": true, "standard,balance=pie,max_turns=600": true, "tutor,max_turns=9": true,
		"standard,seed=false": true, "tutor,balance=pie": false, "letter,balance=pie": false, "micro": false,
	} {
		g, err := konreh.Family.Parse(rules)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := trainedOn(Network{Shipped: "konreh"}, card, families, g); got != want || err != nil {
			t.Errorf("trained on %s: %t, %v, want %t", rules, got, err, want)
		}
	}
	card.Rules[0].Rules = "no-such-preset"
	g, err := konreh.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trainedOn(Network{Shipped: "konreh"}, card, families, g); err == nil || !strings.Contains(err.Error(), "no-such-preset") {
		t.Errorf("a card of unknown rules: %v", err)
	}
}

// TestBareName: the name of a shipped network is its player, with options or without.
func TestBareName(t *testing.T) {
	t.Chdir(t.TempDir())
	p := New(engine.Families{&konreh.Family})
	defer p.Close()
	for text, want := range map[string]string{
		"konreh": "net:konreh,sims=400", "konreh,sims=64": "net:konreh,sims=64", "net:konreh": "net:konreh,sims=400",
		"net:konreh,fold=true": "net:konreh,sims=400,fold=true", "net:konreh,time=clock": "net:konreh,time=clock,edges=16777216",
		`net:"runs/a,b",sims=2`: `net:"runs/a,b",sims=2`, "net:'runs/a'": "net:runs/a,sims=400",
	} {
		s, err := p.Parse(text)
		if err != nil || s.Text != want || !s.ByNetwork {
			t.Errorf("Parse(%q) = %+v, %v, want %q", text, s, err, want)
		}
	}
	for text, want := range map[string]string{
		"konrehh": `no kind and no shipped network "konrehh"; did you mean konreh?`, "minmax:depth=1": `no kind "minmax"; did you mean minimax?`, "chess": `no kind "chess": want one of`, "net": "net needs its PATH first", "net:konreh,sims=1,time=1s": "at most one of",
	} {
		if s, err := p.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, s, err, want)
		}
	}
}

// FuzzWords: what is read of a description reads back as the same player, and so does
// the description that names the network by its hash, whatever files there are.
func FuzzWords(f *testing.F) {
	for _, text := range []string{
		"konreh@763e922b", "net:konreh@763e922b,sims=3", "net:x@00000000", "net:'a,b',sims=1", `net:"a,b@12345678"`, "net:x@1@2,time=1s", "net:shipped:konreh,rating=500", "net:x@0000000g", "net:@00000000,sims=1",
	} {
		f.Add(text)
	}
	f.Chdir(f.TempDir())
	for _, name := range []string{"x", "x@00000000", "a,b", "a@1@22222222"} {
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			f.Fatal(err)
		}
	}
	p := New(engine.Families{&konreh.Family})
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := p.Parse(text)
		if err != nil {
			return
		}
		for _, other := range []string{spec.Text, spec.ByHash()} {
			again, err := p.Parse(other)
			if err != nil || again.Text != other || again.ByHash() != spec.ByHash() {
				t.Errorf("Parse(%q) is %q, by hash %q; %q reads back as %+v, %v", text, spec.Text, spec.ByHash(), other, again, err)
			}
		}
	})
}
