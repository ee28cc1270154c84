package report

// chartOf names the chart that a warning is shown at.
var chartOf = map[string]string{
	"value-sign": "slope", "value-blind": "slope", "value-overconfident": "reliability",
	"nothing-learned": "frozen", "search-idle": "frozen", "policy-behind": "frozen", "games-identical": "repeated", "games-repeat": "repeated", "targets-certain": "entropy",
	"window-small": "window", "gradient-clipped": "clipped", "gradient-spike": "gradient",
	"rarely-decided": "draws",
}

// healthSection shows whether the training is healthy.
func (r *Report) healthSection() section {
	return section{ID: "health", Title: "Health", Charts: []chart{
		{
			ID: "entropy", Title: "Policy entropy", unit: "nats", low: 0, high: free, digits: 2,
			About: "How many moves the search leaves open: the mean entropy of its recommendations. It falls as the run learns; near 0 nothing new is tried.",
			lines: r.figures("policy entropy"),
		},
		{
			ID: "surprise", Title: "Surprise", unit: "nats", low: 0, high: free, digits: 3,
			About: "How far the search's recommendations are from the network's priors, in the games (Kullback-Leibler divergence). It is what remains to be learned; at 0 the search teaches nothing.",
			lines: r.figures("surprise"),
		},
		{
			ID: "frozen", Title: "What a search adds", unit: "nats", low: 0, high: free, digits: 3,
			About: "On a fixed set of positions, the same for every run of the game: how far a small search without noise departs from the network's priors (Kullback-Leibler divergence), and how much the network changed in the generation. It separates the progress of the network from changes of its games; without change nothing is learned.",
			lines: r.figures("search to network", "network to former"),
		},
		{
			ID: "frozen-entropy", Title: "Open moves on the fixed set", unit: "nats", low: 0, high: free, digits: 2,
			About: "Entropy of the network's priors and of the search's visits on the same positions.",
			lines: r.figures("network's entropy", "search's entropy"),
		},
		{
			ID: "frozen-values", Title: "Values on the fixed set", unit: "value", low: 0, high: free, digits: 3,
			About: "Distance of the search's value from the network's own, and of the network's from its predecessor's, on the same positions; values go from -1 to 1.",
			lines: r.figures("gap to search", "change"),
		},
		{
			ID: "explained", Title: "Explained variance of outcomes", unit: "share", low: free, high: 1, share: true,
			About: "How much of the outcomes the values predict: 100 % is all, 0 nothing, below 0 is worse than a constant.",
			lines: r.figures("network explains", "search explains"),
		},
		r.Reliability.chart(),
		{
			ID: "calibration", Title: "Calibration error of values", unit: "value", low: 0, high: free, digits: 3,
			About: "Mean distance of the reliability curve from the diagonal, in units of the value, which goes from -1 to 1. Small samples have some error by chance.",
			lines: r.figures("network error", "search error"),
		},
		{
			ID: "slope", Title: "Slope of outcomes on values", unit: "slope", low: free, high: free, digits: 2,
			About: "1 if values are right on average, less if they are overconfident, more if too cautious, below 0 if their sign is wrong.",
			lines: r.figures("slope"),
		},
		{
			ID: "full", Title: "Full searches", unit: "share of positions", low: 0, high: 1, share: true, digits: 1,
			About: "Positions that were searched with the full budget, and so have a recommendation to learn.",
			lines: r.figures("full searches"),
		},
		{
			ID: "repeated", Title: "Repeated games", unit: "share of games", low: 0, high: free, share: true, digits: 1,
			About: "Games that are, move by move, another one of the same generation, or one of the generation before. They teach nothing new.",
			lines: r.figures("repeated", "had before"),
		},
		{
			ID: "age", Title: "Age of what is trained on", unit: "generations", low: 0, high: free, digits: 1,
			About: "Mean age of the positions that training drew.",
			lines: r.figures("mean age"),
		},
		{
			ID: "window", Title: "Replay window", unit: "positions", low: 0, high: free,
			About: "How many positions training draws from.",
			lines: r.figures("window"),
		},
		{
			ID: "gradient", Title: "Gradient norm", unit: "norm", low: 0, high: free, digits: 2,
			About: "Length of the whole gradient before clipping: mean and largest of each generation.",
			lines: r.figures("mean norm", "largest norm"),
		},
		{
			ID: "clipped", Title: "Clipped steps", unit: "share of steps", low: 0, high: 1, share: true, digits: 1,
			About: "Training steps whose gradient was longer than train.clip_norm and was clipped to it.",
			lines: r.figures("clipped"),
		},
		{
			ID: "rate", Title: "Learning rate", unit: "per thousand", low: 0, high: free, digits: 3,
			About: "After the last step of a generation, times 1000.",
			lines: []line{r.figure("rate × 1000", func(s *Stage) Number { return 1000 * s.LearningRate })},
		},
	}}
}

func (r *Report) speedSection() section {
	return section{ID: "speed", Title: "Speed", Charts: []chart{
		{
			ID: "positions", Title: "Positions played", unit: "a second", low: 0, high: free,
			About: "Searched decisions of self-play; other work on the machine slows them.",
			lines: r.figures("positions/s"),
		},
		{
			ID: "evaluations", Title: "Network evaluations", unit: "a second", low: 0, high: free,
			About: "In self-play, without those answered by the cache.",
			lines: r.figures("evaluations/s"),
		},
		{
			ID: "samples", Title: "Samples trained on", unit: "a second", low: 0, high: free,
			lines: r.figures("samples/s"),
		},
		{
			ID: "cache", Title: "Evaluations answered by the cache", unit: "share", low: 0, high: 1, share: true, digits: 1,
			lines: r.figures("cached"),
		},
		{
			ID: "memory", Title: "Memory", unit: "MiB", low: 0, high: free,
			About: "Of the training process, as the system sees it.",
			lines: []line{r.figure("MiB resident", func(s *Stage) Number { return s.Memory / (1 << 20) })},
		},
	}}
}

// sections are the charts and tables of the report.
func (r *Report) sections() []section {
	list := drop([]section{r.strengthSection(), r.learningSection(), r.gamesSection(), r.healthSection(), r.speedSection()})
	for i := range list {
		s := &list[i]
		for k := range s.Charts {
			s.Charts[k].times = r.times(s.Charts[k].over)
		}
		switch {
		case s.ID == "strength":
			s.Tables, s.TableFirst = r.Strength.tables(r), true
		case s.ID == "games":
			s.Tables = r.gameTables()
		case s.ID == "health" && r.Reliability != nil:
			s.Tables = []table{r.Reliability.table()}
		}
	}
	return list
}
