package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/report/ratings"
)

// Facts say in pairs of name and text what was trained and how far it came.
func (r *Report) Facts() [][2]string {
	d := &r.Run
	var rows [][2]string
	add := func(name, format string, args ...any) {
		rows = append(rows, [2]string{name, fmt.Sprintf(format, args...)})
	}
	state := d.State
	switch d.State {
	case "stopped":
		state = "stopped before its end; the same command goes on"
	case "packed":
		state = "packed; a new run goes on from it, by train --from"
	}
	add("run", "%s, %s", d.Name, state)
	if d.Origin != "" {
		add("comes from", "%s", d.Origin)
	}
	add("game", "%s, rules %s", d.Game, d.Rules)
	for i, e := range d.Mix {
		name := ""
		if i == 0 {
			name = "rules played"
		}
		add(name, "%.0f %% %s", 100*e.Weight, e.Rules)
	}
	for i, n := range d.Networks {
		name := ""
		if i == 0 {
			name = "network"
		}
		text := fmt.Sprintf("%s of %s", count(int64(n.Blocks), "block"), count(int64(n.Channels), "channel"))
		if n.Parameters > 0 {
			text += ", " + count(int64(n.Parameters), "parameter")
		}
		if n.Generation > 0 {
			text = fmt.Sprintf("from generation %d: %s", n.Generation, text)
		}
		add(name, "%s", text)
	}
	simulations := count(int64(d.Simulations), "simulation") + " a move"
	if d.FirstSimulations > 0 {
		simulations = fmt.Sprintf("%d growing to %s within %s", d.FirstSimulations, simulations, count(int64(d.GrowthGenerations), "generation"))
	}
	if d.FullShare > 0 {
		simulations += fmt.Sprintf(" in %.0f %% of the decisions, %d in the others", 100*d.FullShare, d.FastSimulations)
	}
	if d.MovesLeft > 0 {
		simulations += fmt.Sprintf(", moves_left %g", d.MovesLeft)
	}
	add("self-play", "%s search, %s, %s", searchNames[d.Search], simulations, d.Mode)
	if t := d.Teacher; t != nil {
		add("teacher", "%s, in %.0f %% of the games of generation 0, falling to none at generation %d", t.Player, 100*t.Share, t.Generations)
	}
	limit := ""
	switch {
	case d.Budget > 0 && d.GenerationsWanted > 0:
		limit = fmt.Sprintf(" of %s or %s", wording.Clock(d.Budget), count(int64(d.GenerationsWanted), "generation"))
	case d.Budget > 0:
		limit = " of " + wording.Clock(d.Budget)
	case d.GenerationsWanted > 0:
		limit = ", " + count(int64(d.GenerationsWanted), "generation") + " wanted"
	}
	add("time learning", "%s%s", wording.Clock(d.Learned), limit)
	add("core-hours", "%s", d.coreHours())
	if d.Processes > 0 {
		add("worked on", "%s to %s, by %s", d.Began.UTC().Format("2006-01-02 15:04"), d.Ended.UTC().Format("2006-01-02 15:04 MST"), processes(d.Processes))
	}
	add("came to", "generation %d: %s, %s, %s", d.Generation, count(d.Games, "game"), count(d.Positions, "position"), count(d.Steps, "training step"))
	if len(d.Kernels) > 0 {
		add("kernels", "%s", strings.Join(d.Kernels, ", "))
	}
	add("seed", "%d", d.Seed)
	return rows
}

// coreHours says the processor time spent on this run, and on all runs before.
func (d *Run) coreHours() string {
	text := "unknown"
	if d.CoreTime != nil {
		text = model.CoreHours(d.CoreTime.Seconds())
	}
	if d.CoreBudget > 0 {
		text += " of " + model.CoreHours(d.CoreBudget.Seconds()) + " wanted"
	}
	if d.Origin == "" {
		return text
	}
	s := d.Spent
	if s == nil {
		return text + "; of the runs before it unknown"
	}
	return fmt.Sprintf("%s; with the runs before it %s, in %s of learning, on %s with %s", text, s.CoreHours(), span(seconds(s.LearnedSeconds)), count(s.Games, "game"), count(s.Positions, "position"))
}

