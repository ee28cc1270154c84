// Package strictjson reads JSON that must be exactly what it is expected to be.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decode parses text, one JSON value, into v. Fields that v does not have and anything
// after the value are errors.
func Decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	switch err := d.Decode(v); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("unexpected end of JSON")
	case err != nil:
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more after it")
	}
	return nil
}

// DecodeVersion is Decode of a value with a field Version, which must be version. It is
// checked first: other versions may have other fields.
func DecodeVersion(text []byte, version int, v any) error {
	var head struct{ Version *int }
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&head)
	if err == nil && head.Version != nil && *head.Version != version {
		return fmt.Errorf("version %d: this program reads version %d", *head.Version, version)
	}
	if err := Decode(text, v); err != nil {
		return err
	}
	if head.Version == nil {
		return fmt.Errorf("no version: this program reads version %d", version)
	}
	return nil
}
