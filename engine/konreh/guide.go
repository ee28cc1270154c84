package konreh

import (
	_ "embed"
	"sync"

	"github.com/ludozero/ludozero/engine/guide"
)

//go:embed guide/guide.json
var guideData []byte

// Guide is the guide of Kon'reh. Callers must not change it.
var Guide = sync.OnceValue(func() *guide.Guide { return guide.Must("", guideData) })
