package schools

// Measure is something of how a side plays that is counted in games, from its own
// decisions unless it says otherwise.
type Measure struct {
	// Name is for tables, ID for files. Unit says what is counted and per what.
	ID, Name, Unit string
	// Share says that 1 is written as 100 %.
	Share bool
	// Drawn says that the page has a plot of it.
	Drawn bool
}

// Numbers of the measures.
const (
	mEntries = iota
	mStay
	mExits
	mCertain
	mTheirEntries
	mTheirRoom
	mSeeds
	mFirstSeed
	mMiddle
	mSSI
	mCCA
	mSeedRoom
	mGain
	mPlacements
	mHome
	mSanctum
	mApex
	mAdvance
	mPlantTurns
	mPace
	mExposed
	mCaptures
	mSpecials
	mSRI
	mLength
	numMeasures
)

// Early and Late bound the middle of a game, in own turns: where this engine seeds
// by itself.
const (
	early = 40
	late  = 110
)

var measures = [numMeasures]Measure{
	mEntries:      {"cross_entries", "Cross entries", "a game", false, true},
	mStay:         {"cross_stay", "turns in the Cross", "own turns ended there, an entry", false, true},
	mExits:        {"entry_exits", "XS at Cross entry", "an entry", false, true},
	mCertain:      {"entry_certain", "entries with XS 1 or more", "share of entries", true, false},
	mTheirEntries: {"their_entries", "opponent's Cross entries", "a game", false, true},
	mTheirRoom:    {"their_room", "opponent's room in the Cross", "greatest XS, ends of own turns", false, false},
	mSeeds:        {"seeds", "Seeds", "a game", false, true},
	mFirstSeed:    {"first_seed", "first Seed", "own turn", false, true},
	mMiddle:       {"seeds_middle", "Seeds in own turns 40 to 110", "share of Seeds", true, false},
	mSSI:          {"seed_ssi", "SSI at the Seed", "a Seed", false, true},
	mCCA:          {"seed_cca", "CCA after the Seed", "Greens, a Seed", false, false},
	mSeedRoom:     {"seed_room", "opponent's room in the Cross at the Seed", "greatest XS, a Seed", false, false},
	mGain:         {"seed_gain", "Seeds that bring T* down", "share of Seeds", true, false},
	mPlacements:   {"placements", "placements", "a game", false, false},
	mHome:         {"place_home", "placements at Home", "share of placements", true, true},
	mSanctum:      {"place_sanctum", "placements on a Sanctum", "share of placements", true, true},
	mApex:         {"place_apex", "placements on the enemy Apex", "share of placements", true, true},
	mAdvance:      {"advance", "runners' way from Home", "steps a runner, ends of own turns", false, true},
	mPlantTurns:   {"plant_turns", "T*", "turns up to 8, ends of own turns", false, false},
	mPace:         {"pace", "ΔT* of an own turn", "turns", false, false},
	mExposed:      {"exposed", "pieces that could be taken", "ends of own turns", false, true},
	mCaptures:     {"captures", "captures", "a game", false, false},
	mSpecials:     {"specials", "specials spent", "a game", false, false},
	mSRI:          {"sri", "SRI after the last special", "a last special", false, false},
	mLength:       {"length", "length", "player turns", false, true},
}

// ratio is a part of a measure in a game or a round: what it has counted, of how much. Sums of
// both over games divide to the measure.
type ratio struct{ sum, of float64 }

func (r *ratio) add(x float64) { r.sum += x; r.of++ }

// Fingerprint is how one side has played in a game, by measure.
type Fingerprint [numMeasures]ratio
