package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/spf13/cobra"
)

// heuristicsDone is what was played and judged of these sizes.
type heuristicsDone struct {
	cfg      heuristics.Config
	matches  []*match.Result
	games    []heuristics.Game // of the networks, then of on and off
	networks int               // games of the networks
	asked    []heuristics.Asked
	verdicts [][]heuristics.Verdict
}

// play does all that is missing at these sizes.
func (w *heuristicsWork) play(ctx context.Context, c *cobra.Command, cfg heuristics.Config) error {
	d := heuristicsDone{cfg: cfg}
	var err error
	var more []heuristics.Game
	if d.matches, more, err = w.onOff(ctx, c, &cfg); err != nil {
		return err
	}
	if d.games, err = w.games(ctx, c, cfg.Games); err != nil {
		return err
	}
	d.networks = len(d.games)
	d.games = append(d.games, more...)
	d.asked = heuristics.Ask(d.games, d.networks, heuristics.Limits{PerGame: cfg.PerGame, Most: cfg.Most}, cfg.Seed)
	d.verdicts, err = w.judge(ctx, c, &d)
	w.done = d
	return err
}

// finish makes the result of what was done.
func (w *heuristicsWork) finish(ctx context.Context, c *cobra.Command, stop *sheet.Stop) (experimentResult, []experimentFile, error) {
	f, d := w.flags, &w.done
	in := &heuristics.Input{
		GameVersion: w.game.Info().Version, Rules: w.game.Rules(), Networks: f.networks, Weights: map[string]string{}, Config: d.cfg, Command: w.command(&d.cfg), Stopped: stop,
		Matches: d.matches, Asked: d.asked, Verdicts: d.verdicts,
	}
	for i, n := range f.networks {
		in.Weights[n] = w.hashes[i]
	}
	if err := w.observe(ctx, c, in, d.games[:d.networks]); err != nil {
		return nil, nil, err
	}
	r := heuristics.Build(in)
	files := []experimentFile{{"report.txt", r.WriteText}, {"report.html", r.WriteHTML}}
	tables := r.CSV()
	tables["choices.csv"] = in.Choices(d.games)
	for name, rows := range tables {
		files = append(files, experimentFile{name, func(w io.Writer) error { return sheet.WriteCSV(w, rows) }})
	}
	return r, files, nil
}

