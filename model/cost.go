package model

// MultiplyAdds counts the multiplications with a weight that one evaluation
// takes by the formulas of this package, each with its addition. Taps that fall
// off the board count as if they were on it, as is usual; kernels may leave them
// out, or need fewer multiplications for the same result (Winograd). The head of
// Config.Reply, which play leaves out, does not count.
func (n Network) MultiplyAdds() int64 {
	s, c := n.Shape, n.Config
	cells := s.Cells()
	sum := cells*9*s.Planes*c.Channels + s.Globals*c.Channels
	for i := range c.Blocks {
		sum += 2 * cells * 9 * c.Channels * c.Channels
		if c.Pooled(i) {
			sum += 3 * c.Channels * c.Channels
		}
	}
	sum += cells*c.Channels*c.PolicyChannels + cells*c.PolicyChannels*s.PolicyPlanes + 3*c.Channels*s.PolicyGlobals
	sum += cells*c.Channels*c.ValueChannels + cells*c.ValueChannels*c.ValueHidden + c.ValueHidden*4
	return int64(sum)
}

// TrainingMultiplyAdds counts the multiply-adds of one sample of a training step:
// forward, the gradients by the weights, and the gradients by the inputs, which the stem
// does not need. The head of Config.Reply counts as a second end of the policy head.
func (n Network) TrainingMultiplyAdds() int64 {
	s, c := n.Shape, n.Config
	stem := int64(s.Cells()*9*s.Planes*c.Channels + s.Globals*c.Channels)
	sum := 3*n.MultiplyAdds() - stem
	if c.Reply {
		sum += 3 * int64(s.Cells()*c.PolicyChannels*s.PolicyPlanes+3*c.Channels*s.PolicyGlobals)
	}
	return sum
}
