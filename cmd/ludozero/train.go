package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/train/run"
	"github.com/spf13/cobra"
)

func newTrain() *cobra.Command {
	var config, dir string
	var set []string
	var asJSON, noRating bool
	var fork forkFlags
	c := &cobra.Command{
		Use:   "train",
		Short: "Train a bot by self-play, then measure its strength",
		Long: "Plays games of a network against itself, trains the network on them, and goes on until the time budget or the\n" +
			"number of generations of the configuration is reached. On the way it measures networks now and then, in a few\n" +
			"games against fixed opponents and the network before; at the end it plays matches of the last network and of the\n" +
			"untrained one, and writes a report. A run that was stopped, in whatever way, goes on with the same command.\n\n" +
			"With --from a new run begins where another has come to, at its last checkpoint or RUN@GENERATION: with its network,\n" +
			"optimizer, steps and the games of its window, and with its configuration where --config and --set do not say\n" +
			"otherwise. The network may be larger. Generations, time and figures begin at 0; the other run is only read.\n\n" +
			"The configuration is the file, then environment variables (LUDOZERO_TRAIN_BATCH is train.batch), then --set.",
		Args: cobra.NoArgs,
		Example: "  ludozero train --config configs/konreh/quick.yaml --run runs/first\n  ludozero train --run runs/first --set budget=30m\n" +
			"  ludozero train --from runs/first@20 --run runs/second --set model.blocks=6",
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, from, err := fork.config(config, dir, set)
			if err != nil {
				return usageError{err}
			}
			measure, err := trainRater(dir, &cfg, noRating)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(c.Context())
			defer stop()
			show := newDisplay(c.OutOrStdout(), c.ErrOrStderr(), asJSON, &cfg.Config)
			show.recall(dir)
			err = run.Run(ctx, dir, cfg.Config, run.Options{Resolved: configs.Dump(cfg), Report: show.event, Fork: from, Rater: measure.orNil(), Check: healthOf(&cfg)})
			show.close()
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nwhat was learned is in %s; the same command goes on", err, dir)
			}
			if err != nil {
				return err
			}
			if !noRating {
				err = rate(ctx, c, measure, asJSON)
				if errors.Is(err, context.Canceled) {
					return fmt.Errorf("%w\nthe matches were not finished; the same command plays those that are missing", err)
				}
			}
			// Matches that cannot be played leave the rest to be reported.
			return errors.Join(err, reportTrained(ctx, c, dir, asJSON))
		},
	}
	c.Flags().StringVar(&config, "config", "", "configuration file (default: the run's own if it exists)")
	c.Flags().StringVar(&dir, "run", "", "folder of the run, made or gone on with")
	c.Flags().StringVar(&fork.from, "from", "", "run that a new one goes on from, RUN or RUN@GENERATION")
	c.Flags().BoolVar(&fork.freshWindow, "fresh-window", false, "with --from: do not learn from the games of that run")
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the configuration, KEY=VALUE; may be repeated")
	c.Flags().BoolVar(&asJSON, "json", false, "print events and ratings as JSON, one object a line")
	c.Flags().BoolVar(&noRating, "no-rating", false, "play no matches, neither on the way nor at the end")
	return c
}

// trainConfig resolves the configuration and holds it against that of an
// existing run, in which only free keys may change.
func trainConfig(path, dir string, set []string) (configs.Run, error) {
	stored := filepath.Join(dir, "config.yaml")
	exists := false
	var missing error
	if dir == "" {
		missing = errors.New("--run is required: the folder of the run, such as runs/first")
	} else if _, err := os.Stat(stored); err == nil {
		exists = true
	}
	switch {
	case path == "" && exists:
		path = stored
	case path == "":
		return configs.Run{}, errors.Join(missing, errors.New("--config is required: the run does not exist yet"))
	}
	cfg, err := configs.Load(configs.DefaultRun(), path, set, os.Environ())
	err = errors.Join(missing, err, checkOpponents(&cfg))
	if err != nil || !exists {
		return cfg, err
	}
	old, err := configs.Load(configs.DefaultRun(), stored, nil, nil)
	if err != nil {
		return cfg, err
	}
	var errs []error
	for _, d := range configs.Diff(old, cfg) {
		if !configs.FreeKey(d.Key) {
			errs = append(errs, fmt.Errorf("%s is %s in run %s, now %s: a run cannot change it", d.Key, d.Old, dir, d.New))
		}
	}
	return cfg, errors.Join(errs...)
}

