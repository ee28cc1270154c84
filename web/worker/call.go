package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrGone is wrapped when a table is asked for that is not there any more.
var ErrGone = errors.New("there is no such game any more")

// Call answers a call of the page: body and answer are JSON.
func (w *Worker) Call(method string, body []byte) ([]byte, error) {
	answer, err := w.call(context.Background(), method, body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

func (w *Worker) call(ctx context.Context, method string, body []byte) (any, error) {
	switch method {
	case "analyze":
		var q Question
		if err := decode(body, &q); err != nil {
			return nil, err
		}
		return w.Analyze(ctx, q)
	}
	return nil, fmt.Errorf("no method %q", method)
}

// decode reads one JSON value strictly.
func decode(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
