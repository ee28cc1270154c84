package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// seriesOf is a small tournament of these players.
func seriesOf(t *testing.T, texts ...string) *match.Series {
	t.Helper()
	family, err := games.All().ByName("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	g, err := family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	var list []match.Contestant
	for _, text := range texts {
		spec, err := player.Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, spec.Contestant(g))
	}
	cfg := match.Config{Pairs: 6, OpeningTurns: 2, Workers: 1, Seed: 3}
	openings, err := match.RandomOpenings(t.Context(), g, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := match.NewSeries(cfg, g, list, false, openings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func makeContestant(g engine.Game, of *match.Portable, _ string) (match.Contestant, error) {
	spec, err := player.Parse(of.Text, nil)
	if err != nil {
		return match.Contestant{}, err
	}
	return spec.Contestant(g), nil
}

// lines are the games of a series as its journal has them.
func lines(t *testing.T, list []match.Game) (all []string) {
	t.Helper()
	for i := range list {
		line, err := gameLine(&list[i])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(line))
	}
	return all
}

// liar sends games of a series with another end than they had.
type liar struct{ *seriesCraft }

func (l liar) pack(head parcelHead, games []*result) (*Parcel, error) {
	for _, f := range games {
		g := *f.game.(*match.Game)
		g.Points = 1 - g.Points
		if g.Points == 0.5 {
			g.Points = 1
		}
		f.game = &g
	}
	return l.seriesCraft.pack(head, games)
}

// TestSeriesUnderFaults plays two series, one in two rounds, by workers whose links lose,
// delay, repeat and damage messages and who are stopped, for hosts that come and go, and
// demands the games of one machine in the order of the schedule. In some schedules leases
// are audited.
func TestSeriesUnderFaults(t *testing.T) {
	all := []*match.Series{seriesOf(t, "mcts:sims=8", "minimax:depth=1", "random"), seriesOf(t, "random", "mcts:sims=4")}
	var want [][]string
	for _, s := range all {
		list, err := s.Run(t.Context(), nil, match.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, lines(t, list))
	}
	hosts := 0
	schedules := uint64(9)
	if testing.Short() {
		schedules = 3
	}
	for n := range schedules {
		synctest.Test(t, func(t *testing.T) { hosts += seriesFaults(t, all, want, n) })
	}
	if hosts <= int(schedules) {
		t.Errorf("%d hosts: want some that did not live to the end", hosts)
	}
}

func seriesFaults(t *testing.T, all []*match.Series, want [][]string, n uint64) (hosts int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := &office{kept: map[string][]byte{}}
	spools := t.TempDir()
	var workers sync.WaitGroup
	for i := range 3 {
		link := &badLink{o: o, rng: rand.New(rand.NewPCG(n, uint64(i)+2)), bad: []float64{0, 0.2, 0.4}[n%3]}
		life := rand.New(rand.NewPCG(n, uint64(i)+100))
		workers.Go(func() {
			for ctx.Err() == nil {
				spool := spoolOf(t, filepath.Join(spools, fmt.Sprint(i)))
				living, stop := context.WithTimeout(ctx, time.Duration(1+life.IntN(200))*time.Second)
				err := NewWorker(WorkerOptions{Link: link, Spool: spool, Games: games.All(), Cores: 1, Contestant: makeContestant}).Run(living)
				stop()
				if err != nil && living.Err() == nil {
					t.Errorf("worker %d: %v", i, err)
				}
				if left, _ := spool.Waiting(""); err == nil && len(left) > 0 {
					t.Errorf("worker %d ends with %d parcels without a receipt", i, len(left))
				}
				if err := spool.Close(); err != nil {
					t.Error(err)
				}
				if err == nil {
					return
				}
			}
		})
	}
	// The journals: what survives a host.
	kept := make([][]match.Game, len(all))
	rounds := []struct{ series, until int }{{0, 10}, {1, 0}, {0, 0}}
	rng := rand.New(rand.NewPCG(n, 1))
	for over := false; !over; {
		hosts++
		h, err := NewSeriesHost("s", "id", false, HostOptions{Audit: 0.5 * float64(n%2)})
		if err != nil {
			t.Fatal(err)
		}
		alive := 24 * time.Hour
		if hosts < 4 {
			alive = time.Duration(1+rng.IntN(20)) * time.Second
		}
		living, end := context.WithTimeout(ctx, alive)
		o.open(living, h)
		over = true
		for _, r := range rounds {
			s := *all[r.series]
			s.Until = r.until
			_, err := s.Run(match.WithElsewhere(living, h), kept[r.series], match.Hooks{Finished: func(g *match.Game) error {
				kept[r.series] = append(kept[r.series], *g)
				return nil
			}})
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			over = over && err == nil
		}
		if over {
			h.Over()
			time.Sleep(30 * time.Minute)
		}
		if f := h.Describe().Faults; f.Refused > 0 || f.Differing > 0 {
			t.Errorf("schedule %d: %+v, want nothing refused", n, f)
		}
		o.leave()
		end()
		time.Sleep(time.Duration(rng.IntN(600)) * time.Second)
	}
	cancel()
	workers.Wait()
	o.takes.Wait()
	for i := range all {
		if !slices.Equal(lines(t, kept[i]), want[i]) {
			t.Errorf("schedule %d: series %d has other games, or in another order, than on one machine", n, i)
		}
	}
	return hosts
}

// TestSeriesThatCannotTravel are refused before a game.
func TestSeriesThatCannotTravel(t *testing.T) {
	h, err := NewSeriesHost("s", "id", false, HostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	timed, own := seriesOf(t, "random", "mcts:time=1ms"), seriesOf(t, "random", "random")
	own.Contestants[1].Portable = nil
	clock := seriesOf(t, "random", "random")
	clock.Clock = match.TimeControl{Base: time.Second}
	for _, c := range []struct {
		s    *match.Series
		want string
	}{{timed, "limited by time"}, {clock, "limited by time"}, {own, "other machines cannot make it"}} {
		_, err := c.s.Run(match.WithElsewhere(t.Context(), h), nil, match.Hooks{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestLiesAboutSeriesAreRefused: a game whose result its moves contradict does not count.
func TestLiesAboutSeriesAreRefused(t *testing.T) {
	s := seriesOf(t, "random", "minimax:depth=1")
	h, err := NewSeriesHost("s", "id", false, HostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	played := make(chan error, 1)
	go func() {
		played <- h.PlaySeries(ctx, s, []int{0, 1}, func(*match.Game) error { t.Error("it counts"); return nil })
	}()
	if err := h.Known(ctx); err != nil {
		t.Fatal(err)
	}
	var list []*result
	err = s.Play(ctx, 1, counter(2), func(g *match.Game) error {
		list = append(list, &result{number: int64(g.Number) - 1, game: g})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorker(WorkerOptions{Cores: 1, Contestant: makeContestant})
	honest, err := newSeriesCraft(w)
	if err != nil {
		t.Fatal(err)
	}
	p, err := liar{honest}.pack(parcelHead{Task: h.c.task, Worker: "v"}, list)
	if err == nil {
		err = h.Take(ctx, p.Digest, p.Data, func() {})
	}
	if err != nil {
		t.Fatal(err)
	}
	r := h.Report(&Report{Worker: "v", Run: "id", Kernel: Kernel(), Build: Build(), Waiting: []Waiting{{Digest: p.Digest, Run: "id", Weights: h.digest, End: 2}}})
	if len(r.Receipts) != 1 || !strings.Contains(r.Receipts[0].Refused, "points for A") {
		t.Errorf("receipts %+v, want a refusal that names the points", r.Receipts)
	}
	cancel()
	if err := <-played; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// counter hands out the numbers below n.
func counter(n int) func(context.Context) (int, error) {
	i := -1
	return func(context.Context) (int, error) {
		if i++; i == n {
			return 0, io.EOF
		}
		return i, nil
	}
}
