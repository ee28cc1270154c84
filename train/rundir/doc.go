// Package rundir is the folder of a run,
//
//	config.yaml     the resolved configuration
//	events.jsonl    what happened, one Event a line
//	metrics.parquet figures of every generation, see Metrics
//	shards/         records of the games, see selfplay/record
//	checkpoints/    one folder a generation: weights with card, optimizer, state
//	origin.json     of a fork: where it comes from, see Origin
//	inherited/      of a fork: shards of the runs before it
//	lock            held by the process that works on the run
//	pack.json       of a pack: what it holds, see Pack
//
// in which every file is written whole or not at all. Others read runs through
// this package alone. It starts no work and links neither gorgonia nor the
// kernels.
package rundir
