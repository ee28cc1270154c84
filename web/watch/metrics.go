package watch

import (
	"net/http"
	"strings"

	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// perRun describes a gauge or counter of each run, whose name is in the label run.
func perRun(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("ludozero_run_"+name, help, append([]string{"run"}, labels...), nil)
}

var (
	descInfo       = perRun("info", "1, with what is trained in the labels.", "game", "rules", "kernel")
	descReadable   = perRun("readable", "Whether the run can be read: 1, or 0 and the run has no other metrics.")
	descRunning    = perRun("running", "Whether a process works on the run.")
	descLastEvent  = perRun("last_event_timestamp_seconds", "When the run's process last wrote an event.")
	descGeneration = perRun("generation", "The newest network.")
	descGames      = perRun("games_total", "Games that were learned from.")
	descPositions  = perRun("positions_total", "Positions that were learned from.")
	descSteps      = perRun("steps_total", "Steps of the optimizer.")
	descLearned    = perRun("learned_seconds_total", "Time spent learning, over all processes.")
	descCore       = perRun("core_seconds_total", "What processors spent on learning, each core by itself.")
	descLoss       = perRun("loss", "Mean loss of the newest generation's training, by head: policy, value and reply in nats, turns as Huber loss.", "head")
	descEntropy    = perRun("policy_entropy_nats", "Mean entropy of the policy targets of the newest generation's games.")
	descDrawRatio  = perRun("draw_ratio", "Share of the newest generation's games that were drawn.")
	descFirst      = perRun("first_score_ratio", "First player's points a game in the newest generation's games, a draw counting one half.")
	descTurns      = perRun("game_turns", "Mean length of the newest generation's games in player turns.")
	descWindow     = perRun("window_positions", "Positions in the replay window.")
	descPlayRate   = perRun("positions_per_second", "Positions played a second, in the newest stage of self-play that was done.")
	descEvalRate   = perRun("evaluations_per_second", "Network evaluations a second, in the newest stage of self-play that was done.")
	descTrainRate  = perRun("samples_per_second", "Samples trained on a second, in the newest stage of training that was done.")
	descCache      = perRun("cache_hit_ratio", "Share of evaluations answered by the cache, in the newest stage of self-play.")
	descLiveAge    = perRun("cluster_age_seconds", "Age of what the trainer last said of its workers; the figures about them are missing while that is too old.")
	descWorkers    = perRun("workers", "Machines that play; those that were silent for a minute are gone.", "state")
	descLeases     = perRun("leases", "Leases that are out.")
	descHeldBack   = perRun("games_held_back", "Games that have come and wait for one before them.")
	descWaits      = perRun("waits", "1 with what the trainer waits for: any worker, a second one to check a game, who plays the next game, or training.", "for")
	descWorker     = perRun("worker_positions_per_second", "Positions played a second by each worker.", "worker")
	descHolds      = perRun("worker_leases", "Leases of each worker.", "worker")
	descSilent     = perRun("worker_silent_seconds", "For how long each worker has said nothing.", "worker")
	descFaults     = perRun("cluster_faults", "Parcels damaged and refused, games differing, leases expired, workers cut off, since the trainer's process began.", "kind")
	descResident   = perRun("resident_memory_bytes", "Memory of the training process when the newest generation was done.")
	descElo        = perRun("elo", "Elo of the newest network that was measured, relative to the anchor.", "anchor")
	descEloLow     = perRun("elo_low", "Lower end of the 95 % interval of ludozero_run_elo.", "anchor")
	descEloHigh    = perRun("elo_high", "Upper end of the 95 % interval of ludozero_run_elo.", "anchor")
	descEloOf      = perRun("elo_generation", "The newest network that was measured.")
	descWarnings   = perRun("health_warnings", "Warnings that hold now, by severity.", "severity")
	descWarning    = perRun("health_warning", "1 for each kind of warning that holds now.", "code", "severity")
)

// Metrics serves figures of all runs and of this process to Prometheus.
func (w *Watcher) Metrics() http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(w.Collector(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 2})
}

// Collector collects figures of all runs.
func (w *Watcher) Collector() prometheus.Collector { return collector{w} }

type collector struct{ w *Watcher }

// Describe implements prometheus.Collector. It describes nothing, since the runs are
// not known beforehand.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	p, err := c.w.places.get(c.w.now, c.w.look)
	if err != nil {
		out <- prometheus.NewInvalidMetric(descReadable, err)
		return
	}
	c.w.each(p.Runs, func(name string, v *View) {
		if v != nil {
			c.w.collect(name, v, out)
		}
	})
}

