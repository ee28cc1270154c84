package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	webtable "github.com/ludozero/ludozero/web/table"
)

// hugeNetwork writes a network whose weights are finite and whose answers are not.
func hugeNetwork(t *testing.T) string {
	t.Helper()
	path := weightFile(t, "connect4")
	w, card, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, spec := range w.Specs() {
		if !strings.Contains(spec.Name, "norm") && !strings.Contains(spec.Name, "bn") {
			for k, x := range w.Data(i) {
				w.Data(i)[k] = 1e15 * x
			}
		}
	}
	path = filepath.Join(t.TempDir(), "huge"+model.Extension)
	if err := model.Save(path, w, *card); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnswersThatAreNotFinite: a network with huge weights ends a command with an error
// that names it.
func TestAnswersThatAreNotFinite(t *testing.T) {
	path := hugeNetwork(t)
	player := "net:" + path + ",sims=8"
	for _, args := range [][]string{
		{"match", "--game", "connect4", "--pairs", "1", player, "random"},
		{"tournament", "--game", "connect4", "--pairs", "1", player, "random", "mcts:sims=2"},
		{"sprt", "--game", "connect4", "--elo0", "0", "--elo1", "50", "--max-pairs", "1", player, "random"},
		{"analyze", "--game", "connect4", "--player", player},
		{"analyze", "--game", "connect4", "--player", "net:" + path + ",time=20ms"},
		{"play", "--game", "connect4", "--first", player, "--second", "random"},
		{"score", player},
		{"export", "--model", path, "--out", filepath.Join(t.TempDir(), "out")},
	} {
		_, errOut, err := call(t, "", args...)
		if err == nil || !strings.Contains(err.Error(), "not finite") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, errOut)
		}
	}
	out, errOut, err := call(t, "ugi\nisready\nposition startpos\ngo\nisready\nquit\n", "engine", "--game", "connect4", "--player", player)
	if !strings.Contains(out+errOut, "not finite") || !strings.Contains(out+errOut, path) {
		t.Errorf("engine: %v\n%s\n%s", err, out, errOut)
	}
}

// TestWebSurvives: a network with huge weights ends its own table with a problem that
// names it, and the others go on.
func TestWebSurvives(t *testing.T) {
	path := hugeNetwork(t)
	bad := "net:" + path + ",sims=8"
	address := webServer(t, "--player", bad)
	type made struct {
		ID   string         `json:"id"`
		View *webtable.View `json:"view"`
	}
	begin := func(first, second string) made {
		t.Helper()
		var m made
		if code := webAsk(t, "POST", address+"api/tables", fmt.Sprintf(`{"game":"connect4","seats":[%q,%q]}`, first, second), &m); code != 200 {
			t.Fatalf("%d %+v", code, m)
		}
		return m
	}
	until := func(m made, done func(*webtable.View) bool) *webtable.View {
		t.Helper()
		v := m.View
		for !done(v) {
			version := v.Version
			v = &webtable.View{}
			if code := webAsk(t, "GET", fmt.Sprintf("%sapi/tables/%s?after=%d", address, m.ID, version), "", v); code != 200 {
				t.Fatalf("table %s: %d", m.ID, code)
			}
		}
		return v
	}
	good := begin("you", "mcts:sims=20")
	if v := until(begin(bad, "you"), func(v *webtable.View) bool { return v.Problem != "" }); !strings.Contains(v.Problem, "not finite") || !strings.Contains(v.Problem, path) {
		t.Errorf("problem %q", v.Problem)
	}
	if v := until(good, func(v *webtable.View) bool { return v.Asked != "" }); v.Problem != "" {
		t.Errorf("the other table: %q", v.Problem)
	}
	if v := until(begin("mcts:sims=20", "you"), func(v *webtable.View) bool { return v.Steps == 1 }); v.Problem != "" {
		t.Errorf("a new table: %q", v.Problem)
	}
}
