package balance

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
)

func network(t *testing.T, name string, simulations int) study.Participant {
	return study.Participant{Spec: spec(t, "mcts:sims="+sheet.Number(float64(simulations))), Network: name, Simulations: simulations}
}

// input makes games in which, of ten from each start, the first player wins the given
// number and loses the rest, by all players alike.
func input(t *testing.T, players []study.Participant, wins ...int) *Input {
	t.Helper()
	list, err := Variants(family(t, "konreh"), "", []string{"balance=single,double-move,pie"})
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Game: "konreh", GameVersion: 1, Rules: "standard", Config: DefaultConfig(), Players: players}
	in.Config.Games = 10
	for i, n := range wins {
		v := VariantInput{Variant: list[i], KindNames: []string{"capture", "Seed"}}
		if i == 1 {
			v.Starts = treeOf(2, 2) // instead of 128 starts
		}
		for p := range players {
			for temperature := range in.Config.Temperatures {
				for start, one := range v.Starts.List {
					for k := range in.Config.Games {
						g := Played{Cell: Cell{p, temperature, start}, Number: k + 1, Turns: 100 + k, Decisions: 110, Reason: "reforge", Kinds: []int{k, 0}, Opening: sheet.Number(float64(k))}
						if k < n {
							g.First = 1
						}
						g.SideA, g.Swapped = g.First, strings.HasSuffix(one.Words, "swap")
						if g.Swapped {
							g.SideA = 1 - g.First
						}
						v.Played = append(v.Played, g)
					}
				}
			}
		}
		in.Variants = append(in.Variants, v)
	}
	return in
}

func TestBuildCountsEverythingApart(t *testing.T) {
	r := Build(input(t, []study.Participant{network(t, "a", 8), network(t, "a", 32)}, 8, 5, 3))
	g := r.Variants[0].main()
	if g.Label != "networks, sims=32" || g.Games != 20 || g.Basis != resample.Games {
		t.Errorf("main group %s of %d games about %s", g.Label, g.Games, g.Basis)
	}
	if e := g.measure(MeasureDelta); math.Abs(e.Value-0.3) > 1e-12 || e.Low >= 0.3 || e.High <= 0.3 || e.High > 0.5 {
		t.Errorf("δ %+v, want 0.3", e)
	}
	if g.First != (match.Tally{Wins: 16, Losses: 4}) || g.Starts != 1 {
		t.Errorf("first %v from %d starts", g.First, g.Starts)
	}
	pie := r.Variants[2].main()
	if pie.First != (match.Tally{Wins: 48, Losses: 112}) || pie.Starts != 8 || len(r.Variants[2].Starts) != 8 {
		t.Errorf("pie: first %v from %d starts", pie.First, pie.Starts)
	}
	// Who may exchange sides does so or not, as all starts are alike: side A's score follows.
	if first, a, swapped := pie.measure(MeasureFirst).Value, pie.measure(MeasureSideA).Value, pie.measure(MeasureSwapped).Value; math.Abs(first-0.3) > 1e-12 ||
		math.Abs(a-(0.3+0.4*swapped)) > 0.1 || swapped <= 0 || swapped >= 1 {
		t.Errorf("pie: first player %g, side A %g, exchanged %g", first, a, swapped)
	}
	if e := g.measure("capture"); e.Value != 4.5 || !(e.Low < 4.5 && e.Low > 2) {
		t.Errorf("captures %v, want 4.5", e)
	}
	if c := g.Cells[1]; c.Temperature != 1 || c.Games != 10 || c.Openings != 10 || math.Abs(c.EffectiveOpenings-10) > 1e-9 {
		t.Errorf("cell %+v", c)
	}
	share := 0.0
	for _, one := range r.Variants[2].Starts {
		share += one.Chosen
		if one.Games != 20 || math.Abs(one.Score.Value-0.3) > 1e-12 || len(one.Players) != 1 {
			t.Errorf("pie: %+v, want 20 games", one)
		}
	}
	if math.Abs(share-1) > 1e-9 || r.Variants[0].Starts != nil || r.Variants[0].Chosen != "" {
		t.Errorf("choices add up to %g; of single %q", share, r.Variants[0].Chosen)
	}
	if len(r.Comparisons) != 4 || r.Comparisons[0].Main || !r.Comparisons[1].Main {
		t.Fatalf("comparisons %+v", r.Comparisons)
	}
	if c := r.Comparisons[1]; math.Abs(c.Distance.Value+0.3) > 1e-12 || math.Abs(c.Change.Value+0.3) > 1e-12 || c.Condition != NotChecked || c.Verdict != NoVerdict || c.PHolm == nil || *c.PHolm < c.P {
		t.Errorf("double-move against single: %+v", c)
	}
}

