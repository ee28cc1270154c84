package cli

import (
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/run"
)

// healthOf is a run.Options.Check that says what report/health finds off now.
func healthOf(cfg *configs.Run) func([]run.Metrics) []run.WarningEvent {
	return func(rows []run.Metrics) []run.WarningEvent {
		var list []run.WarningEvent
		for _, w := range health.Current(rows, &cfg.Config) {
			list = append(list, run.WarningEvent{Code: w.Code, Severity: string(w.Severity), FirstGeneration: int(w.First), Text: w.Text})
		}
		return list
	}
}