// checkOpponents finds out now what would fail in the rating, hours later.
func checkOpponents(cfg *configs.Run) error {
	g, err := openGame(cfg)
	if err != nil {
		return nil // the settings themselves are wrong, and that is said of them
	}
	var errs []error
	for _, opponent := range cfg.Evaluation.Opponents {
		list, err := contestants(g, []string{opponent})
		if err == nil {
			err = wantClock(list, cfg.Evaluation.Match.Clock, "evaluation.match.clock")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("evaluation.opponents: %w", err))
		}
	}
	return errors.Join(errs...)
}

// display shows the events of a run: a line for each finished stage, and
// between them a bar on a terminal or a line every lineEvery elsewhere.
type display struct {
	out, errOut io.Writer
	json        bool
	cfg         *run.Config
	bar         *bar
	block       *block // nil: no terminal; then bar is not
	view        *view  // what block shows
	saved       string // path of the last checkpoint of this process
	stage       bool   // one stage of a generation, and no more
	// plays and learns are how far the two sides of a concurrent run are.
	plays  *run.SelfPlayEvent
	learns *run.TrainingEvent
}

func newDisplay(out, errOut io.Writer, asJSON bool, cfg *run.Config) *display {
	d := &display{out: out, errOut: errOut, json: asJSON, cfg: cfg}
	if asJSON {
		return d
	}
	if d.block = newBlock(errOut); d.block != nil {
		color, _ := wantColor("auto", errOut)
		d.view = &view{cfg: cfg, color: color}
	} else {
		total, unit := int(cfg.Budget.Seconds()), "s"
		if total == 0 {
			total, unit = cfg.Generations, "generations"
		}
		d.bar = newBar(errOut, total, unit)
	}
	return d
}

func (d *display) close() {
	switch {
	case d.block != nil:
		d.block.clear()
	case d.bar != nil:
		d.bar.clear()
	}
}

func (d *display) event(e run.Event) {
	if d.json {
		if stageDone(e) {
			_ = writeLine(d.out, e) // a reader that has gone ends no training
		}
		return
	}
	if e.Checkpoint != nil {
		d.saved = e.Checkpoint.Path // one line for each stage is enough; the last says where
	}
	if d.block != nil {
		d.live(e)
		return
	}
	if e.Checkpoint != nil {
		return
	}
	text, kept := d.text(e)
	if !kept && d.cfg.Mode == run.ModeConcurrent && e.Rating == nil {
		text = d.bothText(e)
	}
	if kept {
		d.bar.println(d.out, clock(e.Elapsed)+"  "+text)
		return
	}
	if d.stage {
		d.setStage(e, text)
		return
	}
	done := int(e.Elapsed.Seconds())
	switch {
	case d.cfg.Budget > 0:
	case d.cfg.Mode != run.ModeConcurrent:
		done = generationOf(e)
	case d.learns != nil: // a generation is done when it was learned from
		done = d.learns.Generation
	default:
		done = 0
	}
	d.bar.set(min(done, d.bar.total), text)
}

// live shows an event on a terminal.
func (d *display) live(e run.Event) {
	d.view.event(e)
	kept := false
	if e.Checkpoint == nil {
		var text string
		if text, kept = d.text(e); kept {
			d.block.println(d.out, clock(e.Elapsed)+"  "+text)
		}
	}
	if e.Stop == nil {
		d.block.draw(kept, d.view.lines)
	}
}

