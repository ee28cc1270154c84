package konreh

import (
	"slices"
	"strings"
	"testing"
)

func TestExpandCombinesAlternatives(t *testing.T) {
	for _, c := range []struct {
		rules string
		want  []string
	}{
		{"", []string{"standard"}},
		{"table,max_turns=600", []string{"table,max_turns=600"}},
		{"max_turns=5|6", []string{"standard,max_turns=5", "standard,max_turns=6"}},
		{"standard|lightning,balance=pie|single,max_turns=60", []string{
			"standard,balance=pie,max_turns=60", "standard,balance=single,max_turns=60",
			"lightning,max_turns=60", "lightning,balance=single,max_turns=60",
		}},
	} {
		games, err := Family.Expand(c.rules, 4)
		var got []string
		for _, g := range games {
			got = append(got, g.Rules())
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Expand(%q) = %v, %v, want %v", c.rules, got, err, c.want)
		}
	}
}

func TestExpandNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ rules, want string }{
		{"standard|", "an alternative is empty"},
		{"balance=|pie", "an alternative is empty"},
		{"standard|standard", "standard is there twice"},
		{"balance=pie|single|pie", "balance=pie is there twice"},
		{"standard|table,balance=pie|single,buyback=false|true", "more than 4 combinations"},
		{"standard|micro,size=8", "micro,size=8: rules of konreh: option size=8"},
		{"standard,balance=pie|fair", "standard,balance=fair: rules of konreh: option balance=fair"},
		{"standard,max_turns=1|2|3|4,fair=1", "standard,max_turns=1|2|3|4,fair=1: 1 more combinations"},
		{"balance=pie,balance=single", "option balance is set twice"},
	} {
		if _, err := Family.Expand(c.rules, 4); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Expand(%q) = %v, want %q in it", c.rules, err, c.want)
		}
	}
}
