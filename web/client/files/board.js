// A board drawn from an engine.Picture, on which decisions can be made. It knows
// shapes and places; what is legal comes with the view.
//
// Sides are light and dark, kinds of pieces have shapes and letters, so that nothing
// depends on colours alone. Forms and colours are those of report/board.

import { svg } from "./dom.js";

const pieceRadius = 0.43;
const tints = {
  "": ["#ffffff", "#555555", "#2a2a2a"],
  red: ["#ffdcd6", "#b3202a", "#8c0f18"],
  orange: ["#ffe2b0", "#b05a00", "#8a4600"],
  yellow: ["#fff3c0", "#f0c020", "#8a6a00"],
  green: ["#c9f0da", "#12805c", "#0a5a3f"],
  blue: ["#cfe3fb", "#1f5fa8", "#123f78"],
};
const shades = [["#f7f1e1", "#e6dabd"], ["#c3dcec", "#b3d0e3"], ["#f3d9a4", "#f3d9a4"], ["#d5d0c8", "#d5d0c8"], ["#d5d0c8", "#d5d0c8"]];

// A star of n points at radius outer, the first at an angle from the top, with
// points at radius inner between them if that is another.
function star(n, outer, inner, turn) {
  const points = [];
  const step = (2 * Math.PI) / n;
  const add = (r, angle) => points.push([r * Math.sin(angle), -r * Math.cos(angle)]);
  for (let i = 0; i < n; i++) {
    add(outer, turn + i * step);
    if (inner !== outer) add(inner, turn + i * step + step / 2);
  }
  return points;
}

const forms = [
  {},
  { corners: star(4, 1, 1, Math.PI / 4) },
  { corners: star(3, 1.18, 1.18, 0), drop: 0.12 },
  { corners: star(8, 1.22, 0.88, 0) },
  { corners: star(6, 1.05, 1.05, 0) },
  { corners: star(4, 1.1, 1.1, 0) },
  { corners: star(5, 1.1, 1.1, 0), drop: 0.04 },
  { corners: star(6, 1.2, 0.75, 0) },
];

// look is how the pieces of a kind and side are drawn: sides that share a colour
// light and dark, others in their own.
export function look(kind, side) {
  if (side < 0) return { fill: "#b0b0b0", stroke: "#2a2a2a", letter: "#2a2a2a" };
  const [light, strong, dark] = tints[kind.colors[side]] || tints[""];
  if (kind.colors[0] !== kind.colors[1])
    return kind.colors[side] === "yellow" ? { fill: strong, stroke: dark, letter: "#2a2a2a" } : { fill: strong, stroke: dark, letter: "#fff" };
  return side === 0 ? { fill: light, stroke: strong, letter: "#2a2a2a" } : { fill: dark, stroke: "#2a2a2a", letter: "#fff" };
}

const round = (x) => Math.round(x * 1000) / 1000;
const path = (points) => "M" + points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L") + "z";

// piece draws a piece around a point.
export function piece(kinds, kind, side, x, y, r) {
  const k = kinds[kind];
  const l = look(k, side);
  const f = forms[kind % forms.length];
  const size = 1.15 * r;
  return svg("g", { class: "piece" },
    f.corners
      ? svg("path", { d: path(f.corners.map(([a, b]) => [x + r * a, y + r * b])), fill: l.fill, stroke: l.stroke, "stroke-width": round(0.15 * r), "stroke-linejoin": "round" })
      : svg("circle", { cx: round(x), cy: round(y), r, fill: l.fill, stroke: l.stroke, "stroke-width": round(0.15 * r) }),
    svg("text", { x: round(x), y: round(y + (f.drop || 0) * r + 0.36 * size), "font-size": round(size), fill: l.letter, "font-weight": 700, "text-anchor": "middle" }, k.letters[Math.max(side, 0)]),
  );
}

function badge(x, y, text) {
  const size = 0.3;
  const w = size * (0.62 * text.length + 0.5);
  return svg("g", { class: "badge" },
    svg("rect", { x: round(x - w / 2), y: round(y - 0.6 * size), width: round(w), height: 1.2 * size, rx: 0.09, fill: "#fffdf5", stroke: "#222", "stroke-width": 0.025 }),
    svg("text", { x: round(x), y: round(y + 0.36 * size), "font-size": size, fill: "#111", "font-weight": 600, "text-anchor": "middle" }, text),
  );
}

const shortTags = (p) => (p.tags || []).map((t) => t.short).filter(Boolean).join(" ");