func TestSummaryClaimsNoMoreThanTheData(t *testing.T) {
	text := func(r *Result) string { return strings.Join(r.Summary, "\n") }
	one := Build(input(t, []study.Participant{network(t, "a", 8)}, 8, 5, 3))
	for _, want := range []string{"nothing is known about other networks", "no verdict", "not checked", "½ by construction"} {
		if !strings.Contains(text(one), want) {
			t.Errorf("one network: the summary does not say %q:\n%s", want, text(one))
		}
	}
	for _, want := range []string{
		"balance=single: In 20 games from its one start the first player scored 80.0 %",
		"balance=pie: 16 lines settle the start in 8 different positions, with 20 games each. With the start chosen by one half of the games and scored in the other the first player scored 30.0 %",
		"All games together choose a4c4 hold, as ",
		"balance=single has no compensation and shows an advantage of the first player",
	} {
		if !strings.Contains(text(one), want) {
			t.Errorf("the summary does not say %q:\n%s", want, text(one))
		}
	}
	if s := text(one); strings.Index(s, "has no compensation") > strings.Index(s, "16 lines settle") {
		t.Errorf("the summary speaks of compensation before it says whether there is anything to compensate:\n%s", s)
	}
	even := input(t, []study.Participant{network(t, "a", 8)}, 5, 5)
	if s := text(Build(even)); !strings.Contains(s, "balance=single has no compensation and shows no advantage of either seat") {
		t.Errorf("an even start without compensation:\n%s", s)
	}
	three := Build(input(t, []study.Participant{network(t, "a", 8), network(t, "b", 8), network(t, "c", 8)}, 8, 5))
	if s := text(three); three.Variants[0].main().Basis != resample.Networks || strings.Contains(s, "nothing is known") || !strings.Contains(s, "trained independently") || strings.Contains(s, "by construction") {
		t.Errorf("three networks:\n%s", s)
	}
	none := Build(input(t, []study.Participant{{Spec: spec(t, "minimax:depth=1")}}, 8, 5))
	if s := text(none); !strings.Contains(s, "No network has played") || strings.Contains(s, "no verdict") || none.Comparisons[0].Condition != "no network" {
		t.Errorf("no network:\n%s", s)
	}
	in := input(t, []study.Participant{network(t, "a", 8)}, 10, 5)
	in.Config.Games = 10
	in.Variants[1].NotTrained = []string{"a"}
	in.Checks = []Check{{Variant: in.Variants[1].Name, Status: NotMet, Match: &match.Result{}}}
	refused := Build(in)
	if c := refused.Comparisons[0]; c.Verdict != NoVerdict || c.Found == NoVerdict {
		t.Errorf("the condition is not met: %+v", c)
	}
	// Plenty of games and both networks checked: the verdict stands.
	in = input(t, []study.Participant{network(t, "a", 8)}, 9, 5)
	for i := range in.Variants {
		for range 40 {
			in.Variants[i].Played = append(in.Variants[i].Played, in.Variants[i].Played[:20]...)
		}
		in.Checks = append(in.Checks, Check{Variant: in.Variants[i].Name, Status: Met, Match: &match.Result{}})
	}
	if s := text(Build(in)); !strings.Contains(s, "balance=double-move against balance=single: fairer, ") || strings.Contains(s, "no verdict") {
		t.Errorf("the condition is met:\n%s", s)
	}
	if s := text(refused); !strings.Contains(s, "no verdict") || !strings.Contains(s, "Not trained on these rules: a") {
		t.Errorf("the condition is not met:\n%s", s)
	}
}

func TestFavoursSaysWhatTheIntervalShows(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.03, 0.1, "the first player is favoured by more than"}, {-0.1, -0.03, "the second player is favoured by more than"},
		{-0.01, 0.02, "neither player"}, {0.01, 0.1, "the first player is favoured; whether"}, {-0.1, -0.01, "the second player is favoured; whether"},
		{-0.1, 0.1, "do not tell"}, {0.005, 0.015, "neither player"},
	} {
		if got := favours(rating.Estimate{Low: c.low, High: c.high}, 0.02); !strings.Contains(got, c.want) {
			t.Errorf("δ from %g to %g: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

func TestWritersAgreeAndNeedNothingElse(t *testing.T) {
	in := input(t, []study.Participant{network(t, "a", 8), network(t, "a<b>", 32)}, 8, 5, 3)
	in.Variants[0].Played[0].Repeats = true
	r := Build(in)
	var text, page, again bytes.Buffer
	if err := r.Report().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.Report().WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if err := back.Report().WriteText(&again); err != nil || again.String() != text.String() {
		t.Errorf("a result that was read back says something else: %v\n%s\n%s", err, again.String(), text.String())
	}
	for _, want := range []string{"+30.0", "80.0 (", "In no game: Seed", "repeat an earlier one"} {
		if !strings.Contains(text.String(), want) || !strings.Contains(page.String(), strings.ReplaceAll(want, "+", "&#43;")) {
			t.Errorf("text or page lacks %q", want)
		}
	}
	for _, foreign := range []string{"http://", "https://", "<script", "src=", "NaN", "Inf"} {
		if strings.Contains(page.String(), foreign) {
			t.Errorf("the page has %q", foreign)
		}
	}
	if n := strings.Count(page.String(), "<svg"); n < 5 {
		t.Errorf("%d plots", n)
	}
	for _, drawn := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page.String(), -1) {
		d := xml.NewDecoder(strings.NewReader(drawn))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("a plot is no XML: %v", err)
			}
		}
	}
	for _, table := range append(r.CSV(), in.Games()) {
		name := table.Name
		var b bytes.Buffer
		if err := table.Write(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll() // refuses rows of other lengths
		if err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
		if name == "games.csv" && len(rows) != 1+2*2*10*(1+4+8) {
			t.Errorf("%d rows of games", len(rows))
		}
	}
}

// One network meets the tuned ones; a verdict is about all of them.
func TestSummarySaysWhoMetTheCondition(t *testing.T) {
	for _, c := range []struct {
		r    Result
		want bool
	}{
		{Result{Networks: []string{"one", "two"}, Checks: []Check{{}}}, true},
		{Result{Networks: []string{"one"}, Checks: []Check{{}}}, false},
		{Result{Networks: []string{"one", "two"}}, false},
	} {
		if got := strings.Contains(strings.Join(c.r.caveats(), " "), "Of the networks one alone has met"); got != c.want {
			t.Errorf("%d networks, %d checks: the summary says so: %v, want %v", len(c.r.Networks), len(c.r.Checks), got, c.want)
		}
	}
}
