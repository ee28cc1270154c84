package konkvest

import (
	"embed"

	"github.com/ludozero/ludozero/engine/guide"
)

//go:embed guide
var guideFiles embed.FS

// Guide is the guide of Konkvest. Callers must not change it.
var Guide = guide.In(guideFiles)
