package rundir

// WarningEvent tells that a figure of the run is off from now on, or is not any
// more.
type WarningEvent struct {
	// Code names what is off: a short word that does not change.
	Code     string `json:"code"`
	Severity string `json:"severity"`
	// Generation is the newest one, FirstGeneration since when it has been off.
	Generation      int `json:"generation"`
	FirstGeneration int `json:"first_generation"`
	// Text says in words what is off and what to try.
	Text string `json:"text,omitempty"`
	// Over is set when it ends; there is no Text then.
	Over bool `json:"over"`
}
