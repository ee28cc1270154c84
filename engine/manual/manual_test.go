package manual

import (
	"strings"
	"testing"
)

func TestFormulaReadsAsItIsWritten(t *testing.T) {
	const want = `["or",["step",-1,0,["on","a","+B"]],["spread",0,[[0,1],[1,0]],["view",3],["none"]]]`
	if got := F("(or (step -1 0 (on a +B)) (spread 0 ((0 1) (1 0)) (view 3) (none)))").String(); got != want {
		t.Errorf("F = %s, want %s", got, want)
	}
	for _, bad := range []string{"", "on a", "(or (on a)", "(none))", "(none) (none)"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("F(%q) is taken for a formula", bad)
				}
			}()
			F(bad)
		}()
	}
}

func TestFormulaNamesWhatExists(t *testing.T) {
	m := Manual{Terms: map[string]Formula{"own": F("(none)")}, Lists: map[string][]string{"words": nil}, Position: *Line("x").Word("([xo])", "side", "Who.")}
	if err := m.formula(F("(minus (term own) (if (field side x) (pick words 0) (none)))")); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"(term other)": `no term "other"`, "(or (none) (field phase x))": `no field "phase"`, "(pick squares 0)": `no pick "squares"`,
		"(nothing)": "no such operator", "(minus (none))": "not with 1 operands", "(and (none) (many 1 (none) (linked ways (it))))": `no linked "ways"`,
	} {
		if err := m.formula(F(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
