//go:build js && wasm

// Command ludozero-wasm is package web/worker as a program for a web page.
// web/site/files/engine.js starts it, and describes the functions that are called here.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall/js"
	"time"
	"unsafe"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/player/kinds"
	"github.com/ludozero/ludozero/web/worker"
)

func main() {
	if err := run(js.Global().Get("ludozeroHost")); err != nil {
		fmt.Fprintln(os.Stderr, "ludozero:", err)
		os.Exit(1)
	}
}

// run serves the calls of the page, until it is closed.
func run(object js.Value) error {
	h := &host{object: object, breathed: time.Now()}
	text, err := h.Read(worker.SiteFile)
	if err != nil {
		return err
	}
	site, err := worker.ParseSite(text)
	if err != nil {
		return err
	}
	w := worker.New(games.All(), games.Guides(), kinds.All(), site, h)
	object.Call("ready", js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, body, done := args[0].String(), args[1].String(), args[2]
		go func() { // a call of the page must not block
			answer, err := w.Call(method, []byte(body))
			if err != nil {
				done.Invoke(refusal(err), nil)
				return
			}
			done.Invoke(nil, string(answer))
		}()
		return nil
	}))
	select {}
}

// refusal is an error for the page.
func refusal(err error) any {
	return map[string]any{"message": err.Error(), "gone": errors.Is(err, worker.ErrGone)}
}

// breath is how long the page may have to wait.
const breath = 30 * time.Millisecond

// host is the page.
type host struct {
	object   js.Value
	breathed time.Time
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type answer struct {
		value js.Value
		err   error
	}
	answered := make(chan answer, 1)
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answered <- answer{value: args[0]}
		return nil
	})
	defer kept.Release()
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		answered <- answer{err: errors.New(js.Global().Call("String", args[0]).String())}
		return nil
	})
	defer broken.Release()
	promise.Call("then", kept, broken)
	a := <-answered
	return a.value, a.err
}

func (h *host) Read(path string) ([]byte, error) {
	file, err := await(h.object.Call("read", path))
	if err != nil {
		return nil, err
	}
	data := make([]byte, file.Length())
	js.CopyBytesToGo(data, file)
	return data, nil
}

func (h *host) Warn(text string) { h.object.Call("warn", text) }

func (h *host) Breathe() {
	if time.Since(h.breathed) < breath {
		return
	}
	_, _ = await(h.object.Call("breathe"))
	h.breathed = time.Now()
}

// Model opens a model. Inputs and outputs pass through arrays of the page that all
// calls share.
func (h *host) Model(n *worker.Network, batch int) (worker.Run, error) {
	shape := n.Card.Network.Shape
	text, err := json.Marshal(map[string]int{
		"planes": shape.Planes, "height": shape.Height, "width": shape.Width, "globals": shape.Globals, "head": shape.HeadCells(), "batch": batch,
	})
	if err != nil {
		return nil, err
	}
	model, err := await(h.object.Call("model", n.Model, string(text)))
	if err != nil {
		return nil, err
	}
	planesIn, globalsIn, outputs := model.Get("planes"), model.Get("globals"), model.Get("outputs")
	answered := make(chan string, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any { // never released: the page uses it to its end
		answered <- args[0].String()
		return nil
	})
	return func(planes, globals []float32, rows int, out []float32) error {
		js.CopyBytesToJS(planesIn, bytesOf(planes))
		js.CopyBytesToJS(globalsIn, bytesOf(globals))
		model.Call("run", rows, done)
		if problem := <-answered; problem != "" {
			return errors.New(problem)
		}
		js.CopyBytesToGo(bytesOf(out), outputs)
		return nil
	}, nil
}

// bytesOf is the memory of f. WebAssembly has the byte order of typed arrays.
func bytesOf(f []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(f))), 4*len(f))
}
