package train

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/train/rundir"
)

// text words an event, and tells whether it deserves a line of its own.
func (d *display) text(e rundir.Event) (text string, kept bool) {
	switch {
	case e.Start != nil:
		s := e.Start
		var b strings.Builder
		if s.Resumed {
			fmt.Fprintf(&b, "goes on at generation %d: ", s.Generation)
		} else if s.Origin != nil {
			b.WriteString(beginningText(s.Origin) + ": ")
		}
		fmt.Fprintf(&b, "%s, rules %s%s, network of %d parameters, %s kernels", s.Game, s.Rules, rulesetsText(s.Rulesets), s.Parameters, s.Kernel)
		if d.auto != "" {
			b.WriteString(", " + d.auto)
		}
		if s.Discarded > 0 {
			fmt.Fprintf(&b, "; removed %d unfinished files of a stopped process", s.Discarded)
		}
		if d.measuring != "" {
			fmt.Fprintf(&b, "\n%s  %s", wording.Clock(e.Elapsed), d.measuring)
		}
		return b.String(), true
	case e.SelfPlay != nil:
		return selfPlayText(e.SelfPlay), e.SelfPlay.Done
	case e.Growth != nil:
		return growthText(e.Growth), true
	case e.RarelyDecided != nil && e.RarelyDecided.Over:
		w := e.RarelyDecided
		return fmt.Sprintf("games by %s are decided again: %d of the last %d were drawn", w.Rules, w.Draws, w.Games), true
	case e.RarelyDecided != nil:
		return "warning: " + rarelyDecidedText(e.RarelyDecided), true
	case e.Training != nil:
		return trainingText(e.Training), e.Training.Done
	case e.Rating != nil:
		return ratingText(e.Rating), e.Rating.Done
	case e.Warning != nil && e.Warning.Over:
		return fmt.Sprintf("what was wrong since generation %d is over: %s", e.Warning.FirstGeneration, e.Warning.Code), true
	case e.Warning != nil:
		return fmt.Sprintf("%s (%s): %s", e.Warning.Severity, e.Warning.Code, e.Warning.Text), true
	default:
		text := map[string]string{
			"budget": "time budget used up", "core_budget": "core time used up", "generations": "all generations trained", "interrupted": "interrupted",
			"played": "all games of the generation are there; fit is next", "fitted": "trained; selfplay is next",
		}[e.Stop.Reason]
		if d.saved != "" {
			text += "; the newest network is in " + d.saved
		}
		return text, true
	}
}

// rarelyDecidedText is empty where that is over.
func rarelyDecidedText(w *rundir.RarelyDecidedEvent) string {
	if w.Over {
		return ""
	}
	return fmt.Sprintf("%d of the last %d games by %s were drawn: such games teach little of who wins", w.Draws, w.Games, w.Rules)
}

// rulesetsText says what self-play draws its rules from.
func rulesetsText(n int) string {
	if n == 0 {
		return ""
	}
	return " (self-play by " + wording.Count(n, "ruleset") + ")"
}

// bothText says how far both sides of a concurrent run are, as far as they have
// said so themselves.
func (d *display) bothText(e rundir.Event) string {
	var parts []string
	if e.SelfPlay != nil {
		d.plays = e.SelfPlay
	} else {
		d.learns = e.Training
	}
	if s := d.plays; s != nil {
		parts = append(parts, fmt.Sprintf("generation %d plays: %d/%d games, %.0f positions/s", s.Generation, s.Games, s.GamesWant, s.PositionsPerSecond))
	}
	if t := d.learns; t != nil {
		parts = append(parts, fmt.Sprintf("generation %d learns: %d/%d steps, %.0f samples/s", t.Generation, t.StepsDone, t.StepsWant, t.SamplesPerSecond))
	}
	return strings.Join(parts, "; ")
}

// selfPlayText begins with what fits beside a bar; the line of a finished stage
// fits on one line of a usual terminal.
func selfPlayText(s *rundir.SelfPlayEvent) string {
	cached := ""
	if s.CacheHits > 0 {
		cached = fmt.Sprintf(", %.0f %% cached", 100*s.CacheHits)
	}
	if !s.Done {
		waits := ""
		if c := s.Cluster; c != nil && c.Waits != "" && (len(c.Workers) == 0 || s.Games == s.GamesWant) {
			waits = "; waits for " + wording.Plain(c.Waits)
		}
		return fmt.Sprintf("generation %d plays: %d/%d games, %.0f positions/s, %.0f evaluations/s%s%s",
			s.Generation, s.Games, s.GamesWant, s.PositionsPerSecond, s.EvaluationsPerSecond, cached, waits)
	}
	return fmt.Sprintf("generation %d plays: %d games, %d positions (%.0f/s%s), %.0f turns, %.0f %% drawn, first %.0f %%",
		s.Generation, s.Games, s.Positions, s.PositionsPerSecond, cached, s.MeanTurns, 100*s.DrawRate, 100*s.FirstScore) + taughtText(s) + resignText(s) + grownText(s) + clusterText(s)
}

