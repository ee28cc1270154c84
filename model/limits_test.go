package model

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestLimitsAreThoseOfGames: a game that the conformance suite accepts has a network.
func TestLimitsAreThoseOfGames(t *testing.T) {
	got := [...]int{MinSide, MaxHeight, MaxWidth, MaxPlanes, maxGlobals}
	want := [...]int{engine.MinSide, engine.MaxHeight, engine.MaxWidth, engine.MaxPlanes, engine.MaxGlobals}
	if got != want {
		t.Errorf("smallest side, largest height, largest width, planes, globals are %v, want %v as package engine has them", got, want)
	}
}
