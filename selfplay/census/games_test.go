package census

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
)

func rulesOf(t testing.TB, name, rules string) engine.Game {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// writeTo writes rows as shard number of a run and returns its path.
func writeTo(t testing.TB, dir string, number int64, rows []record.Row) string {
	t.Helper()
	return recordtest.Write(t, dir, number, rulesOf(t, rows[0].Game, "").Info(), rows)
}
