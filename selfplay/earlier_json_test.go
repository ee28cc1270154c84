package selfplay

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/engine/enginetest/racegame"
)

// TestEarlierGamesTravel: what another process reads begins games at the same positions,
// and beginnings outside of a game's actions are refused.
func TestEarlierGamesTravel(t *testing.T) {
	var list, got []EarlierGame
	for i, f := range play(t, quick(), job(racegame.New(), 1, 5)) {
		list = append(list, NewEarlierGame(f.Rows, float64(i%2)))
	}
	text, err := json.Marshal(list)
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || !reflect.DeepEqual(got, list) || len(list[0].ends) == 0 {
		t.Errorf("%+v came as %+v, %v", list, got, err)
	}
	for _, bad := range []string{`{"actions":[1,2],"ends":[3]}`, `{"actions":[1,2],"ends":[2,1]}`, `{"actions":[1,2],"ends":[0]}`, `{"ends":"x"}`,
		`{"actions":[1,2],"ends":[1,2],"weights":[1]}`, `{"actions":[1,2],"ends":[1],"weights":[0]}`, `{"actions":[1,2],"ends":[1],"weights":[9223372036854775807]}`} {
		if err := json.Unmarshal([]byte(bad), new(EarlierGame)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}
