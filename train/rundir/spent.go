package rundir

import (
	"time"

	"github.com/ludozero/ludozero/model"
)

// Spent is what the network of the checkpoint of state s took, over its run and
// all before it; card belongs to its weights. It is nil if programs that did not
// count took part, except for what the states of a run always had.
func (s *State) Spent(card *model.Card) *model.Spent {
	if s.Before == nil {
		return nil
	}
	all := *s.Before
	all.Runs++
	all.Generations += s.Generation
	all.LearnedSeconds += s.Elapsed.Seconds()
	all.CoreSeconds = nil
	if s.Before.CoreSeconds != nil && s.CoreTime != nil {
		sum := *s.Before.CoreSeconds + s.CoreTime.Seconds()
		all.CoreSeconds = &sum
	}
	all.Games += int64(s.Games)
	all.Positions, all.Samples = card.Positions, card.Samples
	return &all
}

// SpentOn is what State.Spent says of the checkpoint of state s in the run, or the
// pack, in folder dir. If until is not nil, it is the last checkpoint, and what
// the run has spent since then, by its events, counts as well.
func SpentOn(dir string, s *State, card *model.Card, until []Event) (*model.Spent, error) {
	if p, err := ReadPack(dir); p != nil || err != nil {
		return p.spent(), err
	}
	now := *s
	now.Before = SpentBefore(dir, s)
	now.AddSince(until)
	return now.Spent(card), nil
}

// CoreTimeUntil is CoreTime with what the run has spent since, by its events.
func (s *State) CoreTimeUntil(events []Event) *time.Duration {
	now := *s
	now.AddSince(events)
	return now.CoreTime
}

// AddSince adds to the times of s what events say was spent later.
func (s *State) AddSince(events []Event) {
	for i := range events {
		e := &events[i]
		s.Elapsed = max(s.Elapsed, e.Elapsed)
		if s.CoreTime != nil && e.CoreTime > *s.CoreTime {
			s.CoreTime = &e.CoreTime
		}
	}
}

// SpentBefore is what the network had taken that the run in folder dir, with a
// checkpoint of state s, began with; nil if that is unknown. States of earlier
// programs do not say: nothing, if it was an untrained network.
func SpentBefore(dir string, s *State) *model.Spent {
	if s.Before != nil || s.Origin != "" {
		return s.Before
	}
	first, err := ReadState(dir, 0)
	if err != nil || first.First != "" || first.Origin != "" {
		return nil
	}
	return Untrained()
}

// Untrained is what an untrained network took.
func Untrained() *model.Spent { return &model.Spent{CoreSeconds: new(float64)} }

// Seconds is d in seconds, 0 if it is unknown.
func Seconds(d *time.Duration) float64 {
	if d == nil {
		return 0
	}
	return d.Seconds()
}
