package cluster

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/match"
)

// MakeContestant makes the contestant that another machine describes. Of holds no file:
// it is at path.
type MakeContestant func(g engine.Game, of *match.Portable, path string) (match.Contestant, error)

// seriesCraft plays the games of series.
type seriesCraft struct {
	w     *Worker
	games int // at the same time
}

func newSeriesCraft(w *Worker) (*seriesCraft, error) {
	if w.opt.Contestant == nil {
		return nil, errors.New("its games are matches, whose players cannot be made here")
	}
	return &seriesCraft{w, w.opt.Cores}, nil
}

func (c *seriesCraft) inFlight() int { return c.games }

func (c *seriesCraft) prepare(ctx context.Context, t *Task) (playTask, error) {
	w := c.w
	path, err := w.fetch(ctx, t.Weights)
	if err != nil {
		return nil, fmt.Errorf("series %.16s: %w", t.Weights, err)
	}
	text, err := input.Read(path, input.Large)
	if err != nil {
		return nil, err
	}
	known, err := readCharter(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPlay, err)
	}
	s, err := known.series(w.opt.Games)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPlay, err)
	}
	kept := []string{t.Weights}
	for i := range known.Contestants {
		one := &known.Contestants[i]
		path := ""
		if one.Digest != "" {
			if path, err = w.fetch(ctx, one.Digest); err != nil {
				return nil, fmt.Errorf("file %.16s of player %s: %w", one.Digest, one.Name, err)
			}
			kept = append(kept, one.Digest)
		}
		contestant, err := w.opt.Contestant(s.Game, &one.Portable, path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errPlay, err)
		}
		contestant.Name, contestant.Identity = one.Name, one.Identity
		s.Contestants = append(s.Contestants, contestant)
	}
	if err := w.opt.Spool.keepWeights(kept...); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", errPlay, err)
	}
	c.games = max(1, w.opt.Cores/known.threads())
	s.Workers = c.games
	return func(ctx context.Context, now *session, finished func(*result, int) error) error {
		return s.Play(ctx, s.Workers, func(ctx context.Context) (int, error) {
			for {
				if number, _, ok := now.begin(); ok {
					if number >= int64(s.Games()) {
						return 0, fmt.Errorf("game %d: the series has %d", number, s.Games())
					}
					return int(number), nil
				}
				if more, err := now.wait(ctx); err != nil || !more {
					return 0, cmp.Or(err, io.EOF)
				}
			}
		}, func(g *match.Game) error {
			return finished(&result{number: int64(g.Number) - 1, game: g}, len(strings.Fields(g.Moves))-g.Opening)
		})
	}, nil
}

// pack makes a parcel whose head is followed by a line for each game, as a journal has
// them.
func (c *seriesCraft) pack(head parcelHead, games []*result) (*Parcel, error) {
	slices.SortFunc(games, func(a, b *result) int { return int(a.number - b.number) })
	head.Games = nil
	var body bytes.Buffer
	for _, f := range games {
		head.Games = append(head.Games, parcelGame{Number: f.number, Winner: engine.Nobody})
		line, err := gameLine(f.game.(*match.Game))
		if err != nil {
			return nil, err
		}
		body.Write(line)
	}
	return seal(head, body.Bytes())
}

// unpackSeries reads a parcel of games of a series. Whether they are possible is for the
// host.
func unpackSeries(digest string, data []byte) (*Parcel, []*result, error) {
	p := &Parcel{}
	body, err := p.open(digest, data)
	if err != nil {
		return p, nil, err
	}
	if !p.Series {
		return p, nil, errors.New("its games are of self-play: want those of a series")
	}
	var games []*result
	for line := range bytes.Lines(body) {
		g := &match.Game{}
		if err := strictjson.Decode(line, g); err != nil {
			return p, nil, fmt.Errorf("game %d of the parcel: %w", len(games)+1, err)
		}
		if len(games) == len(p.Games) || int64(g.Number)-1 != p.Games[len(games)].Number {
			return p, nil, fmt.Errorf("game %d follows %d games: its head has others", g.Number, len(games))
		}
		games = append(games, &result{number: int64(g.Number) - 1, sum: sumOfLine(line), game: g})
	}
	if len(games) != len(p.Games) {
		return p, nil, fmt.Errorf("it has %d games, its head %d", len(games), len(p.Games))
	}
	return p, games, nil
}

// gameLine is a game as JSON, with a newline.
func gameLine(g *match.Game) ([]byte, error) {
	text, err := json.Marshal(g)
	return append(text, '\n'), err
}

func sumOfLine(line []byte) sum { return sha256.Sum256(line) }
