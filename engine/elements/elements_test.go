package elements

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

// TestGames plays the games of the slow reference implementation, and those of another
// that was written from the rules page alone: values of all options, boards and cycles.
func TestGames(t *testing.T) {
	pagetest.Games(t, &Family, os.DirFS("testdata"), "elements-games.jsonl.gz", 40)
	pagetest.Games(t, &Family, os.DirFS("testdata"), "elements-options.jsonl.gz", 49)
}

// TestPositions compares the worked positions of the rules page.
func TestPositions(t *testing.T) {
	pagetest.Positions(t, &Family, os.DirFS("testdata"), "elements-positions.jsonl.gz", 39, func(p *pagetest.Position, g engine.Coded) engine.State {
		var page struct {
			State struct {
				Pieces     map[string]string
				Reserve    [2][]string
				Slot       uint8
				Player     uint8
				Phase      string
				Lead       bool
				DraftsLeft uint8 `json:"drafts_left"`
				Turn       uint16
			}
		}
		p.Decode(t, &page)
		w := &page.State
		s := &State{game: g.(*Game), draft: 1<<kinds - 1, side: w.Player, slot: w.Slot, lead: w.Lead, drafts: w.DraftsLeft, turn: w.Turn}
		for kind := range s.where {
			s.where[kind] = inDraft
		}
		kindOf := func(name string) int {
			kind := slices.IndexFunc(kindNames[:], func(k string) bool { return strings.ReplaceAll(k, " ", "") == name })
			s.draft &^= 1 << kind
			return kind
		}
		for name, text := range w.Pieces {
			sq, _ := readSquare(name)
			s.put(pieceOf(kindOf(text[2:]), text[0]-'0'), sq)
		}
		for side, names := range w.Reserve {
			for _, name := range names {
				s.store(kindOf(name), uint8(side))
			}
		}
		s.phase = phase(slices.Index(phaseNames[:], strings.ToLower(w.Phase)))
		s.fresh = s.phase == phaseAct && !s.lead || s.phase == phasePlace
		if p.Name == "goal stacked" { // what Wood has landed on is not in the data
			s.draft &^= 1 << rock
			s.under, s.where[rock] = pieceOf(rock, 0), uint8(s.game.goal)
		}
		if err := s.check(); err != nil && p.Name != "capture on the goal" { // it gives blue the slot of red
			t.Errorf("%s: %v", p.Name, err)
		}
		for i, text := range p.Text {
			text = strings.NewReplacer("balance-swap ", "swap:", "leaf-swap ", "leaf:", "wood-take ", "remove:", " ", ":").Replace(strings.ToLower(text))
			if verb, rest, ok := strings.Cut(text, ":"); ok && verb == "place" {
				text = verb + ":" + strings.ReplaceAll(rest, ":", "-")
			}
			p.Text[i] = text
		}
		return s
	})
}

func TestConformance(t *testing.T) { enginetest.Run(t, &Family) }

func TestConformanceOfOptions(t *testing.T) {
	enginetest.Run(t, &Family,
		"alternating,wind=bring-adjacent,place_pass=true,act_pass=false,max_turns=30", "rounds,distance=exact,territory_draft=false,ice_passives=true,max_turns=60",
		"rounds,sun_wins_goal=false,lotus_displacement=false,reserve_max=3,draft_max=1,max_turns=30", "alternating,reserve_max=20,draft_max=20,repetition=2,max_turns=60")
}

// TestPerft compares the counts of the rules page.
func TestPerft(t *testing.T) {
	const middle = "........./........./....f..../...k...../........./.....W.../....Y..../........./......... red act reserve=auPT"
	for _, c := range []struct {
		rules, position string
		want            []uint64
	}{
		{"alternating", "", []uint64{20, 380, 6840, 116280}},
		{"rounds,wind=bring-adjacent", "", []uint64{20, 380, 6840}},
		{"alternating", middle, []uint64{20, 1598, 45872}},
		{"rounds,distance=exact", middle, []uint64{20, 1598, 45614}},
	} {
		pagetest.Perft(t, pagetest.Open(t, &Family, c.rules), c.position, c.want...)
	}
}

