package sweep

import (
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/stats/rating"
)

// estimates are results with intervals of ±1.
func estimates(y ...float64) (list []rating.Estimate) {
	for _, v := range y {
		list = append(list, rating.Estimate{Value: v, Low: v - 1, High: v + 1})
	}
	return list
}

// made is a result as Sweep.Result makes it, of runs that were not done.
func made(t *testing.T, p Plan, responses ...Response) *Result {
	t.Helper()
	s := &Sweep{Plan: p, Runs: p.All()}
	r := &Result{Game: "connect4", Rules: "standard", CoreSeconds: p.CoreTime.Seconds(), CoresEach: 1}
	if len(p.Factors) > 0 {
		d := p.Design()
		r.Design = &Design{d.Resolution(), d.Generators(), aliases(d)}
		for _, f := range p.Factors {
			r.Factors = append(r.Factors, FactorResult(f))
		}
	}
	for i, run := range s.Runs {
		o := Outcome{Run: run, Order: i + 1, Generation: 5, Step: 100, Games: 40, Positions: 900, CoreSeconds: 60.5, Processes: 1, Counted: new(0.9)}
		for _, m := range responses {
			o.Values = append(o.Values, m.Values[i])
		}
		r.Runs = append(r.Runs, o)
	}
	for _, m := range responses {
		measured, err := s.measured(m)
		if err != nil {
			t.Fatal(err)
		}
		r.Measures = append(r.Measures, *measured)
	}
	return r
}

// TestTextOfADesign puts the numbers of stats/design's textbook example into a
// sweep.
func TestTextOfADesign(t *testing.T) {
	p := screen()
	for _, name := range []string{"window", "rate"} {
		p.Factors = append(p.Factors, Factor{Name: name, High: []string{name + "=1"}})
	}
	r := made(t, p, Response{Name: "score_64", What: "score", Unit: "percent", Values: estimates(45, 100, 45, 65, 75, 60, 80, 96)})
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"connect4, rules standard: 8 runs of 60 s of core time, cores for each: 1\n",
		"  network  model.blocks=4  model.blocks=5 model.channels=48\n",
		"  rate     as configured   rate=1\n",
		"design of resolution 4: rate = passes × network × window\nEffects are aliased with interactions: ",
		"run      seed  generation  steps  positions  core time  counted  processes  score_64, percent\n",
		"04-hhll  4     5           100    900        60.5 s     90 %     1          65.00 (64.00 to 66.00)\n",
		"mean 70.75 (46.37 to 95.13)\nstandard deviation of a run about the main effects 21.67, 3 degrees of freedom\n",
		"  passes   +19.00 (-29.76 to +67.76)\n",
		"  -18.50  passes × window = network × rate\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
	rows := r.rows()
	if got := strings.Join(rows[0], ","); got != "run,order,seed,passes,network,window,rate,generation,steps,games,positions,core_seconds,processes,counted,score_64,score_64_low,score_64_high" {
		t.Errorf("columns %s", got)
	}
	if got := strings.Join(rows[2], ","); got != "02-hllh,2,2,high,low,low,high,5,100,40,900,60.5,1,0.9,100,99,101" {
		t.Errorf("row %s", got)
	}
}

// TestAliasedMainEffectsAreNamed in a design of resolution III.
func TestAliasedMainEffectsAreNamed(t *testing.T) {
	p := screen()
	for _, name := range []string{"window", "rate", "noise"} {
		p.Factors = append(p.Factors, Factor{Name: name, High: []string{name + "=1"}})
	}
	var b strings.Builder
	if err := made(t, p).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"design of resolution 3: rate = passes × network, noise = passes × window\n",
		"  passes = network × rate = window × noise\n",
		"  noise = passes × window\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
}

// TestTextOfArms: the second arm is 2, 4 and 6 better, 4 ± 4.97 by Student's t with
// two degrees of freedom (4.303 · 2 / √3).
func TestTextOfArms(t *testing.T) {
	p := halving()
	elo := Response{Name: "elo", What: "tournament", Unit: "Elo", Relative: true, Values: estimates(0, 0, 0, 0, 0, 0)}
	elo.Values[2].Value = math.Inf(1)
	r := made(t, p, Response{Name: "score_64", What: "score", Unit: "percent", High: 100, Values: estimates(80, 82, 81, 82, 86, 87)}, elo)
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"intervals 95 %, Student's t over 3 runs (2 degrees of freedom), each for one number alone\n",
		"  arm     mean                    less base, over equal seeds\n",
		"  base    81.00 (78.52 to 83.48)  \n",
		"  gumbel  85.00 (78.43 to 91.57)  +4.00 (-0.97 to +8.97)\n",
		"tournament, in Elo\nno means: run base-9 has no finite result\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "aliased") {
		t.Error("arms are aliased with nothing")
	}
	if got := strings.Join(r.rows()[3], ","); got != "base-9,3,9,base,5,100,40,900,60.5,1,0.9,81,80,82,,-1,1" {
		t.Errorf("row %s", got)
	}
}

// TestRunsAlikeHaveNoInterval: where all runs of an arm lose every game nothing tells how
// far others would differ.
func TestRunsAlikeHaveNoInterval(t *testing.T) {
	var b strings.Builder
	if err := made(t, halving(), Response{Name: "score_64", What: "score", Unit: "percent", High: 100, Values: estimates(0, 0, 0, 0.1, 0.1, 0.1)}).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  base    0.00 (? to ?)  \n", "  gumbel  0.10 (? to ?)  +0.10 (? to ?)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
}

// TestIntervalsEndWhereValuesDo: Student's interval of 60 and 90 % by one degree of
// freedom is 75 ± 190.6.
func TestIntervalsEndWhereValuesDo(t *testing.T) {
	p := halving()
	p.Arms, p.Seeds = p.Arms[:1], 2
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	r := Response{High: 100, Unit: "percent", Values: estimates(60, 90)}
	got := made(t, p, r).Measures[0].Arms[0].Mean
	if got != (rating.Estimate{Value: 75, Low: 0, High: 100}) {
		t.Errorf("mean %v, want 75 from 0 to 100", got)
	}
	d := rating.Estimate{Value: 20, Low: -120, High: 160}
	if r.cut(&d, r.Low-r.High, r.High-r.Low); d != (rating.Estimate{Value: 20, Low: -100, High: 100}) {
		t.Errorf("difference %v, want 20 from -100 to 100", d)
	}
}

// TestTextOfOneArm: 3, 5 and 7 have the mean 5 and a standard deviation of 2.
func TestTextOfOneArm(t *testing.T) {
	p := halving()
	p.Arms = p.Arms[:1]
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r := made(t, p, Response{Name: "score_64", What: "score", Unit: "percent", Values: estimates(3, 5, 7)},
		Response{Name: "elo", What: "tournament", Unit: "Elo", Relative: true, Values: estimates(-2, 0, 2)})
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  base: mean 5.00 (0.03 to 9.97), standard deviation between runs 2.00\n", "  base: standard deviation between runs 2.00\n"} {
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "less base") {
			t.Errorf("want %q, and nothing is compared:\n%s", want, b.String())
		}
	}
}
