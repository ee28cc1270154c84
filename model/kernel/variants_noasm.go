package kernel

func variants() []*variant { return []*variant{generic} }
