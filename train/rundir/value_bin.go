package rundir

// ValueBin is a point of a reliability curve: what became of the positions whose
// value lies in [-1 + 0.2·i, -1 + 0.2·(i+1)), i being its place among ten; the
// last bin has 1 as well. Values and outcomes are in the acting player's view.
type ValueBin struct {
	// Positions of that many Games lie in the bin. Without any, the rest is 0.
	Positions int64 `parquet:"positions" json:"positions"`
	Games     int64 `parquet:"games" json:"games"`
	// Predicted is their mean value, Outcome their mean outcome: equal if the
	// values are calibrated.
	Predicted float64 `parquet:"predicted" json:"predicted"`
	Outcome   float64 `parquet:"outcome" json:"outcome"`
	// Error is the standard error of Outcome - Predicted. The positions of a game
	// share its result and count as one cluster (Liang and Zeger 1986); with a
	// single game it is 1, as good as unknown.
	Error float64 `parquet:"error" json:"error"`
}
