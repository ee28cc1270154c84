package guide

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
)

// Page is a page of rules taken apart.
type Page struct{ Blocks []Block }

// BlockKind says what a Block is.
type BlockKind int

// The kinds of blocks.
const (
	Heading BlockKind = iota
	Paragraph
	List
	Numbers // a numbered list
	Table
	Figure // a picture of a position
)

// Block is a part of a page.
type Block struct {
	Kind BlockKind
	// Level is how deep a heading is, from 1; ID is its anchor.
	Level int
	ID    string
	// Lines are the text of a heading or paragraph, one line, or the items of a list.
	Lines []Line
	// Rows are the rows of a table, its head first.
	Rows    [][]Line
	Picture *Picture
}

// Line is a text with styles.
type Line []Span

// Span is a piece of text in one style. Link is the anchor that it leads to, if it does.
type Span struct {
	Text       string
	Bold, Code bool
	Link       string
}

// Plain is the text without styles.
func (l Line) Plain() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Picture is a picture of a position in a page, in lines of "key: value" between lines
// of [Fence] and ```.
type Picture struct {
	// Rules and Position set the position up, as in a Lesson; Moves are played from it,
	// and the last turn is marked.
	Rules, Position, Moves string
	// Arrows are moves to mark without playing them.
	Arrows []string
	// Legal are words that are legal there, Illegal some that are not. Both are claims
	// that [Guide.Check] asks the rules about.
	Legal, Illegal []string
	Caption        string
}

// Fence begins a picture.
const Fence = "```position"

var (
	headingForm = regexp.MustCompile(`^(#+) (.*?)(?: \{#([a-z0-9_-]+)\})?$`)
	numberForm  = regexp.MustCompile(`^\d+\. `)
	ruleForm    = regexp.MustCompile(`^\|[-| :]+\|$`)
	spanForm    = regexp.MustCompile("\\*\\*(.+?)\\*\\*|`([^`]+)`|\\[([^\\]]+)\\]\\(#([a-z0-9_-]+)\\)")
	notInID     = regexp.MustCompile(`[^a-z0-9_]+`)
)

// ParsePage reads a page: headings (# to ###, with an anchor as in "## Slides {#slides}"
// or one made of their words), paragraphs, lists, numbered lists, tables, **bold**,
// `code`, [links](#anchor) within the page, and pictures.
func ParsePage(text string) (*Page, error) {
	p := &Page{}
	var errs problems.List
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
			i++
		case line == Fence:
			end := i + 1
			for end < len(lines) && strings.TrimSpace(lines[end]) != "```" {
				end++
			}
			picture, err := parsePicture(lines[i+1 : min(end, len(lines))])
			if err == nil && end >= len(lines) {
				err = errors.New("the picture has no end")
			}
			errs.If(err != nil, "line %d: %w", i+1, err)
			p.Blocks = append(p.Blocks, Block{Kind: Figure, Picture: picture})
			i = end + 1
		case headingForm.MatchString(line):
			m := headingForm.FindStringSubmatch(line)
			b := Block{Kind: Heading, Level: len(m[1]), ID: m[3], Lines: []Line{spans(m[2])}}
			if b.ID == "" {
				b.ID = strings.Trim(notInID.ReplaceAllString(strings.ToLower(b.Lines[0].Plain()), "-"), "-")
			}
			p.Blocks = append(p.Blocks, b)
			i++
		default:
			p.paragraph(line, i > 0 && strings.TrimSpace(lines[i-1]) != "")
			i++
		}
	}
	return p, errs.Err()
}

