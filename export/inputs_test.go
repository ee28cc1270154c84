package export

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/manual"
	"github.com/ludozero/ludozero/model/zoo"
)

// needRules are the inputs that the formulas of game.json leave to the rules.
var needRules = map[string][]string{
	"konreh": {"occurrence - 1"},
}

// rulesets are those whose positions are compared: such that each value of each option is
// there, and the sizes of boards.
var rulesets = map[string][]string{
	"konreh": {
		"standard", "micro", "letter,balance=pie-double,no_capture_turns=4,seed_limit=3,max_turns=80", "lightning,green_cap=8,reforge_turns=3",
		"standard,balance=double-pie,buyback=true,cross_stay=1,cross_exclusion=4,rooted=through-next-turn,stalemate=loss", "tutor,balance=single,cross_stay=0,no_progress=0",
		"basic-mobilization",
	},
	"diamondchess": {
		"free", "listed,second_move=optional,pounce_range=adjacent,sacrifice=piece,futile_attacks=true", "listed,herethroy_attack=target-home,ziri_blocks=false,town_fords=true,repetition=5",
	},
	"konkvest": {
		"free", "fixed,guard_reach=lines,general_reach=lines,hero_forward=exact2,lanser=sides+forward,support_leap=long,wake=column,queen_cycle=off",
		"fixed,guard_reach=lines+vertical,general_reach=disc,hero_forward=upto2-lines,wake=rows,promotion=forced,blocked=draw,full_reserve=lost,repetition=9", "fixed,queen_cycle=forbid",
	},
	"elements": {
		"alternating", "rounds,distance=exact,wind=bring-adjacent,sun_wins_goal=false,act_pass=false,place_pass=true,territory_draft=false,ice_passives=true,lotus_displacement=false,reserve_max=5,draft_max=2",
		"alternating,layout=aawwwbb:aawwwbb:wwnnnww:wwn*nww:wwnnnww:ddwwwcc:ddwwwcc,cycle=0:a:d:c:b:d:1:d:d:d:b:d,ice_passives=true",
	},
	"knaw": {
		"standard", "symmetric,solipsist_through=contention-only,errand_tie=defender,conserve_randomness=true,resolution_bonus=9",
		"symmetric,locked_out=all-contention,errand_tie=mover,post_decline=false,cap_result=draw,max_turns=120",
	},
}

// TestInputsFollowFromTheGameFile has a program in another language, which names no game,
// compute the inputs and the numbers of all legal actions of 1000 positions of each game
// from the files of an export alone. An interpreter takes some 15 s of processor time for them.
func TestInputsFollowFromTheGameFile(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("a program in Python: this machine: ", err)
	}
	const positions = 1000
	for _, f := range games.All() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			g, err := f.Parse("")
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := g.(manual.Described); !ok && rulesets[f.Name] == nil {
				t.Skip("no program of others is to know this game")
			}
			n := playable(t, f.Name, rulesets[f.Name]...)
			dir := t.TempDir()
			for name, data := range files(t, n, positions) {
				if name != GameFile && name != VectorsFile && name != "inputs.py" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			c := exec.Command(python, "inputs.py")
			c.Dir = dir
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			info := mustInfo(t, n)
			all, missing := info.Features.Planes+info.Features.Globals, needRules[f.Name]
			want := fmt.Sprintf("%d positions: %d of %d inputs computed\n", positions, all-len(missing), all)
			for _, name := range missing {
				want += "needs the rules: " + name + "\n"
			}
			if string(out) != want {
				t.Errorf("it says\n%s, want\n%s", out, want)
			}
			if strings.Contains(string(out), "wrong") {
				t.Error("something is wrong and it does not fail")
			}
		})
	}
}

func mustInfo(t *testing.T, n *Network) *engine.Info {
	t.Helper()
	info, err := n.info()
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// playable is the shipped network of a game for some rulesets, whose games have more of what
// can happen than random ones; an untrained one if the game has none.
func playable(t *testing.T, game string, rules ...string) *Network {
	t.Helper()
	n := untrained(t, game, rules...)
	if !slices.Contains(zoo.Names(), game) {
		return n
	}
	w, card, err := zoo.Load(game)
	if err != nil {
		t.Fatal(err)
	}
	own := *card
	own.Rules = n.Card.Rules
	n.Weights, n.Card = w, &own
	return n
}

// TestInputsProgramFindsFaults: a program that agrees with everything would prove nothing.
func TestInputsProgramFindsFaults(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("a program in Python: this machine: ", err)
	}
	all := files(t, untrained(t, "tictactoe"), 20)
	for _, c := range []struct{ file, is, becomes, want string }{
		{VectorsFile, `"globals":[`, `"globals":[1`, "wrong: global stones / 9"},
		{GameFile, `["on","o"],["on","x"]`, `["on","x"],["on","x"]`, "wrong: plane other stones"},
		{GameFile, `["on","x"],["on","o"]`, `["on","o"],["on","x"]`, "wrong: plane own stones"},
		{GameFile, `["at",0]`, `["+",1,["at",0]]`, "wrong: word"},
	} {
		dir := t.TempDir()
		for _, name := range []string{GameFile, VectorsFile, "inputs.py"} {
			data := all[name]
			if name == c.file {
				data = bytes.ReplaceAll(data, []byte(c.is), []byte(c.becomes))
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(python, "inputs.py")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s for %s: %v\n%s", c.becomes, c.is, err, out)
		}
	}
}
