package cluster

import "time"

// WorkerView is what a worker has to show.
type WorkerView struct {
	Run        string // its name, "" before it is known
	Generation int    // -1: nothing is played
	Series     bool   // games of a series are played, which has no generation
	Leases     int
	// Resting says that no game may begin, in a concurrent run: the trainer learns from those
	// that there are, or has been away for too long.
	Resting bool
	// Games and Positions were finished by this process, Waiting parcels have no receipt.
	Games, Positions   int64
	Waiting            int
	WaitingBytes       int64
	PositionsPerSecond float64
	// Away is for how long the host has not answered, Why the last error.
	Away time.Duration
	Why  error
	// Disk is why the spool cannot be written; nothing is played until it can.
	Disk error
	// Refused are the reasons of parcels refused since the last view.
	Refused []string
}

// show tells what there is to see.
func (w *Worker) show() {
	if w.opt.Show == nil {
		return
	}
	v := WorkerView{Run: w.name, Generation: -1, Why: w.why, Refused: w.refused, PositionsPerSecond: w.rate.perSecond()}
	if w.why != nil {
		v.Away = time.Since(w.heard)
	}
	w.refused = nil
	if w.s != nil {
		holds, games := w.s.holds()
		v.Resting = w.s.resting()
		if v.Leases = len(holds); games > 0 {
			v.Generation, v.Series = w.s.task.Generation, w.s.task.Series
		}
	}
	waiting, bytes := w.opt.Spool.Waiting("")
	v.Waiting, v.WaitingBytes = len(waiting), bytes
	w.mu.Lock()
	v.Games, v.Positions, v.Disk = w.games, w.positions, w.disk
	w.mu.Unlock()
	w.opt.Show(v)
}
