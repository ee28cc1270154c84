package replay

// SetReply gives s the reply of a row of the first shard.
func (w *Window) SetReply(row int, s *Sample) { w.shards[0].setReply(row, s) }