export class Board {
  // box is the element the board is drawn in. decide(choice) is called with a choice
  // that was made on it, decide(null, several) with the choices that a square leaves.
  constructor(box, decide) {
    this.box = box;
    this.decide = decide;
    this.flipped = false;
    this.selected = -1; // the cell whose piece is to go somewhere
    this.only = -1; // that of the only piece that can
    this.focus = -1; // the cell that the keyboard is at
    this.choices = [];
    this.hinted = null;
    box.addEventListener("keydown", (e) => this.key(e));
    // On the box, which stays when the board is drawn anew between press and release:
    // then the click is not a square's. A screen reader's click has no place.
    box.addEventListener("click", (e) => {
      const name = e.target.dataset.cell || document.elementFromPoint(e.clientX, e.clientY)?.dataset.cell;
      const cell = this.picture ? this.picture.layout.cells.findIndex((c) => c.name === name) : -1;
      if (cell >= 0) this.use(cell);
    });
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  // set shows a picture with the choices that are open, an empty list if none are.
  set(picture, choices) {
    const other = !this.picture || this.picture.position !== picture.position || this.picture.rules !== picture.rules;
    this.picture = picture;
    this.choices = choices;
    // Where one piece alone can move, as in a special after a slide, it is selected.
    const starts = new Set(choices.filter((c) => c.from !== undefined).map((c) => c.from));
    this.only = starts.size === 1 ? [...starts][0] : -1;
    if (other || choices.length === 0) this.selected = -1;
    if (this.selected < 0) this.selected = this.only;
    this.draw();
  }

  // hint marks a choice as somebody's advice, null for none.
  hint(choice) {
    this.hinted = choice;
    this.draw();
  }

  at(p) {
    const l = this.picture.layout;
    return this.flipped ? [l.width - p.x, l.height - p.y] : [p.x, p.y];
  }

  // targets are the choices that end on a cell, in view of what is selected.
  targets(cell) {
    const here = this.choices.filter((c) => c.to === cell && (c.from === undefined || c.from === this.selected));
    if (here.length > 0 || this.taken.has(cell)) return here;
    // Where every open cell has a column of its own, the whole column is meant.
    const cells = this.picture.layout.cells;
    const open = this.choices.filter((c) => c.from === undefined && c.to !== undefined);
    const columns = new Set(open.map((c) => cells[c.to].center.x));
    if (open.length === 0 || open.length !== this.choices.length || columns.size !== open.length) return here;
    return open.filter((c) => cells[c.to].center.x === cells[cell].center.x);
  }

  starts(cell) {
    return this.choices.some((c) => c.from === cell);
  }

  // use is a click on a cell, or Enter.
  use(cell) {
    this.focus = cell;
    const here = this.targets(cell);
    if (here.length > 0) {
      this.selected = -1;
      if (here.length === 1) this.decide(here[0]);
      else this.decide(null, here);
      return;
    }
    this.selected = this.starts(cell) && this.selected !== cell ? cell : this.only;
    this.draw();
  }

  key(e) {
    const turn = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    if (turn) {
      const next = this.beside(this.focus, turn);
      if (next >= 0) {
        this.focus = next;
        this.draw();
      }
    } else if (e.key === "Enter" || e.key === " ") {
      if (this.focus >= 0) this.use(this.focus);
    } else if (e.key === "Escape") {
      this.selected = this.only;
      this.draw();
    } else return;
    e.preventDefault();
  }

  // beside is the cell next to one in a direction: the nearest within 50 degrees of
  // it. On a board of diamonds two are equally near; the shade of the cell decides, so
  // that the way back is the same and every cell can be reached.
  beside(cell, [dx, dy]) {
    const cells = this.picture.layout.cells;
    const [x, y] = this.at(cells[cell].center);
    let best = -1;
    let least = Infinity;
    cells.forEach((c, i) => {
      const [cx, cy] = this.at(c.center);
      const along = (cx - x) * dx + (cy - y) * dy;
      const across = (cx - x) * -dy + (cy - y) * dx;
      if (along < 0.1 || Math.abs(across) > 1.2 * along) return;
      const way = (cells[cell].shade === 0) === (dx + dy > 0) ? 1 : -1;
      const cost = Math.hypot(along, across) - 0.01 * Math.sign(across) * way;
      if (cost < least) [best, least] = [i, cost];
    });
    return best;
  }

  // words describe a cell.
  words(i) {
    const l = this.picture.layout;
    const zone = l.zones[l.cells[i].zone].name;
    const parts = [l.cells[i].name];
    if (zone) parts.push(zone);
    for (const p of this.picture.pieces) {
      if (p.cell !== i) continue;
      const own = p.side >= 0 ? l.sides[p.side] + " " : "";
      parts.push(own + l.kinds[p.kind].name, ...(p.tags || []).map((t) => t.text));
    }
    if (!this.taken.has(i)) parts.push("empty");
    if (this.selected === i) parts.push("selected");
    else if (this.targets(i).length > 0) parts.push(this.targets(i).map((c) => c.word).join(" or ") + " can be played");
    else if (this.starts(i)) parts.push("can move");
    return parts.join(", ");
  }

  outline(i, scale) {
    const c = this.picture.layout.cells[i];
    const s = this.picture.layout.shapes[c.shape];
    const [x, y] = this.at(c.center);
    if (s.radius) return svg("circle", { cx: round(x), cy: round(y), r: round(s.radius * scale) });
    return svg("path", { d: path(s.corners.map((p) => [x + p.x * scale, y + p.y * scale])) });
  }

  draw() {
    const p = this.picture;
    if (!p) return;
    const l = p.layout;
    this.taken = new Set(p.pieces.filter((x) => x.cell >= 0).map((x) => x.cell));
    if (this.focus < 0 || this.focus >= l.cells.length) this.focus = this.choices.find((c) => c.from !== undefined)?.from ?? this.choices.find((c) => c.to !== undefined)?.to ?? 0;
    const edge = 0.6;
    const root = svg("svg", { viewBox: `${-edge} ${-edge} ${l.width + 2 * edge} ${l.height + 2 * edge}`, role: "group", "aria-label": "Board: arrow keys go from square to square, Enter chooses" });
    const frame = l.frame.map((q) => this.at(q));
    root.append(svg("path", { d: path(frame), class: "frame" }));

    const marked = new Set();
    for (const m of p.marks || []) if (m.kind !== "line") for (const c of m.cells) marked.add(c);
    const cells = svg("g", {});
    l.cells.forEach((c, i) => {
      const shape = this.outline(i, 1);
      shape.setAttribute("fill", (shades[c.zone] || shades[1 + ((c.zone - 1) % (shades.length - 1))])[c.shade]);
      shape.setAttribute("class", c.zone > 0 ? "cell zone" : "cell");
      cells.append(shape);
    });
    root.append(cells);
    for (const i of marked) {
      const shape = this.outline(i, 0.88);
      shape.setAttribute("class", "marked");
      root.append(shape);
    }
    for (const [i, c] of l.cells.entries()) {
      const sign = l.zones[c.zone].sign;
      if (!sign || this.taken.has(i)) continue;
      const [x, y] = this.at(c.center);
      root.append(svg("text", { class: "sign", x: round(x), y: round(y + 0.18 + (sign === "+" ? 0 : 0.15)), "font-size": 0.5, "text-anchor": "middle" }, sign));
    }
    root.append(this.pointers());
    for (const x of p.pieces) {
      if (x.cell < 0) continue;
      root.append(piece(l.kinds, x.kind, x.side, ...this.at(l.cells[x.cell].center), pieceRadius));
    }
    root.append(this.marks());
    for (const x of p.pieces) {
      const text = shortTags(x);
      if (x.cell < 0 || !text) continue;
      const [cx, cy] = this.at(l.cells[x.cell].center);
      root.append(badge(cx, cy + 1.1 * pieceRadius, text));
    }
    root.append(this.advice());
    for (const t of l.labels) {
      const [x, y] = this.at(t.at);
      root.append(svg("text", { class: "label", x: round(x), y: round(y + 0.13), "font-size": 0.36, "text-anchor": "middle" }, t.text));
    }
    const had = this.box.contains(document.activeElement);
    root.append(this.buttons());
    this.box.replaceChildren(root);
    if (had) this.box.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  // pointers show what can be chosen, below the pieces.
  pointers() {
    const g = svg("g", { class: "pointers" });
    if (this.selected >= 0) {
      const shape = this.outline(this.selected, 0.94);
      shape.setAttribute("class", "selected");
      g.append(shape);
    }
    const l = this.picture.layout;
    l.cells.forEach((c, i) => {
      const [x, y] = this.at(c.center);
      if (this.choices.some((q) => q.to === i && (q.from === undefined || q.from === this.selected))) {
        g.append(this.taken.has(i)
          ? svg("circle", { class: "target ring", cx: round(x), cy: round(y), r: pieceRadius + 0.09 })
          : svg("circle", { class: "target", cx: round(x), cy: round(y), r: 0.17 }));
      } else if (this.selected < 0 && this.starts(i)) {
        const shape = this.outline(i, 0.86);
        shape.setAttribute("class", "can");
        g.append(shape);
      }
    });
    return g;
  }

  // marks show what the last turn did.
  marks() {
    const g = svg("g", { class: "marks" });
    const cells = this.picture.layout.cells;
    const place = (i) => this.at(cells[i].center);
    for (const m of this.picture.marks || []) {
      const [x, y] = place(m.cells[0]);
      if (m.kind === "move") {
        for (let i = 1; i < m.cells.length; i++) g.append(this.arrow(place(m.cells[i - 1]), place(m.cells[i]), this.taken.has(m.cells[i]) ? pieceRadius + 0.16 : 0.12));
      } else if (m.kind === "remove") {
        const busy = this.taken.has(m.cells[0]);
        const [cx, cy, r] = busy ? [x + 0.34, y - 0.3, 0.12] : [x, y, 0.3];
        g.append(svg("path", { d: `M${round(cx - r)} ${round(cy - r)}L${round(cx + r)} ${round(cy + r)}M${round(cx - r)} ${round(cy + r)}L${round(cx + r)} ${round(cy - r)}` }));
      } else {
        for (const c of m.cells) {
          const [cx, cy] = place(c);
          g.append(svg("circle", { cx: round(cx), cy: round(cy), r: pieceRadius + 0.1 }));
        }
      }
    }
    return g;
  }

  arrow([x, y], [tx, ty], short) {
    const length = Math.hypot(tx - x, ty - y) || 1;
    const [dx, dy] = [(tx - x) / length, (ty - y) / length];
    const on = (along, across) => [x + dx * along - dy * across, y + dy * along + dx * across];
    const tip = Math.max(length - short, 0.3);
    const size = 0.3;
    const [sx, sy] = on(-0.2, 0);
    const [ex, ey] = on(tip - size, 0);
    return svg("g", {},
      svg("path", { d: `M${round(sx)} ${round(sy)}L${round(ex)} ${round(ey)}` }),
      svg("path", { class: "head", d: path([on(tip, 0), on(tip - size, 0.55 * size), on(tip - size, -0.55 * size)]) }));
  }

  advice() {
    const g = svg("g", { class: "hinted" });
    const c = this.hinted;
    if (!c || c.to === undefined) return g;
    const cells = this.picture.layout.cells;
    if (c.from !== undefined) g.append(this.arrow(this.at(cells[c.from].center), this.at(cells[c.to].center), 0.12));
    else {
      const [x, y] = this.at(cells[c.to].center);
      g.append(svg("circle", { cx: round(x), cy: round(y), r: pieceRadius + 0.05 }));
    }
    return g;
  }

  // buttons are what is clicked and focused: one for each cell, over everything.
  buttons() {
    const g = svg("g", { class: "squares" });
    this.picture.layout.cells.forEach((c, i) => {
      const b = this.outline(i, 1);
      const usable = this.starts(i) || this.targets(i).length > 0;
      b.setAttribute("class", usable ? "usable" : "");
      b.setAttribute("role", "button");
      b.setAttribute("tabindex", i === this.focus ? "0" : "-1");
      b.setAttribute("aria-label", this.words(i));
      b.setAttribute("data-cell", c.name);
      if (this.starts(i)) b.setAttribute("aria-pressed", String(this.selected === i));
      g.append(b);
    });
    return g;
  }
}

// beside draws the pieces that a side has beside the board.
export function besideBoard(picture, side) {
  const list = picture.pieces.filter((p) => p.cell < 0 && p.side === side);
  return list.map((p) => {
    const tags = (p.tags || []).map((t) => t.text).join(", ");
    const name = `${picture.layout.kinds[p.kind].name} beside the board${p.count > 1 ? ` ×${p.count}` : ""}${tags ? ": " + tags : ""}`;
    const text = shortTags(p) || (p.count > 1 ? `×${p.count}` : "");
    return svg("svg", { viewBox: "-0.55 -0.55 1.1 1.1", class: "aside", role: "img", "aria-label": name },
      piece(picture.layout.kinds, p.kind, p.side, 0, 0, 0.4), text ? badge(0, 0.4, text) : null);
  });
}
