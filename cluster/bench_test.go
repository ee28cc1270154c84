package cluster

import (
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
)

// BenchmarkParcel is what a host does for a position that comes from a worker, and its
// parts; search is what the worker does for it, with the smallest search there is of a
// small network.
func BenchmarkParcel(b *testing.B) {
	cfg := plan.DefaultConfig()
	cfg.Game, cfg.Rules, cfg.Generations, cfg.Workers = "konreh", "blitz", 1, 1
	cfg.Model.Blocks, cfg.Model.Channels = 2, 16
	cfg.SelfPlay.Search.Simulations = 16
	weights := network(b, &cfg, 0, b.TempDir())
	rules, err := cfg.NewRules(games.All())
	if err != nil {
		b.Fatal(err)
	}
	info := rules.Game.Info()
	player, err := play.PlayerOf(&cfg, rules, 0, weights, nil)
	if err != nil {
		b.Fatal(err)
	}
	var list []*selfplay.Finished
	rows := 0
	play := func() {
		list, rows = nil, 0
		job := selfplay.Job{Game: rules.Game, Run: "r", Seed: 1, Workers: 1, Source: &selfplay.Range{Count: 8, Player: player}}
		if err := selfplay.Run(b.Context(), cfg.SelfPlay, job, func(f *selfplay.Finished) error {
			list = append(list, f)
			rows += len(f.Rows)
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	play()
	head := parcelHead{Task: Task{Run: "r"}, Worker: "w"}
	p, err := packGames(head, list)
	if err != nil {
		b.Fatal(err)
	}
	h := &Host{rules: rules, judge: newJudge(&cfg, rules)}
	var shard []record.Row
	for _, x := range []struct {
		name string
		do   func()
	}{
		{"search", play},
		{"pack", func() {
			if _, err := packGames(head, list); err != nil {
				b.Fatal(err)
			}
		}},
		{"unpack", func() { // and replay, check and sum
			_, games, err := h.unpack(p.Digest, p.Data)
			if err != nil {
				b.Fatal(err)
			}
			shard = shard[:0]
			for _, f := range games {
				shard = append(shard, f.game.(*selfplay.Finished).Rows...)
			}
		}},
		{"shard", func() { // what a run alone does as well
			if _, _, err := record.Marshal(info, record.Head{Run: "r"}, shard); err != nil {
				b.Fatal(err)
			}
		}},
	} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				x.do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/position")
			b.ReportMetric(float64(len(p.Data))/float64(rows), "bytes/position")
		})
	}
}
