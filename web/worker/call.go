package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/player/analysis"
	"github.com/ludozero/ludozero/web/table"
)

// ErrGone refuses a request for a table that no longer exists.
var ErrGone = errors.New("there is no such game any more")

// rulesOf asks for the page of rules of a game.
type rulesOf struct {
	Game string `json:"game"`
}

// Call answers a call of the page: body and answer are JSON. For programs of others are games,
// describe, position, encode and analyze (docs/javascript.md), the other methods for the page.
func (w *Worker) Call(method string, body []byte) ([]byte, error) {
	answer, err := w.call(context.Background(), method, body)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // pictures would be a fifth longer
	err = e.Encode(answer)
	return text.Bytes(), err
}

func (w *Worker) call(ctx context.Context, method string, body []byte) (any, error) {
	switch method {
	case "analyze":
		return answered(body, func(q Question) (*analysis.Answer, error) {
			var fields map[string]json.RawMessage
			if err := errors.Join(json.Unmarshal(body, &fields), analysis.CheckLimits(fields)); err != nil {
				return nil, err
			}
			return w.Analyze(ctx, q)
		})
	case "games":
		return w.playables(), nil
	case "describe":
		return answered(body, w.describe)
	case "position":
		return answered(body, w.position)
	case "encode":
		return answered(body, w.encode)
	case "catalog":
		return w.catalog(), nil
	case "rules":
		return answered(body, func(q rulesOf) (*table.RulesPage, error) { return w.config().RulesPage(q.Game) })
	case "open":
		return answered(body, w.openTable)
	case "watch":
		return answered(body, w.watch)
	case "at":
		return answered(body, w.at)
	case "send":
		return answered(body, w.send)
	}
	return nil, fmt.Errorf("no method %q", method)
}

// answered decodes body strictly and answers it.
func answered[Q, A any](body []byte, do func(Q) (A, error)) (any, error) {
	var q Q
	if err := strictjson.Decode(body, &q); err != nil {
		return nil, refused(err, reflect.TypeFor[Q]())
	}
	return do(q)
}

// refused says what is wanted of a question of type t that does not decode.
func refused(err error, t reflect.Type) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		want := wrong.Type.String()
		switch wrong.Type.Kind() {
		case reflect.String:
			want = "text"
		case reflect.Slice:
			want = "a list"
		case reflect.Int, reflect.Int64, reflect.Uint64:
			want = "a whole number"
		}
		return fmt.Errorf("question: %s: %s: want %s", wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], wrong.Value, want)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		var names []string
		for _, f := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				names = append(names, name)
			}
		}
		return fmt.Errorf("question: no field %s: want one of %s", name, strings.Join(names, ", "))
	}
	return err
}