// recall shows what earlier processes have left of the run.
func (d *display) recall(dir string) {
	if d.block == nil {
		return
	}
	if past, err := run.ReadEvents(dir); err == nil { // else the training says what is wrong
		d.view.recall(past)
	}
}

// stageDone tells events that are worth a line from mere progress.
func stageDone(e run.Event) bool {
	return !(e.SelfPlay != nil && !e.SelfPlay.Done || e.Training != nil && !e.Training.Done || e.Rating != nil && !e.Rating.Done)
}

func generationOf(e run.Event) int {
	switch {
	case e.SelfPlay != nil:
		return e.SelfPlay.Generation
	case e.Rating != nil:
		return e.Rating.Generation
	}
	return e.Training.Generation
}

// text words an event, and tells whether it deserves a line of its own.
func (d *display) text(e run.Event) (text string, kept bool) {
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
		if s.Discarded > 0 {
			fmt.Fprintf(&b, "; removed %d unfinished files of a stopped process", s.Discarded)
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
			"budget": "time budget used up", "generations": "all generations trained", "interrupted": "interrupted",
			"played": "all games of the generation are there; ludozero fit is next", "fitted": "trained; ludozero selfplay is next",
		}[e.Stop.Reason]
		if d.saved != "" {
			text += "; the newest network is in " + d.saved
		}
		return text, true
	}
}

// rarelyDecidedText is empty where that is over.
func rarelyDecidedText(w *run.RarelyDecidedEvent) string {
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
	return " (self-play by " + count(n, "ruleset") + ")"
}

// bothText says how far both sides of a concurrent run are, as far as they have
// said so themselves.
func (d *display) bothText(e run.Event) string {
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
func selfPlayText(s *run.SelfPlayEvent) string {
	cached := ""
	if s.CacheHits > 0 {
		cached = fmt.Sprintf(", %.0f %% cached", 100*s.CacheHits)
	}
	if !s.Done {
		return fmt.Sprintf("generation %d plays: %d/%d games, %.0f positions/s, %.0f evaluations/s%s",
			s.Generation, s.Games, s.GamesWant, s.PositionsPerSecond, s.EvaluationsPerSecond, cached)
	}
	return fmt.Sprintf("generation %d plays: %d games, %d positions (%.0f/s%s), %.0f turns, %.0f %% drawn, first %.0f %%",
		s.Generation, s.Games, s.Positions, s.PositionsPerSecond, cached, s.MeanTurns, 100*s.DrawRate, 100*s.FirstScore) + resignText(s)
}

// resignText is empty where nobody resigned or would have.
func resignText(s *run.SelfPlayEvent) string {
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

func growthText(g *run.GrowthEvent) string {
	how := "network grown to"
	if g.Fresh {
		how = "fresh network of"
	}
	return fmt.Sprintf("generation %d: %s %dx%d, %d parameters", g.Generation, how, g.Blocks, g.Channels, g.Parameters)
}

func trainingText(t *run.TrainingEvent) string {
	rest := fmt.Sprintf("loss policy %.3f value %.3f turns %.3f", t.PolicyLoss, t.ValueLoss, t.TurnsLoss)
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
func ratingText(r *run.RatingEvent) string {
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
		parts = append(parts, "Elo "+eloFrom(r.Elo))
	}
	return text + strings.Join(parts, ", ")
}

// scoreText is a score in per cent with its interval.
func scoreText(i run.Interval) string {
	if i.Value == nil || i.Low == nil || i.High == nil {
		return "?"
	}
	return fmt.Sprintf("%.0f %% (%.0f to %.0f)", 100**i.Value, 100**i.Low, 100**i.High)
}

// clock writes a time as h:mm:ss.
func clock(t time.Duration) string {
	s := int(t.Seconds())
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