// TestWorked plays what the worked positions of the rules page say about the
// consequences of actions, and where the page needs two sentences read together.
func TestWorked(t *testing.T) {
	const b = "........." // an empty row
	rows := func(at map[int]string) string {
		r := []string{b, b, b, b, b, b, b, b, b}
		for i, row := range at {
			r[i] = row
		}
		return strings.Join(r, "/")
	}
	for _, c := range []struct {
		name, rules, position, moves string
		want                         string // the position afterwards
		end                          string
	}{
		{"Fire takes Rock, which returns to its reserve, then Wood, which does not", "",
			rows(map[int]string{2: "...f.....", 3: ".....K...", 4: "......W.."}) + " red act", "23-35 35-46 46-45",
			rows(map[int]string{4: ".....f..."}) + " red place reserve=K", ""},
		{"Rock goes to the draft area where the reserve is full", "reserve_max=1",
			rows(map[int]string{2: "...f.....", 3: ".....K..."}) + " red act reserve=U", "23-35 stop", rows(map[int]string{3: ".....f..."}) + " red place reserve=U", ""},
		{"Moon pulls and moves", "", rows(map[int]string{2: "..o..W...", 5: "..a......"}) + " red act", "pull:right 22-33",
			rows(map[int]string{2: "....W....", 3: "...o.....", 5: "..a......"}) + " red place", ""},
		{"Power moves and pushes", "", rows(map[int]string{2: "..p..W...", 5: "..a......"}) + " red act", "22-23 push:right",
			rows(map[int]string{2: "...p..W..", 5: "..a......"}) + " red place", ""},
		{"a push without a move ends the action", "", rows(map[int]string{2: "..p..W...", 5: "..a......"}) + " red act", "push:right",
			rows(map[int]string{2: "..p...W..", 5: "..a......"}) + " red place", ""},
		{"Wind moves, and lets a piece beside it move", "", rows(map[int]string{2: "..n......", 3: "...k.W..."}) + " red act", "22-32 33-35",
			rows(map[int]string{3: "..n..k..."}) + " red place", ""},
		{"Fire that Wind moves does not step on", "", rows(map[int]string{2: "..n......", 3: "...f.....", 4: ".....W..."}) + " red act", "wind 33-45",
			rows(map[int]string{2: "..n......", 4: ".....f..."}) + " red place", ""},
		{"Sun wins the goal", "", rows(map[int]string{3: "....u...."}) + " red act", "34-44", "", "goal controlled 0"},
		{"two pieces win the goal", "", rows(map[int]string{3: "....w....", 4: "....r...."}) + " red act", "34-44", "", "goal stacked 0"},
		{"so do two with Sun among them", "", rows(map[int]string{3: "....u....", 4: "....r...."}) + " red act", "34-44", "", "goal stacked 0"},
		{"Sun counts one there", "sun_wins_goal=false", rows(map[int]string{3: "....u...."}) + " red act", "34-44", rows(map[int]string{4: "....u...."}) + " red place", ""},
		{"who puts the enemy's Sun there loses", "", rows(map[int]string{0: "....o....", 5: "....U...."}) + " red act", "pull:down", "", "goal controlled 1"},
		{"Balance on the goal may swap", "", rows(map[int]string{0: "........U", 4: "....b...."}) + " red act", "swap:08", "", "goal controlled 1"},
		{"Shadow does not land on itself", "", rows(map[int]string{4: "....h....", 3: "....r....", 0: "........B"}) + " red act", "44-35",
			rows(map[int]string{3: "....rh...", 0: "........B"}) + " red place", ""},
		{"who loses control by the action has no second stage", "", "..r....../.w......./" + rows(map[int]string{})[20:] + " red act slot=1 reserve=t turn=1", "02-03",
			"...r...../.w......./" + rows(map[int]string{})[20:] + " blue place slot=2 reserve=t first=1 turn=2", ""},
		{"who keeps it places inside", "", "..r....../.w......./" + rows(map[int]string{})[20:] + " red act slot=1 reserve=t turn=1", "02-01 place:water-22",
			".r......./.w......./..t....../" + rows(map[int]string{})[30:] + " blue place slot=2 first=1 turn=2", ""},
		{"Leadership leads once", "", "r......../.w......./e......../" + rows(map[int]string{6: "......f.."})[30:] + " red act slot=1", "lead 66-58",
			"r......../.w......./e......../" + rows(map[int]string{5: "........f"})[30:] + " red place slot=1", ""},
		{"Leaf that has swapped next to Ice does not move", "", rows(map[int]string{0: "u.......i", 8: "a......." + "."}) + " red act", "leaf:08",
			rows(map[int]string{0: "u.......a", 8: "i........"}) + " red leaf-move", ""},
		{"nor does one that is frozen there", "", rows(map[int]string{0: "u.......I", 1: "........r", 8: "a........"}) + " red act", "leaf:18",
			rows(map[int]string{0: "u.......I", 1: "........a", 8: "r........"}) + " red place", ""},
		{"a copy that is taken is gone", "", rows(map[int]string{0: "mx.....B."}) + " blue act slot=2", "07-05 draft:fire draft:ice draft:sun",
			rows(map[int]string{0: "mx...B..."}) + " red act slot=4 reserve=FUI turn=1", ""},
		{"Mirror placed again is copied again", "", rows(map[int]string{0: "x........"}) + " red place reserve=m", "place:mirror-24 copy:25",
			rows(map[int]string{0: "x........", 2: "....mx..."}) + " blue place slot=2 first=1 turn=1", ""},
		{"turns without a choice repeat positions", "layout=*nn:nnn:nnw,cycle=0:1,reserve_max=1", ".../.../... red place reserve=iU", "place:ice-22 draft:fire",
			".../.../..i blue place slot=1 reserve=fU first=1 turn=7 seen=2", "repetition 3"},
		{"the limit comes before the repetition", "layout=*nn:nnn:nnw,cycle=0:1,reserve_max=1,max_turns=7", ".../.../... red place reserve=iU", "place:ice-22 draft:fire", "", "length 3"},
	} {
		g, err := Family.New("", strings.FieldsFunc(c.rules, func(r rune) bool { return r == ',' }))
		if err != nil {
			t.Fatal(err)
		}
		s, h := g.NewState(), g.NewHistory()
		if err := s.ParsePosition(c.position); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		s.Begin(h)
		for _, word := range strings.Fields(c.moves) {
			a, err := s.ParseAction(word, h)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				break
			}
			s.Apply(a, h)
		}
		end := ""
		if o := s.Outcome(); o.Over {
			end = fmt.Sprint(g.(engine.Coded).Ending(o.Reason), " ", int(o.Winner))
		}
		if got := string(s.AppendPosition(nil)); end != c.end || c.want != "" && got != c.want {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, got, end, c.want, c.end)
		}
	}
}

