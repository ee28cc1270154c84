package plan

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
)

// Shape is what the family of games described by info asks of a network.
func Shape(info *engine.Info) model.Shape {
	f := &info.Features
	return model.Shape{
		Planes: f.Planes, Height: f.Height, Width: f.Width,
		Globals: f.Globals, MaskPlane: f.MaskPlane,
		PolicyPlanes: info.Policy.Planes, PolicyGlobals: info.Policy.Globals,
	}
}

// Identity says which game a network is for.
func Identity(info *engine.Info) model.Identity {
	return model.Identity{
		Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion, Actions: info.NumActions,
	}
}

// NetworkOf is the architecture of a generation.
func (c *Config) NetworkOf(info *engine.Info, generation int) model.Network {
	return model.Network{Shape: Shape(info), Config: c.ModelAt(generation)}
}
