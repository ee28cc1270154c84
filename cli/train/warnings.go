package train

import (
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/rundir"
)

// healthOf is a run.Options.Check that says what report/health finds off now.
func healthOf(cfg *configs.Run) func([]rundir.Metrics) []rundir.WarningEvent {
	return func(rows []rundir.Metrics) []rundir.WarningEvent {
		var list []rundir.WarningEvent
		for _, w := range health.Current(rows, &cfg.Config) {
			list = append(list, rundir.WarningEvent{Code: w.Code, Severity: string(w.Severity), FirstGeneration: int(w.First), Text: w.Text})
		}
		return list
	}
}