// clusterText says who played, if several machines may.
func clusterText(s *rundir.SelfPlayEvent) string {
	if s.Cluster == nil {
		return ""
	}
	return "; " + s.Cluster.Text()
}

// taughtText says what the teacher's games are like; empty without any.
func taughtText(s *rundir.SelfPlayEvent) string {
	if s.Taught == 0 {
		return ""
	}
	return fmt.Sprintf(", teacher's %s %.0f %% drawn", wording.Count(s.Taught, "game"), 100*float64(s.TaughtDraws)/float64(s.Taught))
}

// resignText is empty where nobody resigned or would have.
func resignText(s *rundir.SelfPlayEvent) string {
	if s.Resigned+s.PlayedOn == 0 {
		return ""
	}
	text := fmt.Sprintf(", %d resigned", s.Resigned)
	if s.PlayedOn > 0 {
		text += fmt.Sprintf(", %d of %d played on not lost", s.WronglyResigned, s.PlayedOn)
	}
	if s.Advice != "" {
		text += "; " + s.Advice
	}
	return text
}

// grownText says how long a search is, if that grows.
func grownText(s *rundir.SelfPlayEvent) string {
	if s.Simulations == 0 {
		return ""
	}
	return ", " + wording.Count(s.Simulations, "simulation")
}

func growthText(g *rundir.GrowthEvent) string {
	how := "network grown to"
	if g.Fresh {
		how = "fresh network of"
	}
	return fmt.Sprintf("generation %d: %s %dx%d, %d parameters", g.Generation, how, g.Blocks, g.Channels, g.Parameters)
}

func trainingText(t *rundir.TrainingEvent) string {
	if t.Done && t.StepsDone == 0 {
		return fmt.Sprintf("generation %d learns: step %d, none of them here: its positions do not fill a batch", t.Generation, t.Step)
	}
	rest := "loss"
	if t.PolicyLoss != 0 { // else nothing had a policy target
		rest += fmt.Sprintf(" policy %.3f", t.PolicyLoss)
	}
	rest += fmt.Sprintf(" value %.3f turns %.3f", t.ValueLoss, t.TurnsLoss)
	if t.ReplyLoss != 0 {
		rest += fmt.Sprintf(" reply %.3f", t.ReplyLoss)
	}
	rest += fmt.Sprintf(", %.0f samples/s", t.SamplesPerSecond)
	if !t.Done {
		return fmt.Sprintf("generation %d learns: %d/%d steps, %s", t.Generation, t.StepsDone, t.StepsWant, rest)
	}
	return fmt.Sprintf("generation %d learns: step %d, %s", t.Generation, t.Step, rest)
}

// ratingText says how a network fared against the fixed opponents, and its Elo,
// which the match against the network before is in, too.
func ratingText(r *rundir.RatingEvent) string {
	text := fmt.Sprintf("generation %d is rated: ", r.Generation)
	switch {
	case r.Problem != "":
		return fmt.Sprintf("warning: generation %d could not be rated, and no other will be: %s", r.Generation, r.Problem)
	case !r.Done:
		return text + fmt.Sprintf("%d/%d games", r.Games, r.GamesWant)
	}
	var parts []string
	for _, m := range r.Matches {
		if m.Network {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s", m.Opponent, scoreText(m.Score)))
	}
	if r.Elo != nil {
		parts = append(parts, "Elo "+r.Elo.String())
	}
	return text + strings.Join(parts, ", ")
}

// scoreText is a score in per cent with its interval.
func scoreText(i rundir.Interval) string {
	if i.Value == nil || i.Low == nil || i.High == nil {
		return "?"
	}
	return fmt.Sprintf("%.0f %% (%.0f to %.0f)", 100**i.Value, 100**i.Low, 100**i.High)
}

// beginningText says what a new fork has taken over.
func beginningText(o *rundir.OriginEvent) string {
	text := fmt.Sprintf("fork of %s@%d", o.Run, o.Generation)
	if o.Positions > 0 {
		text += fmt.Sprintf(" with the last %d positions of its games", o.Positions)
	}
	if o.FromAverage {
		text += ", from the average of its weights on, without those in training, which packs leave out"
	}
	if o.FreshOptimizer {
		text += ", without its optimizer, which was not kept: there is a warm-up"
	}
	return text
}
