package lab

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
)

// play plays all games up to the sizes of a round.
func (s *Study) play(ctx context.Context, round, rounds int) error {
	s.played = s.asked.Until(round, rounds)
	for i := range s.shares {
		x := &s.shares[i]
		x.series.Until = s.played.Games
		said := fmt.Sprintf("round %d of %d, %d of %d", round, rounds, i+1, len(s.shares))
		if err := s.playShare(ctx, x, said); err != nil {
			return err
		}
		if s.judge == nil {
			continue
		}
		if err := s.judgeShare(ctx, x, said+": judging"); err != nil {
			return err
		}
	}
	s.climbs = nil
	for side := range s.rules {
		if len(s.efforts) == 0 {
			break
		}
		c, err := s.climb(ctx, side, fmt.Sprintf("round %d of %d, effort", round, rounds))
		if err != nil {
			return err
		}
		s.climbs = append(s.climbs, c)
	}
	return nil
}

// specs lists all that play or judge.
func (s *Study) specs() []*player.Spec {
	list := append(study.Specs(s.players), s.efforts...)
	if s.judge != nil {
		list = append(list, s.judge)
	}
	return list
}

// strongest describes the last player.
func (s *Study) strongest() string { return s.players[len(s.players)-1].Spec.Text }

// folder is where the games of x are kept, "" if nowhere.
func (s *Study) folder(x *share) string {
	return s.asked.Folder(s.rules[x.side].Rules(), s.players[x.player].Spec.Text)
}

// playShare plays the games of x up to x.series.Until; said tells where the work stands.
func (s *Study) playShare(ctx context.Context, x *share, said string) error {
	g, p := s.rules[x.side], &s.players[x.player]
	var first match.Tally
	work := &study.Series{Kind: "lab", Players: nil, Work: archive.Work{
		Dir: s.folder(x), Series: x.series, Quiet: true,
		Counted: func(m *match.Game) bool {
			if m.AFirst {
				first.Add(m.Points)
			} else {
				first.Add(1 - m.Points)
			}
			return true
		},
		Standing: func() string {
			return fmt.Sprintf("%s: %s by %s, first player +%d =%d -%d", said, g.Rules(), p.Spec.Text, first.Wins, first.Draws, first.Losses)
		},
		Result: func(games []match.Game) (any, error) {
			return struct {
				Rules  string      `json:"rules"`
				Player string      `json:"player"`
				Games  int         `json:"games"`
				First  match.Tally `json:"first"`
			}{g.Rules(), p.Spec.Text, len(games), first}, nil
		},
	}}
	for range x.series.Contestants {
		work.Players = append(work.Players, p.Spec)
	}
	games, err := work.Play(ctx, s.progress)
	if err == nil {
		x.games = games[:x.series.Until]
	}
	return err
}
