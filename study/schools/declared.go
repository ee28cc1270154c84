package schools

// Direction is how a school should differ from the control.
type Direction string

// The directions. All declared differences have one; where the table names none,
// nothing is declared.
const (
	More Direction = "more"
	Less Direction = "less"
)

// claim is a difference that the book's table names.
type claim struct {
	column, words string // of the table
	measure       int
	direction     Direction
}

// declared are the differences by ID of the school, fixed before any game. What is
// "medium" or a matter of the situation is compared with nothing, since the control has
// no tempo and no risk of the book's; a Seed "from the edge" cannot be told from others,
// since Sanctums are corners and every slide that ends on one runs along an edge.
var declared = map[string][]claim{
	"cross-puncture": {
		{"Cross", "puncture", mEntries, More}, {"Cross", "not to stay", mStay, Less},
		{"Seed", "when SSI-safe", mSSI, More}, {"Reforge", "Home", mHome, More}, {"tempo", "slow", mAdvance, Less}, {"risk", "low", mExposed, Less},
	},
	"cross-lock": {
		{"Cross", "to lock", mEntries, More}, {"Cross", "XS ≥ 1", mCertain, More},
		{"Seed", "mid", mMiddle, More}, {"Reforge", "Home", mHome, More}, {"risk", "low-medium", mExposed, Less},
	},
	"cross-bait": {
		{"Cross", "as bait", mEntries, More}, {"Cross", "XS ≥ 1", mCertain, More},
		{"Seed", "early-mid", mFirstSeed, Less}, {"Seed", "SSI ≥ 1", mSSI, More}, {"Reforge", "Sanctum", mSanctum, More},
	},
	"patient-seed": {
		{"Cross", "rare", mEntries, Less},
		{"Seed", "mid", mMiddle, More}, {"Seed", "once opp's XS is low", mSeedRoom, Less},
		{"Reforge", "Home", mHome, More}, {"tempo", "slow", mAdvance, Less}, {"risk", "low", mExposed, Less},
	},
	"safe-majority": {
		{"Cross", "rare", mEntries, Less},
		{"Seed", "SSI good", mSSI, More}, {"Seed", "CCA > 0", mCCA, More},
		{"Reforge", "Home", mHome, More}, {"tempo", "slow-medium", mAdvance, Less}, {"risk", "low", mExposed, Less},
	},
	"cross-raid": {
		{"Cross", "raids", mEntries, More}, {"Cross", "XS ≥ 1", mCertain, More},
		{"Seed", "opportunistic", mSeeds, More}, {"Reforge", "Sanctum", mSanctum, More}, {"Reforge", "Apex when sparse", mApex, More},
		{"tempo", "fast", mAdvance, More}, {"risk", "high", mExposed, More},
	},
	"forced-cross": {
		{"Cross", "forcing only", mEntries, Less},
		{"Seed", "late", mFirstSeed, More}, {"Reforge", "Home", mHome, More}, {"tempo", "slow", mAdvance, Less}, {"risk", "low", mExposed, Less},
	},
	"edge-seed": {
		{"Cross", "avoids", mEntries, Less},
		{"Seed", "mid", mMiddle, More}, {"Reforge", "Home", mHome, More},
	},
	"cross-show": {
		{"Cross", "showy", mEntries, More}, {"Cross", "XS ≥ 1", mCertain, More},
		{"Seed", "early-mid", mFirstSeed, Less}, {"Reforge", "Sanctum", mSanctum, More}, {"tempo", "fast", mAdvance, More}, {"risk", "high", mExposed, More},
	},
	"cross-denial": {
		{"Cross", "denies it", mTheirEntries, Less},
		{"Seed", "SSI-safe only", mSSI, More},
	},
	"race-seed": {
		{"Cross", "only with XS", mCertain, More},
		{"Seed", "late", mFirstSeed, More}, {"Seed", "when T* improves", mGain, More},
		{"Reforge", "Home", mHome, More}, {"tempo", "slow", mAdvance, Less}, {"risk", "low", mExposed, Less},
	},
	"delayed-bait": {
		{"Cross", "bait", mEntries, More}, {"Cross", "XS ≥ 1", mCertain, More},
		{"Seed", "delayed", mFirstSeed, More}, {"Reforge", "Sanctum", mSanctum, More},
	},
	"cap-control": {
		{"Cross", "avoids", mEntries, Less},
		{"Seed", "to control the cap (CCA)", mCCA, More}, {"Reforge", "Home", mHome, More}, {"tempo", "slow", mAdvance, Less}, {"risk", "low", mExposed, Less},
	},
	"exit-denial": {
		{"Cross", "avoids", mEntries, Less}, {"Cross", "denies exits", mTheirRoom, Less},
		{"Seed", "late", mFirstSeed, More}, {"Seed", "SSI = 2", mSSI, More},
		{"Reforge", "Home", mHome, More}, {"tempo", "slow", mAdvance, Less}, {"risk", "low-medium", mExposed, Less},
	},
}