// paragraph adds a line of text, a list or a table. It continues the last block if
// no empty line is between.
func (p *Page) paragraph(line string, follows bool) {
	kind := Paragraph
	number := numberForm.FindString(line)
	switch {
	case strings.HasPrefix(line, "- "):
		kind, line = List, line[2:]
	case number != "":
		kind, line = Numbers, line[len(number):]
	case strings.HasPrefix(line, "|"):
		kind = Table
	}
	var last *Block
	if n := len(p.Blocks); n > 0 && follows && p.Blocks[n-1].Kind != Heading && p.Blocks[n-1].Kind != Figure {
		last = &p.Blocks[n-1]
	}
	switch {
	case kind == Paragraph && last != nil && last.Kind != Table: // the line goes on
		end := len(last.Lines) - 1
		last.Lines[end] = append(last.Lines[end], append(Line{{Text: " "}}, spans(line)...)...)
	case last == nil || last.Kind != kind:
		p.Blocks = append(p.Blocks, Block{Kind: kind})
		last = &p.Blocks[len(p.Blocks)-1]
		fallthrough
	default:
		if kind != Table {
			last.Lines = append(last.Lines, spans(line))
		} else if !ruleForm.MatchString(line) {
			var row []Line
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				row = append(row, spans(strings.TrimSpace(cell)))
			}
			last.Rows = append(last.Rows, row)
		}
	}
}

// spans takes the styles of a text apart.
func spans(text string) (line Line) {
	for text != "" {
		m := spanForm.FindStringSubmatchIndex(text)
		if m == nil {
			return append(line, Span{Text: text})
		}
		if m[0] > 0 {
			line = append(line, Span{Text: text[:m[0]]})
		}
		switch {
		case m[2] >= 0:
			line = append(line, Span{Text: text[m[2]:m[3]], Bold: true})
		case m[4] >= 0:
			line = append(line, Span{Text: text[m[4]:m[5]], Code: true})
		default:
			line = append(line, Span{Text: text[m[6]:m[7]], Link: text[m[8]:m[9]]})
		}
		text = text[m[1]:]
	}
	return line
}

func parsePicture(lines []string) (*Picture, error) {
	p := &Picture{}
	for _, line := range lines {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		words := strings.Fields(value)
		switch {
		case key == "": // an empty line
		case !ok:
			return p, fmt.Errorf("picture: %q: want key: value", line)
		case key == "rules":
			p.Rules = value
		case key == "position":
			p.Position = value
		case key == "moves":
			p.Moves = value
		case key == "arrows":
			p.Arrows = words
		case key == "legal":
			p.Legal = words
		case key == "illegal":
			p.Illegal = words
		case key == "caption":
			p.Caption = value
		default:
			return p, fmt.Errorf("picture: unknown key %q", key)
		}
	}
	return p, nil
}

// Set sets the position up and describes it. whyNot are the reasons against Illegal, what
// follows the first ": " in the errors of ParseAction; empty where there is none.
func (p *Picture) Set(f *engine.Family) (s engine.State, picture *engine.Picture, whyNot []string, err error) {
	g, s, h, err := set(f, p.Rules, p.Position)
	if err != nil {
		return nil, nil, nil, err
	}
	before, after := g.NewState(), g.NewState()
	var marks []engine.Mark // of the last turn
	began := -1
	for _, word := range strings.Fields(p.Moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, nil, nil, err
		}
		before.CopyFrom(s)
		s.Apply(a, h)
		if before.Turn() != began {
			marks, began = nil, before.Turn()
		}
		if d, ok := before.(engine.Pictured); ok {
			marks = d.AppendMarks(marks, a, s)
		}
	}
	picture, ok := engine.PictureOf(g, s)
	if !ok {
		return nil, nil, nil, errors.New("the game has no pictures")
	}
	picture.Marks = marks
	for _, word := range p.Arrows {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, nil, nil, err
		}
		after.CopyFrom(s)
		after.Apply(a, nil)
		picture.Mark(s, a, after)
	}
	for _, word := range p.Legal {
		if _, err := s.ParseAction(word, h); err != nil {
			return nil, nil, nil, fmt.Errorf("said to be legal: %w", err)
		}
	}
	for _, word := range p.Illegal {
		_, err := s.ParseAction(word, h)
		if err == nil {
			return nil, nil, nil, fmt.Errorf("said to be illegal: %s", word)
		}
		_, why, _ := strings.Cut(err.Error(), ": ")
		whyNot = append(whyNot, why)
	}
	return s, picture, whyNot, nil
}
