package main

import "github.com/ludozero/ludozero/engine/guide"

// about teaches trio: a page of rules, a lesson and two opponents.
var about = guide.Guide{
	Rules: "# Trio\n\n" +
		"## The goal {#goal}\n\nBe the first with **three stones** side by side or in a column.\n\n" +
		guide.Fence + "\nposition: ..../oo../xx.. x\narrows: c1\nlegal: c1\nillegal: a1\ncaption: x wins on c1.\n```\n\n" +
		"## A turn {#turn}\n\nPlayers put a stone on any empty cell in turn. A full board is a draw.\n",
	Opponents: []guide.Opponent{
		{Name: "Beginner", Doc: "Plays anything.", Player: "random", Rules: "standard", Source: "by definition"},
		{
			Name: "Easy", Doc: "Completes three when it can.", Player: "minimax:depth=1", Default: true, Rules: "standard",
			Elo: 232, Low: 173, High: 290, Source: "trio tournament --game trio random minimax:depth=1 --pairs 100 --anchor random",
		},
	},
	Lessons: []guide.Lesson{{
		Name: "three", Title: "Three in a row", Text: "Three stones side by side win. You play x.", Position: "..../oo../xx.. x",
		Opponent: "random", Goal: guide.Goal{Text: "Win in one turn.", All: []guide.Condition{{End: "win"}}},
		Turns: 1, Hint: "The bottom row.", Solution: "c1", Wrong: "d3",
	}},
}