// TestColours: red is shown what blue would be shown with all colours exchanged, in the
// game whose cycle begins with the other player.
func TestColours(t *testing.T) {
	g := pagetest.Open(t, &Family, "")
	other := pagetest.Open(t, &Family, "cycle=0:c:1:b:0:d:1:a")
	s, u, h := g.NewState(), other.NewState(), g.NewHistory()
	s.Start(h)
	rng := rand.New(rand.NewPCG(1, 1))
	n, globals := len(info.Features.PlaneNames)*squares, info.Features.Globals
	both := [2][]float32{make([]float32, n+globals), make([]float32, n+globals)}
	for !s.Outcome().Over {
		line := strings.Fields(string(s.AppendPosition(nil)))
		line[0] = swapCase(line[0])
		line[1] = info.Sides[1-s.Side()]
		rest := ""
		for _, w := range line[3:] {
			if reserve, ok := strings.CutPrefix(w, "reserve="); ok {
				k := strings.IndexFunc(reserve+"A", func(r rune) bool { return r < 'a' })
				rest += " reserve=" + swapCase(reserve[k:]) + swapCase(reserve[:k])
			} else if !strings.HasPrefix(w, "slot=") {
				rest += " " + w
			}
		}
		slot := ""
		if k := (s.(*State).slot + 6) % 8; k > 0 {
			slot = fmt.Sprint(" slot=", k)
		}
		mirrored := strings.Join(line[:3], " ") + slot + rest
		if err := u.ParsePosition(mirrored); err != nil {
			t.Fatalf("%s: %s: %v", s.AppendPosition(nil), mirrored, err)
		}
		for i, x := range []engine.State{s, u} {
			x.Encode(both[i][:n], both[i][n:])
		}
		legal := s.Legal(nil, h)
		if !slices.Equal(both[0], both[1]) || !slices.Equal(legal, u.Legal(nil, nil)) {
			t.Fatalf("%s and %s differ", s.AppendPosition(nil), mirrored)
		}
		var judged [2][terms]int32
		if s.(*State).count(judged[0][:]) != u.(*State).count(judged[1][:]) || judged[0] != judged[1] {
			t.Fatalf("%s and %s are judged by %v and %v", s.AppendPosition(nil), mirrored, judged[0], judged[1])
		}
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' {
			r ^= 0x20
		}
		return r
	}, text)
}