// onOff plays the matches of each rule. All begin with the same openings. Of their games
// it returns some for choices that are rare in games of networks: the first ones of each
// rule, three times as many in all as the networks play; the first of all rules, then
// the second ones, so that none comes up more than others.
func (w *heuristicsWork) onOff(ctx context.Context, c *cobra.Command, sizes *heuristics.Config) ([]*match.Result, []heuristics.Game, error) {
	cfg := match.Config{
		Pairs: w.flags.cfg.Pairs, OpeningTurns: heuristics.OpeningTurns, MaxTurns: w.flags.cfg.MaxTurns, Workers: w.flags.workers,
		Seed: seed.Number(w.flags.cfg.Seed, "heuristics matches", 0),
	}
	openings, err := match.RandomOpenings(ctx, w.game, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		return nil, nil, err
	}
	rules := heuristics.Rules()
	control := w.matches[len(rules)]
	var list []*match.Result
	each := min(2*sizes.Pairs, (3*sizes.Games+len(rules)-1)/len(rules))
	more := make([]heuristics.Game, each*len(rules))
	until := cfg // what there is now, of series of all that was asked for
	until.Pairs = sizes.Pairs
	for i := range rules {
		series := match.MatchSeries(cfg, w.game, w.matches[i].Contestant(w.game), control.Contestant(w.game), openings)
		series.Until = 2 * sizes.Pairs
		summary := func(games []match.Game) *match.Result {
			r := match.Summarise(until, series, games)
			r.Games = nil // they have files of their own
			return r
		}
		work := &shell.Series{
			Env: w.flags.env, Kind: "heuristics", Dir: w.flags.folderOf("only-" + rules[i].ID), Players: []string{w.matches[i].Text, control.Text}, Series: series,
			Result: func(games []match.Game) (any, error) { return summary(games), nil },
		}
		var tally match.Tally
		work.Counted = func(g *match.Game) bool { tally.Add(g.Points); return true }
		work.Progress = func() string {
			return fmt.Sprintf("%d of %d: %s on and off, +%d =%d -%d", i+1, len(rules), rules[i].ID, tally.Wins, tally.Draws, tally.Losses)
		}
		games, err := work.Play(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		games = games[:series.Until]
		list = append(list, summary(games))
		for k := range each {
			if more[k*len(rules)+i], err = heuristics.FromSeries(w.game, &games[k]); err != nil {
				return nil, nil, err
			}
		}
	}
	return list, more, nil
}

// games has the networks play each other and themselves, in turn, from the start, with
// their first decisions drawn, and returns so many games.
func (w *heuristicsWork) games(ctx context.Context, c *cobra.Command, until int) ([]heuristics.Game, error) {
	cfg := &w.flags.cfg
	series := &match.Series{
		Game: w.game, MaxTurns: cfg.MaxTurns, Workers: w.flags.workers, Seed: seed.Number(cfg.Seed, "heuristics games", 0), Until: until,
		Openings: &match.Openings{Source: "the start", List: []match.Opening{{}}},
	}
	work := &shell.Series{Env: w.flags.env, Kind: "heuristics-games", Dir: w.flags.folderOf("games"), Series: series}
	for _, p := range w.players {
		one, err := p.Sampled(w.game, player.Sampling{Decisions: cfg.Sampled, Temperature: 1})
		if err != nil {
			return nil, err
		}
		series.Contestants = append(series.Contestants, one, one) // none plays itself in a series
		work.Players = append(work.Players, p.Text, p.Text)
	}
	for len(series.Schedule) < cfg.Games/2 {
		for i := range w.players {
			for k := i; k < len(w.players) && len(series.Schedule) < cfg.Games/2; k++ {
				series.Schedule = append(series.Schedule, match.Pair{A: 2 * i, B: 2*k + 1})
			}
		}
	}
	work.Progress = func() string { return "of the networks, to draw choices from" }
	work.Result = func(games []match.Game) (any, error) {
		return struct {
			Games int `json:"games"`
		}{len(games)}, nil
	}
	played, err := work.Play(ctx, c)
	if err != nil {
		return nil, err
	}
	var list []heuristics.Game
	for i := range played[:until] {
		g, err := heuristics.FromSeries(w.game, &played[i])
		if err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, nil
}

// newJudge makes the players of one worker.
func (w *heuristicsWork) newJudge() (*heuristics.Judge, error) {
	j := &heuristics.Judge{}
	for i := range w.judges {
		for _, x := range []struct {
			list *[]player.Analyst
			spec *player.Spec
		}{{&j.Choosers, w.choosers[i]}, {&j.Judges, w.judges[i]}} {
			p, err := x.spec.New(w.game)
			if err != nil {
				return nil, err
			}
			*x.list = append(*x.list, p.(player.Analyst))
		}
	}
	return j, nil
}

// judge asks about the choices that no verdicts are kept of.
func (w *heuristicsWork) judge(ctx context.Context, c *cobra.Command, d *heuristicsDone) ([][]heuristics.Verdict, error) {
	asked := d.asked
	verdicts := make([][]heuristics.Verdict, len(asked))
	journal := &verdictJournal{path: w.flags.folderOf("verdicts.jsonl")}
	kept, err := journal.open(len(w.judges))
	if err != nil {
		return nil, err
	}
	defer journal.close()
	known := 0
	for i := range asked {
		if verdicts[i] = kept[keyOf(&asked[i], d.networks)]; verdicts[i] != nil {
			known++
		}
	}
	if known > 0 && known < len(asked) {
		fmt.Fprintf(c.ErrOrStderr(), "%s: %s judged before\n", w.flags.out, shell.Count(known, "choice"))
	}
	b := shell.NewBar(c.ErrOrStderr(), len(asked), "choices")
	defer b.Clear()
	workers := w.flags.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type answer struct {
		at       int
		verdicts []heuristics.Verdict
		err      error
	}
	answers := make(chan answer) // the journal is one goroutine's
	ended := make(chan struct{}, workers)
	for n := range workers {
		go func() {
			defer func() { ended <- struct{}{} }()
			j, err := w.newJudge()
			if err != nil {
				answers <- answer{err: err}
				return
			}
			s, h := w.game.NewState().(*konreh.State), w.game.NewHistory()
			for at := range asked {
				if at%workers != n || verdicts[at] != nil {
					continue
				}
				asked[at].Position(d.games, s, h)
				list, err := j.Ask(ctx, s, h, &asked[at])
				answers <- answer{at, list, err}
				if err != nil {
					return
				}
			}
		}()
	}
	var failed error
	for running := workers; running > 0; {
		select {
		case <-ended:
			running--
		case a := <-answers:
			if a.err == nil {
				// Workers look at none but their own, this one among them, which is done.
				a.err = journal.append(keyOf(&asked[a.at], d.networks), a.verdicts)
			}
			if a.err != nil {
				if failed == nil {
					failed = a.err
				}
				cancel(a.err)
				continue
			}
			verdicts[a.at] = a.verdicts
			known++
			b.Set(known, "judged")
		}
	}
	return verdicts, failed
}

// observe looks at recorded games, or at those of the networks if none were asked for.
func (w *heuristicsWork) observe(ctx context.Context, c *cobra.Command, in *heuristics.Input, games []heuristics.Game) error {
	var scan heuristics.Scanner
	if len(w.shards) == 0 {
		in.Source = fmt.Sprintf("the networks at %d simulations a move", w.flags.cfg.Sims)
		for i := range games {
			in.Observed = append(in.Observed, scan.Observe(&games[i]))
		}
		return ctx.Err()
	}
	in.Source = "recorded self-play"
	b := shell.NewBar(c.ErrOrStderr(), w.flags.records, "recorded games")
	defer b.Clear()
	l := newLibrary(w.flags.env.Families)
	for _, f := range slices.Backward(w.shards) { // the newest first
		if len(in.Observed) >= w.flags.records {
			break
		}
		s, _, err := l.open(f.path)
		if err != nil {
			return err
		}
		err = l.eachGame(s, func(g *recordedGame) error {
			k, ok := g.game.(*konreh.Game)
			if !ok || len(in.Observed) >= w.flags.records || !sameRules(k, w.game) {
				return ctx.Err()
			}
			played := heuristics.Game{Rules: k}
			if err := g.replay(func(s *record.Step) { played.Actions = append(played.Actions, s.Action) }); err != nil {
				return err
			}
			played.First = match.Points(g.replayer.Outcome(), true)
			in.Observed = append(in.Observed, scan.Observe(&played))
			b.Set(len(in.Observed), "observed")
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if len(in.Observed) == 0 {
		return fmt.Errorf("--run: no games of konreh by rules %s in %s", w.game.Rules(), shell.Count(len(w.shards), "shard"))
	}
	return nil
}

// sameRules compares rules but for the turns after which games end.
func sameRules(a, b *konreh.Game) bool {
	word := func(g *konreh.Game) string {
		s, err := konreh.Family.Settings(shell.SplitRules(g.Rules()))
		if err != nil {
			panic("BUG: " + err.Error()) // it is that of a game
		}
		delete(s.Values, engine.LengthOption)
		return fmt.Sprint(s.Values)
	}
	return word(a) == word(b)
}

// plan says what will be done and how long that takes, by rates measured in a moment.
func (w *heuristicsWork) plan(ctx context.Context, c *cobra.Command) error {
	cfg := &w.flags.cfg
	kinds := 0
	for _, q := range heuristics.Questions() {
		kinds += len(q.Levels)
	}
	rules := heuristics.Rules()
	pilots := make([]pilot, 2) // of on and off, and of the networks
	for i, p := range []*player.Spec{w.matches[0], w.players[0]} {
		var err error
		pilots[i], err = watch(ctx, cfg.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
			return w.game, p.Contestant(w.game), seed.Number(cfg.Seed, "heuristics pilot", uint64(number)), nil
		})
		if err != nil {
			return err
		}
	}
	search := float64(pilots[1].decision) / float64(cfg.Sims) // a simulation
	game := func(p *pilot) float64 { return p.decisions * float64(p.decision) }
	choices := min(cfg.Most, cfg.PerGame*cfg.Games) * kinds
	simulations := float64(choices * len(w.judges) * (cfg.ChooseSims + 2*cfg.JudgeSims))
	total := time.Duration(float64(2*cfg.Pairs*len(rules))*game(&pilots[0]) + float64(cfg.Games)*game(&pilots[1]) + simulations*search)
	p := w.flags.planner(c)
	p.line("plan", "%s: %d games each on and off", shell.Count(len(rules), "rule"), 2*cfg.Pairs)
	p.line("games", "%d of %s to draw choices from", cfg.Games, shell.Count(len(w.players), "network"))
	p.line("choices", "at most %d of %d kinds, by %s: up to %s simulations", choices, kinds, shell.Count(len(w.judges), "network"), rounded(simulations))
	p.time(total, w.flags.workers, "if no choice is rare, by what two players did in a moment")
	p.end()
	return nil
}
