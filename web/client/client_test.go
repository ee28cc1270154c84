package client

import (
	"bytes"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// TestModulesExist: every module, style and icon that a page or a module names is
// there, by a relative name, so that a page works below any address.
func TestModulesExist(t *testing.T) {
	have := map[string]bool{}
	texts := map[string]string{}
	err := fs.WalkDir(Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(Files(), path)
		have[path], texts[path] = true, string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := Render(&page, Page{Body: "play", Nav: []Link{{"Play", "./"}, {"<Runs>", "runs"}}, Here: "Play", Transport: "./transport-http.js"}); err != nil {
		t.Fatal(err)
	}
	texts["play.html"] = page.String()
	have[ServiceWorkerFile] = true // written by servers and sites
	name := regexp.MustCompile(`(?:from |import\(|src=|href=|data-transport=)"(\.?/?[a-z][a-z-]*\.(?:js|css|svg|webmanifest))"`)
	found := 0
	for file, text := range texts {
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			found++
			if ref := strings.TrimPrefix(m[1], "./"); !have[ref] || strings.HasPrefix(ref, "/") {
				t.Errorf("%s names %s, which is not there", file, m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d references, want more", found)
	}
	for _, want := range []string{`aria-current="page">Play<`, `&lt;Runs&gt;`, `data-transport="./transport-http.js"`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %s in %s", want, page.String())
		}
	}
	if strings.Contains(page.String(), "Content-Security-Policy") {
		t.Error("a policy that nobody asked for")
	}
}

func TestUnknownPage(t *testing.T) {
	if err := Render(&bytes.Buffer{}, Page{Body: "nothing"}); err == nil {
		t.Error("no error")
	}
}