func (w *Watcher) collect(name string, v *View, out chan<- prometheus.Metric) {
	label := w.label(name)
	put := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, v, append([]string{label}, labels...)...)
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) { put(d, prometheus.GaugeValue, v, labels...) }
	counter := func(d *prometheus.Desc, v float64) { put(d, prometheus.CounterValue, v) }
	// some leaves out figures of 0, which are unknown.
	some := func(d *prometheus.Desc, v float64, labels ...string) {
		if v != 0 {
			gauge(d, v, labels...)
		}
	}
	now := w.doing(name)
	if v.report == nil {
		gauge(descReadable, 0)
		return
	}
	d := &v.report.Run
	gauge(descReadable, 1)
	gauge(descRunning, truth(now.Running))
	gauge(descInfo, 1, v.Game, v.Rules, v.kernel)
	if now.Time != nil {
		gauge(descLastEvent, float64(now.Time.UnixMicro())/1e6)
	}
	gauge(descGeneration, float64(v.Generation))
	counter(descGames, float64(d.Games))
	counter(descPositions, float64(d.Positions))
	counter(descSteps, float64(d.Steps))
	counter(descLearned, d.Learned.Seconds())
	if d.CoreTime != nil {
		counter(descCore, d.CoreTime.Seconds())
	}
	if m := v.newest; m != nil {
		for _, l := range []struct {
			head string
			loss float64
		}{{"policy", m.PolicyLoss}, {"value", m.ValueLoss}, {"turns", m.TurnsLoss}, {"reply", m.ReplyLoss}} {
			some(descLoss, l.loss, l.head)
		}
		some(descEntropy, m.PolicyEntropy)
		gauge(descDrawRatio, m.DrawRate)
		gauge(descFirst, m.FirstScore)
		gauge(descTurns, m.MeanTurns)
		gauge(descWindow, float64(m.WindowPositions))
		some(descResident, float64(m.ResidentBytes))
	}
	if s := now.rates.play; s != nil {
		gauge(descPlayRate, s.PositionsPerSecond)
		gauge(descEvalRate, s.EvaluationsPerSecond)
		gauge(descCache, s.CacheHits)
	}
	if c := now.Cluster; c != nil {
		gauge(descLiveAge, w.now().Sub(c.live.Time).Seconds())
		if c.Holds {
			collectCluster(c.live, gauge)
		}
	}
	if t := now.rates.train; t != nil {
		gauge(descTrainRate, t.SamplesPerSecond)
	}
	if s := v.report.Strength; s != nil && s.Elo != nil && len(s.Elo.Networks) > 0 {
		n := &s.Elo.Networks[len(s.Elo.Networks)-1]
		// Prometheus takes NaN and infinity as numbers.
		gauge(descElo, n.Elo.Value, s.Elo.Anchor)
		gauge(descEloLow, n.Elo.Low, s.Elo.Anchor)
		gauge(descEloHigh, n.Elo.High, s.Elo.Anchor)
		gauge(descEloOf, float64(n.Generation))
	}
	held := map[string]bool{}
	for _, x := range v.Notices {
		severity := string(health.Warn)
		if x.Severe {
			severity = string(health.Alarm)
		}
		if key := x.code + " " + severity; !x.Past && !held[key] {
			held[key] = true
			gauge(descWarning, 1, x.code, severity)
		}
	}
	gauge(descWarnings, float64(v.Warnings-v.Alarms), string(health.Warn))
	gauge(descWarnings, float64(v.Alarms), string(health.Alarm))
}

// collectCluster gives the figures of the machines that play. Workers of one name are
// added up.
func collectCluster(l *rundir.Live, gauge func(d *prometheus.Desc, v float64, labels ...string)) {
	e := &l.Cluster
	gone := 0
	rates, leases, silent := map[string]float64{}, map[string]int{}, map[string]float64{}
	for i := range e.Workers {
		w := &e.Workers[i]
		if w.Gone() {
			gone++
		}
		name := strings.ToValidUTF8(w.Name, "�")
		rates[name] += w.PositionsPerSecond
		leases[name] += w.Leases
		silent[name] = max(silent[name], w.SilentSeconds)
	}
	gauge(descWorkers, float64(len(e.Workers)-gone), "here")
	gauge(descWorkers, float64(gone), "gone")
	gauge(descLeases, float64(e.Leases))
	gauge(descHeldBack, float64(e.HeldBack))
	switch {
	case !l.Playing:
		gauge(descWaits, 1, "training")
	case e.WaitsFor != "":
		gauge(descWaits, 1, strings.ToValidUTF8(e.WaitsFor, "�"))
	}
	for name := range rates {
		gauge(descWorker, rates[name], name)
		gauge(descHolds, float64(leases[name]), name)
		gauge(descSilent, silent[name], name)
	}
	for _, k := range e.Faults.Kinds() {
		gauge(descFaults, float64(k.Count), k.Name)
	}
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
