package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/wording"
)

// TextWidth is the number of characters of a line of text.
const TextWidth = 80

// Text writes a page of rules as wrapped text with boards in letters, or the section
// alone whose anchor, or the beginning of whose heading, section is, or the explanation
// of a word of a table.
func Text(f *engine.Family, rules, section string, color bool) (string, error) {
	p, err := guide.ParsePage(rules)
	if err != nil {
		return "", err
	}
	blocks := p.Blocks
	if section != "" {
		if blocks, err = find(blocks, section); err != nil {
			return "", err
		}
		if blocks == nil {
			return "", fmt.Errorf("no section %q: want one of %s", section, strings.Join(Sections(p), ", "))
		}
	}
	var b strings.Builder
	for _, x := range blocks {
		switch x.Kind {
		case guide.Heading:
			title := x.Lines[0].Plain()
			fmt.Fprintf(&b, "%s\n%s\n", title, strings.Repeat(string("=--"[min(x.Level, 3)-1]), len([]rune(title))))
		case guide.Paragraph:
			b.WriteString(wrapped(x.Lines[0].Plain(), ""))
		case guide.List, guide.Numbers:
			for i, line := range x.Lines {
				mark := "- "
				if x.Kind == guide.Numbers {
					mark = fmt.Sprintf("%d. ", i+1)
				}
				b.WriteString(wrapped(line.Plain(), mark))
			}
		case guide.Table:
			table(&b, x.Rows)
		case guide.Figure:
			s, _, whyNot, err := x.Picture.Set(f)
			if err != nil {
				return "", err
			}
			for line := range strings.Lines(engine.BoardText(s, color)) {
				if len([]rune(line)) > TextWidth+1 && !strings.Contains(line, "\x1b") { // what stands beside the board
					line = wrapped(line, "")
				}
				b.WriteString(line)
			}
			b.WriteString(wrapped(strings.TrimSpace(x.Picture.Caption+" "+claims(x.Picture, whyNot).Plain()), ""))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// Sections lists the anchors of the sections of a page: headings of the second level.
func Sections(p *guide.Page) (list []string) {
	for _, b := range p.Blocks {
		if b.Kind == guide.Heading && b.Level == 2 {
			list = append(list, b.ID)
		}
	}
	return list
}

// find returns a heading and what follows up to the next heading of its level, or a word of
// the glossary with its explanation; nil: there is none. What several begin with is an error.
func find(blocks []guide.Block, section string) ([]guide.Block, error) {
	word := strings.ToLower(section)
	title := func(b *guide.Block) string { return strings.ToLower(b.Lines[0].Plain()) }
	id := func(b *guide.Block) string { return strings.TrimPrefix(b.ID, guide.OptionAnchor) }
	for _, fits := range []func(b *guide.Block) bool{
		func(b *guide.Block) bool { return b.ID == word || id(b) == word },
		func(b *guide.Block) bool { return title(b) == word },
		func(b *guide.Block) bool { return strings.HasPrefix(title(b), word) },
	} {
		i, others := -1, []string(nil)
		for j := range blocks {
			switch b := &blocks[j]; {
			case b.Kind != guide.Heading || !fits(b):
			case i < 0:
				i = j
			case title(b) != word && id(b) != word:
				others = append(others, id(b))
			}
		}
		switch {
		case i < 0:
			continue
		case others != nil:
			return nil, ambiguous(section, id(&blocks[i]), others)
		}
		end := slices.IndexFunc(blocks[i+1:], func(b guide.Block) bool { return b.Kind == guide.Heading && b.Level <= blocks[i].Level })
		if end < 0 {
			return blocks[i:], nil
		}
		return blocks[i : i+1+end], nil
	}
	var row []guide.Line // of the glossary
	var others []string
	for _, b := range blocks {
		for _, r := range b.Rows {
			switch name := strings.ToLower(r[0].Plain()); {
			case name == word:
				return meaning(r), nil
			case !strings.HasPrefix(name, word):
			case row == nil:
				row = r
			case name != strings.ToLower(row[0].Plain()):
				others = append(others, r[0].Plain())
			}
		}
	}
	switch {
	case row == nil:
		return nil, nil
	case others != nil:
		return nil, ambiguous(section, row[0].Plain(), others)
	}
	return meaning(row), nil
}

// meaning is the paragraph of a row of the glossary.
func meaning(row []guide.Line) []guide.Block {
	return []guide.Block{{Kind: guide.Paragraph, Lines: []guide.Line{slices.Concat(row[0], guide.Line{{Text: ": "}}, row[len(row)-1])}}}
}

func ambiguous(section, first string, others []string) error {
	return fmt.Errorf("section %q: several begin so: want one of %s, %s", section, first, strings.Join(others, ", "))
}

// wrapped is text in lines, the first after mark, the others as far to the right.
func wrapped(text, mark string) string {
	return wording.Wrap(strings.Fields(text), TextWidth, mark, strings.Repeat(" ", len([]rune(mark))))
}

// table writes rows in columns; the last column is wrapped.
func table(b *strings.Builder, rows [][]guide.Line) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell.Plain())))
		}
	}
	for _, row := range rows {
		before := ""
		for i, cell := range row[:len(row)-1] {
			before += fmt.Sprintf("%-*s  ", widths[i], cell.Plain())
		}
		b.WriteString(wrapped(row[len(row)-1].Plain(), before))
	}
}
