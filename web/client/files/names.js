// The words of the page for players and results.

// Names knows what to call the players of a catalog.
export class Names {
  constructor(catalog) {
    this.catalog = catalog;
  }

  game(name) {
    return this.catalog.games.find((g) => g.name === name);
  }

  // opponent is what the guide says of the player that a description names, if it does.
  opponent(game, description) {
    return (this.game(game)?.opponents || []).find((o) => o.player === description);
  }

  // player is what to call the player of a description.
  player(game, description) {
    const named = this.opponent(game, description)?.name;
    if (named) return named;
    const offer = this.catalog.players.filter((o) => description === o.name || description.startsWith(o.name + ",") || description.startsWith(o.name + ":")).pop();
    return offer ? offer.label[0].toUpperCase() + offer.label.slice(1) : description;
  }

  // coach is what to call the player who gives hints and reviews.
  coach(view) {
    return this.opponent(view.setup.game, view.hinter)?.name || "The coach";
  }

  // seat is what to call the player in a seat of a view: "You" where there is one person.
  seat(view, i) {
    const { person, name, side } = view.seats[i];
    if (!person) return this.player(view.setup.game, name);
    return view.seats[1 - i].person ? side : "You";
  }

  // result says how the game of a view ended.
  result(view) {
    const r = view.result;
    const words = r.reason.replaceAll("-", " ");
    const how = { resignation: " by resignation", agreement: " by agreement", "time-forfeit": " on time" }[r.reason] || (view.setup.ended ? ` by ${words}` : `: ${words}`);
    if (!r.side) return `A draw${how}`;
    const who = this.seat(view, r.winner === "first" ? 0 : 1);
    return who === "You" ? `You win${how}. Well played!` : `${who} wins${how}`;
  }
}

// own is the seat of the only person at a table, -1 if there is not exactly one.
export function own(view) {
  const people = view.seats.flatMap((s, i) => (s.person ? [i] : []));
  return people.length === 1 ? people[0] : -1;
}
