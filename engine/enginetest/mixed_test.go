package enginetest_test

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
)

// TestCheckMixedFindsAStateThatKeepsItsRules: a copy that takes the position and
// not the rules.
func TestCheckMixedFindsAStateThatKeepsItsRules(t *testing.T) {
	rulesets := func(f fault) []engine.Game {
		return []engine.Game{
			newFaulty(pienim.New("standard"), &f), newFaulty(pienim.New("shifting"), &f), newFaulty(pienim.New("standard,pie=false"), &f),
		}
	}
	if err := enginetest.CheckMixed(rulesets(fault{}), 1); err != nil {
		t.Errorf("CheckMixed of sound games = %v", err)
	}
	err := enginetest.CheckMixed(rulesets(fault{copyFrom: func(s, src *faulty) {
		if err := s.State.Unpack(src.State.Pack(nil)); err != nil {
			t.Error(err)
		}
	}}), 1)
	if err == nil || !strings.Contains(err.Error(), "was of another ruleset") {
		t.Errorf("CheckMixed of states that keep their rules = %v", err)
	}
}
