package konreh

import "github.com/ludozero/ludozero/engine"

// Family is Kon'reh with all its rulesets. The first preset is the default.
var Family = engine.Family{
	Name:    gameName,
	Doc:     "Kon'reh: two armies of ten race, duel and reforge their Blues on a board turned by 45 degrees.",
	Presets: presets,
	Options: options,
	Build:   build,
}

const gameName = "konreh"

var presets = []engine.Preset{
	{Name: "standard", Doc: "the rules as printed, read so that every printed rule has an effect"},
	{Name: "letter", Doc: "the other consistent reading: the ZoC of a target stops its captor, contact captures, no special after a slide",
		Set: map[string]string{"target_zoc_exempt": "false", "slide_special": "false", "contact_capture": "true"}},
	{Name: "table", Doc: "a Rooted Blue sits out its owner's next turn, as in most of the book's examples",
		Set: map[string]string{"rooted": "through-next-turn"}},
	{Name: "tutor", Doc: "without Seed", Set: map[string]string{"seed": "false"}},
	{Name: "basic-cf", Doc: "Blue may re-enter the Cross at once", Set: map[string]string{"cross_exclusion": "0"}},
	{Name: "basic-mobilization", Doc: "Blue may seed on its first departure from Home", Set: map[string]string{"mobilization": "false"}},
	{Name: "micro", Doc: "six pieces a side on 6×6, one special, no Seed, no Cross timers, three turns to reforge",
		Set: map[string]string{"size": "6", "specials": "1", "seed": "false", "cross_stay": "0", "reforge_turns": "3"}},
	{Name: "blitz", Doc: "speed rules: the Cross and a plant are progress, a draw after 30 player turns without any",
		Set: map[string]string{"progress": "speed", "no_progress": "30"}},
	{Name: "lightning", Doc: "speed rules with pie: a draw after 20 player turns without progress",
		Set: map[string]string{engine.BalanceOption: "pie", "progress": "speed", "no_progress": "20"}},
}

var options = []engine.Option{
	{Name: "contact_capture", Doc: "an onward slide may capture short of its exact count", Default: "false", Values: engine.Bools},
	{Name: "target_zoc_exempt", Doc: "a piece's own ZoC does not stop the slide that captures it", Default: "true", Values: engine.Bools},
	{Name: "slide_special", Doc: "Blue may use a special after a slide, in the same direction", Default: "true", Values: engine.Bools},
	{Name: "rooted", Doc: "whether a Rooted Blue is free when its owner's next turn begins or when that turn is over",
		Default: "until-next-turn", Values: []string{"until-next-turn", "through-next-turn"}},
	{Name: "cross_stay", Doc: "own turns Blue may end in the Cross in a row; 0 turns both Cross timers off", Default: "3", Max: 15},
	{Name: "cross_exclusion", Doc: "own turns for which the Cross is barred to a Blue that has left it", Default: "2", Max: 15},
	{Name: "reforge_turns", Doc: "own turns in which a captured Blue must be replaced", Default: "5", Min: 1, Max: 15},
	{Name: "green_cap", Doc: "Greens of both sides that may stand on the board", Default: "6", Min: 2, Max: 12},
	{Name: "seed", Doc: "Blue on a Sanctum may seed a Green on the other", Default: "true", Values: engine.Bools},
	{Name: "mobilization", Doc: "a Blue's first departure from Home may not seed", Default: "true", Values: engine.Bools},
	{Name: engine.BalanceOption, Doc: "how the second player is made up for moving second", Default: balanceWords[balanceDouble], Values: balanceWords},
	{Name: "progress", Doc: "what resets the no_progress count: captures and Seeds, or the Cross and a plant too",
		Default: "normal", Values: []string{"normal", "speed"}},
	{Name: "no_progress", Doc: "a draw after this many player turns without progress; 0 is never", Default: "100", Max: 1000},
	{Name: "max_turns", Doc: "a draw after this many player turns; 0 is never", Default: "0", Max: 10000},
	{Name: "buyback", Doc: "a Blue at Home may refresh a special for a Green, once a life", Default: "false", Values: engine.Bools},
	{Name: "seed_limit", Doc: "Seeds each side may make; 0 is any number", Default: "0", Max: 15},
	{Name: "no_capture_turns", Doc: "player turns at the start without captures and specials", Default: "0", Max: 1000},
	{Name: "stalemate", Doc: "what it is for the player to move to have no legal move", Default: "draw", Values: []string{"draw", "loss"}},
	{Name: "specials", Doc: "specials of a Blue life; 1 is one of either kind and belongs to preset micro alone", Default: "2", Min: 1, Max: 2},
	{Name: "size", Doc: "squares along an edge; 6 belongs to preset micro alone", Default: "8", Values: []string{"6", "8"}},
}
