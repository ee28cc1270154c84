package networks

import (
	"strings"
	"testing"
)

// TestListShowsAFewRules: of many rulesets a list has those with the largest shares.
func TestListShowsAFewRules(t *testing.T) {
	i, err := describeNetwork("shipped:konreh")
	if err != nil {
		t.Fatal(err)
	}
	first := i.Card.Rules[0]
	i.Card.Rules = nil
	for _, r := range []string{"a", "b", "c", "d", "e", "f"} {
		i.Card.Rules = append(i.Card.Rules, i.Card.Rules...)[:len(i.Card.Rules)]
		i.Card.Rules = append(i.Card.Rules, first)
		i.Card.Rules[len(i.Card.Rules)-1].Rules = r
	}
	var b strings.Builder
	if err := i.write(&b, shownRules); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  a\n", "  d\n", "and  2 more\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "  e\n") {
		t.Errorf("a list of %d rulesets\n%s", shownRules, b.String())
	}
}

// TestNoStrengthNoLine: a network of a run has no page about its strength.
func TestNoStrengthNoLine(t *testing.T) {
	i, err := describeNetwork("shipped:konreh")
	if err != nil {
		t.Fatal(err)
	}
	i.Strength = ""
	var b strings.Builder
	if err := i.write(&b, shownRules); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "strength") {
		t.Errorf("nothing is known of its strength:\n%s", b.String())
	}
}