// searchNames are the names of search methods for people.
var searchNames = map[string]string{"puct": "PUCT", "gumbel": "Gumbel"}

func processes(n int) string {
	if n == 1 {
		return "one process"
	}
	return fmt.Sprintf("%d processes", n)
}

func matchCount(n int) string {
	if n == 1 {
		return "1 match"
	}
	return wording.Grouped(n) + " matches"
}

// tables are the newest matches, the ratings that follow from all of them, and the
// networks that played by what they took.
func (s *Strength) tables(r *Report) []table {
	matches := table{Left: 2, Head: []string{"gen", "opponent", "score (95 %)", "won-drawn-lost", "moving first", "second"}, Notes: []string{s.conditions()}}
	newest := s.rated()
	for _, g := range slices.Compact([]int{newest, 0}) {
		for _, name := range s.opponents() {
			if m := s.against(name, g); m != nil {
				matches.Rows = append(matches.Rows, []string{
					fmt.Sprint(g), name, scoreText(m.Score), m.String(), m.AsFirst.String(), m.AsSecond.String(),
				})
			}
		}
	}
	list := []table{matches}
	if c := s.Elo; c != nil && len(c.Networks) > 0 {
		t := table{Title: "Ratings", Left: 1, Head: []string{"player", "games", "Elo (95 %)"}, Notes: []string{s.seatText()}}
		n := &c.Networks[len(c.Networks)-1]
		for _, o := range slices.Insert(slices.Clone(c.Opponents), 0, ratings.Opponent{Name: fmt.Sprintf("generation %d", n.Generation), Games: n.Games, Elo: n.Elo}) {
			t.Rows = append(t.Rows, []string{o.Name, wording.Grouped(o.Games), eloText(o.Elo)})
		}
		list = append(list, t)
	}
	rated := r.rated()
	if s.NoElo != "" {
		rated.Notes = append(rated.Notes, "No Elo: "+s.NoElo+".")
	}
	return append(list, rated)
}

// seatText says the advantage of moving first.
func (s *Strength) seatText() string {
	return fmt.Sprintf("Elo relative to %s; moving first is worth %s.", s.Elo.Anchor, eloText(s.Elo.Seat))
}

// openings words how long the openings of the matches are that compare.
func (s *Strength) openings() string {
	var turns []int
	for _, m := range s.compared() {
		turns = append(turns, m.OpeningTurns)
	}
	slices.Sort(turns)
	turns = slices.Compact(turns)
	most := count(int64(turns[len(turns)-1]), "random turn")
	var fewer []string
	for _, n := range turns[:len(turns)-1] {
		fewer = append(fewer, fmt.Sprint(n))
	}
	if fewer == nil {
		return most
	}
	return strings.Join(fewer, ", ") + " or " + most
}

func (s *Strength) conditions() string {
	m := s.compared()[len(s.Compared)-1]
	text := fmt.Sprintf("The network has %s a move. Rules %s; openings of %s, each played twice with the seats exchanged", count(int64(m.Simulations), "simulation"), m.Rules, s.openings())
	if m.MaxTurns > 0 {
		text += fmt.Sprintf("; a game is drawn after %d turns", m.MaxTurns)
	}
	if m.Clock != "" {
		text += "; each player has a clock of " + m.Clock
	}
	if !slices.ContainsFunc(s.compared(), func(o *Match) bool { return o.Seed != m.Seed }) {
		text += fmt.Sprintf("; seed %d", m.Seed)
	}
	text += "."
	if slices.ContainsFunc(s.compared(), func(m *Match) bool { return m.Timed }) {
		text += " Some players are limited by time: a repetition plays other games."
	}
	if n := len(s.Matches) - len(s.Compared); n > 0 {
		text += fmt.Sprintf(" %s under other conditions, or repeated by a longer one, do not compare.", matchCount(n))
	}
	return text
}
