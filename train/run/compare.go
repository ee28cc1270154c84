package run

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/ludozero/ludozero/selfplay/record"
)

// compareGames compares recorded rows of a game, all of them, with those of the
// same game as it was played again, column by column.
func compareGames(recorded, again []record.Row) []Difference {
	var list []Difference
	for i := range min(len(recorded), len(again)) {
		a, b := recorded[i], again[i]
		// A shard holds less than a game has at hand.
		b.Round()
		if a.RootDraw == record.DrawUnknown { // of an earlier program
			b.RootDraw = a.RootDraw
		}
		x, y := reflect.ValueOf(a), reflect.ValueOf(b)
		for k := range x.NumField() {
			column, _, _ := strings.Cut(x.Type().Field(k).Tag.Get("parquet"), ",")
			if !sameColumn(x.Field(k), y.Field(k)) {
				list = append(list, Difference{a.Ply, column, fmt.Sprint(x.Field(k)), fmt.Sprint(y.Field(k))})
			}
		}
	}
	if len(recorded) != len(again) {
		ply := int32(0)
		if n := min(len(recorded), len(again)); n > 0 {
			ply = recorded[n-1].Ply
		}
		list = append(list, Difference{ply, "rows of the game", fmt.Sprint(len(recorded)), fmt.Sprint(len(again))})
	}
	return list
}

// sameColumn compares bit for bit; an empty list equals none.
func sameColumn(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	if a.Kind() == reflect.Float32 {
		return math.Float32bits(float32(a.Float())) == math.Float32bits(float32(b.Float()))
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
