package plan

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
)

// Identity says which game a network is for.
func Identity(info *engine.Info) model.Identity {
	return model.Identity{
		Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion, Actions: info.NumActions,
	}
}
