package knaw

import (
	"embed"

	"github.com/ludozero/ludozero/engine/guide"
)

//go:embed guide
var guideFiles embed.FS

// Guide is the guide of kn@w. Callers must not change it.
var Guide = guide.In(guideFiles)
