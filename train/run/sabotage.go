package run

// flipFault is the value of LUDOZERO_FAULT that makes training teach the value
// of every position as the other player sees it: a common mistake, made on
// purpose to see that it is noticed (docs/health.md).
const flipFault = "flip-values"

// flipValues exchanges win and loss in value targets of a batch, [B, 3].
func flipValues(wdl []float32) {
	for i := 0; i < len(wdl); i += 3 {
		wdl[i], wdl[i+2] = wdl[i+2], wdl[i]
	}
}