// TestSymmetries: of the ready-made cycles the default one allows to mirror the board, and
// one in which every territory follows each player allows all.
func TestSymmetries(t *testing.T) {
	for rules, want := range map[string]uint32{
		"alternating": 0b11, "rounds": 1, "cycle=0:a:1:a:0:b:1:b:0:c:1:c": 1, "cycle=0:1": 0xff,
		"cycle=0:1:a:0:1:b:0:1:c:0:1:d": 0b1101001, // turns, by three slots a territory
	} {
		g, err := Family.Parse(rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.NewState().SymmetryMask(); got != want {
			t.Errorf("%s: symmetries %b, want %b", rules, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	g := pagetest.Open(t, &Family, "")
	empty := strings.Fields(string(g.NewState().AppendPosition(nil)))[0]
	with := func(text string) string { return strings.Replace(empty, ".........", text, 1) }
	pagetest.Refused(t, g.NewState(), map[string]string{
		"":                                          "position \"\"",
		empty + " red":                              "phase: missing",
		empty + " green act":                        `side to act "green": want red, blue`,
		empty + " red act slot=8":                   "slot=8: want 1 to 7",
		empty + " red act slot=2":                   "slot 2 is not that of red",
		empty + " red act slot=1":                   "slot 1: red does not control territory a",
		empty + " red act reserve=fb":               "reserve=fb: b: want the order",
		empty + " red act reserve=x":                "a copy of Mirror has no place there",
		empty + " red act reserve=bB":               "reserve=bB: B: the piece is elsewhere already",
		empty + " red act reserve=q":                `reserve=q: 'q': want a letter of`,
		empty + " red act reserve=bfdeamop":         "the reserve of red holds more than 7",
		empty + " red place first=1 turn=201":       "turn=201: want 1 to 200",
		empty + " red place seen=3":                 "seen=3: want 1 to 2",
		empty + " red draft":                        "drafts: want 1 to 2",
		empty + " red act drafts=1":                 "drafts: want 1 to 2",
		empty + " red fire":                         "phase fire: red has no Fire on the board",
		with("i.......f") + " red act lead=1":       "lead: only for the action of a territory's turn",
		with("eku......") + " red act slot=1 first": "unknown, or out of order",
		with("ekk......") + " red act":              "square 02: k: there is one of each kind",
		with("ek.......:") + " red act":             `line 1 of the board, "ek.......:": want 9 cells`,
		empty + "/......... red act":                "want 9 rows, with",
		empty + " red act under=k":                  "under: want a piece beneath",
		empty + " red power-push":                   "red has no Power on the board",
		with("p........") + " red power-push":       "phase power-push: there is nothing to decide",
	})
	for rules, want := range map[string]string{
		"layout=aaa":                      "1 rows: want 3 to 9",
		"layout=aaa:aaa:aa":               "row 2: 2 squares",
		"layout=aaa:aza:aa*":              "row 1, column 1: 'z'",
		"layout=www:www:www":              "0 goals: want one",
		"layout=aaa:a*a:aaa":              "no place area",
		"cycle=0":                         "want that of player 0 first",
		"cycle=1:0":                       "want that of player 0 first",
		"cycle=0:1:e":                     `slot 2: "e"`,
		"cycle=0:1:0:1:0:1:0:1:0:1:0:1:a": "13 slots: want at most 12",
	} {
		_, err := Family.Parse(rules)
		pagetest.Says(t, err, want, rules)
	}
}

// TestWhyNot: every rule that stands against a move has words of its own.
func TestWhyNot(t *testing.T) {
	g := pagetest.Open(t, &Family, "")
	const empty = "........./........./........./........./........./........./........./........./........."
	for _, c := range []struct{ rows, rest, word, want string }{
		{"", "red place first=1", "00-01", "the decision is a piece to place or to draft"},
		{"", "red place first=1", "place:fire-03", "Fire is not in the reserve"},
		{"", "red place first=1", "draft:king", `"king": no such piece`},
		{"", "red place first=1", "stop", "and one must be made"},
		{"", "red place first=1", "castle", "want FROM-TO"},
		{"b........", "red place reserve=f first=1", "place:fire-00", "empty squares of the place area"},
		{"b........", "red place reserve=f first=1", "draft:fire", "not in the draft area"},
		{"b........", "red act", "01-02", "no piece stands on 01"},
		{"b...F....", "red act", "04-05", "the piece on 04 is the opponent's"},
		{"bi.......", "red act", "00-10", "frozen by Ice"},
		{"bf.......", "red act", "00-01", "an own piece stands on 01"},
		{"b.f......", "red act", "00-03", "Balance goes up to 2 squares straight"},
		{"b........", "red act", "draft:fire", "the decision is an own piece to act with"},
		{"b........", "red act", "pull:up", "not possible now"},
		{"b........", "red act", "lead", "cannot act so now"},
		{"bk....f..", "red act slot=1", "06-18", "only pieces in territory a act"},
		{"..F......", "red act", "02-02", "the opponent's"},
		{"f........", "red fire", "00-21", "Fire steps to an adjacent square"},
	} {
		line := strings.Replace(empty, ".........", c.rows+"........."[len(c.rows):], 1) + " " + c.rest
		s, _ := pagetest.At(t, g, line)
		_, err := s.ParseAction(c.word, nil)
		pagetest.Says(t, err, c.want, line, c.word)
	}
	// Some pass over others, and some rules move otherwise.
	for _, c := range []struct{ rules, rows, rest, word, want string }{
		{"", "t........", "red act", "00-05", "Water goes up to 3 squares straight, over pieces too"},
		{"distance=exact", "t........", "red act", "00-05", "Water goes exactly 3 squares straight, over pieces too"},
		{"", "wbK......", "red act", "00-02", "Wood goes to an adjacent square, or removes an enemy up to 2 squares away, and nothing may be in between"},
		{"distance=exact", "b........", "red act", "00-01", "Balance goes exactly 2 squares straight, or swaps places with an enemy outside goal and neutral zone, and nothing may be in between"},
		{"", "y........", "red act", "00-05", "Infinity goes to any square of the 5×5 around it"},
		{"wind=bring-adjacent", "n..k.....", "red wind", "03-04", "Wind brings a piece to an empty square next to itself"},
		{"wind=bring-adjacent", "n..k.....", "red wind", "00-01", "Wind brings another piece"},
	} {
		line := strings.Replace(empty, ".........", c.rows, 1) + " " + c.rest
		s, _ := pagetest.At(t, pagetest.Open(t, &Family, c.rules), line)
		if _, err := s.ParseAction(c.word, nil); err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s by %s: %v, want %q", c.word, c.rules, err, c.want)
		}
	}
}

func FuzzPosition(f *testing.F) {
	const rules = "wind=bring-adjacent,ice_passives=true"
	g := pagetest.Open(f, &Family, rules)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	rng := rand.New(rand.NewPCG(1, 1))
	lines := []string{"........./........./........./........./....u..../........./........./........./......... red act under=x"}
	for n := 0; !s.Outcome().Over; n++ {
		if n%8 == 0 {
			lines = append(lines, string(s.AppendPosition(nil)))
		}
		legal := s.Legal(nil, h)
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
	pagetest.FuzzPosition(f, &Family, []string{rules}, lines...)
}

// FuzzLayout: whatever is accepted can be played.
func FuzzLayout(f *testing.F) {
	for _, o := range options[:2] {
		for _, x := range append(o.Data.Examples, o.Default) {
			f.Add(o.Name, x)
		}
	}
	f.Fuzz(func(t *testing.T, option, value string) {
		if option != "layout" && option != "cycle" {
			return
		}
		g, err := Family.New("", []string{option + "=" + value})
		if err != nil {
			return
		}
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for n := 0; n < 60 && !s.Outcome().Over; n++ {
			legal := s.Legal(nil, h)
			s.Apply(legal[(n*7)%len(legal)], h)
		}
	})
}

// TestTerms counts what the judge sees in a position, and that it does not allocate.
func TestTerms(t *testing.T) {
	g := pagetest.Open(t, &Family, "")
	s := g.NewState().(*State)
	// Red has Rock and Wood in a, frozen Sun, and Water in reserve; blue holds the goal
	// by Fire, and Infinity reaches it.
	if err := s.ParsePosition("k......../.w......./........./........./....F.Y../........./......uI./........./......... red act reserve=t"); err != nil {
		t.Fatal(err)
	}
	var counts [terms]int32
	danger := s.count(counts[:])
	for term, want := range map[int]int32{
		termBoard + rock: 1, termBoard + fire: -1, termBoard + ice: -1, termReserve + water: 1, termTerritories: 1, termNext: 1,
		termFrozen: 1, termGoal: -1, termReach: -1, termThreat: -1, termTempo: 1, termStage: 0, termCenter: 0 + 1 + 2 - 4 - 2 - 1,
	} {
		if counts[term] != want {
			t.Errorf("%s is counted %d times, want %d", termNames[term], counts[term], want)
		}
	}
	if !danger {
		t.Error("blue threatens to win, and red is not in danger")
	}
	j := g.(*Game).NewJudge()
	if n := testing.AllocsPerRun(100, func() { j.Judge(s, 0) }); n > 0 {
		t.Errorf("the judge allocates %v times", n)
	}
	if size := unsafe.Sizeof(State{}); size > 512 {
		t.Errorf("a state has %d bytes, want at most 512", size)
	}
}

// TestAsked: what is asked of a player offers stop exactly where it can be played besides
// something else.
func TestAsked(t *testing.T) {
	const rest = "/........./........./....k..../........./........./........./........./......... red "
	for _, c := range []struct {
		rules, position string
		want            bool
	}{
		{"", "h........" + rest + "act", true},
		{"act_pass=false", "h........" + rest + "act", false}, // Shadow's moves have higher numbers than stop
		{"act_pass=false", "nw......." + rest + "act", false}, // so has wind
		{"", "........." + rest + "place reserve=t", false},
		{"place_pass=true", "........." + rest + "place reserve=t", true},
	} {
		s, _ := pagetest.At(t, pagetest.Open(t, &Family, c.rules), c.position)
		asked := string(s.(*State).AppendAsked(nil))
		if got := strings.HasSuffix(asked, ", or stop"); got != c.want || got != slices.Contains(s.Legal(nil, nil), actionStop) {
			t.Errorf("%s, %s: asked for %q, legal %v", c.rules, c.position, asked, s.Legal(nil, nil))
		}
	}
}
