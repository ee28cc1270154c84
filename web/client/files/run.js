// The page of one run: its curves as it goes on, and its newest games.
import { ask, clock, make, repeat, time } from "./watching.js";
import { showGames } from "./replay.js";

const at = (id) => document.getElementById(id);
const name = new URLSearchParams(location.search).get("name") || ".";
let shown = "";
let generation = -1;
const drawn = new Map(); // pictures by the id of their figure

// figure makes a figure, or gives the one that is there a new picture: what the user
// looks at stays in its place.
function draw(f) {
  let e = drawn.get(f.id);
  if (!e) {
    const picture = make("div", {});
    const numbers = make("table", {});
    const details = make("details", {}, make("summary", {}, "Numbers"), make("div", { class: "scroll list", tabindex: "0" }, numbers));
    e = { picture, numbers, details, svg: "", figure: make("figure", { id: "figure-" + f.id }, make("figcaption", {}, make("h3", {}, f.title), make("p", { class: "doc" }, f.about || "")), picture, details) };
    drawn.set(f.id, e);
  }
  if (e.svg !== f.svg) {
    e.svg = f.svg;
    e.picture.innerHTML = f.svg; // drawn by the server, with all text escaped
    e.details.hidden = !f.rows;
    e.numbers.replaceChildren(make("thead", {}, make("tr", {}, ...(f.head || []).map((text) => make("th", { scope: "col", class: "n" }, text)))),
      make("tbody", {}, ...(f.rows || []).map((row) => make("tr", {}, ...row.map((text) => make("td", { class: "n" }, text))))));
  }
  return e.figure;
}

function drawAll(figures) {
  const sections = new Map();
  for (const f of figures) {
    if (!sections.has(f.section)) sections.set(f.section, []);
    sections.get(f.section).push(f);
  }
  const parts = [];
  const links = [make("a", { href: "#games" }, "Newest games")];
  for (const [title, list] of sections) {
    const id = "part-" + title.toLowerCase().replaceAll(" ", "-");
    const section = make("section", { id }, make("h2", {}, title), make("div", { class: "charts" }, ...list.map(draw)));
    parts.push(section);
    links.push(make("a", { href: "#" + id }, title));
  }
  at("charts").replaceChildren(...parts);
  at("sections").replaceChildren(...links);
}

function show(run) {
  document.title = run.label + ": run";
  at("title").textContent = run.label;
  at("under").textContent = [run.game, run.rules].filter(Boolean).join(", rules ");
  at("report").replaceChildren(...(run.report ? [make("a", { href: "report?" + new URLSearchParams({ path: run.report }) }, "Finished report")] : []));
  at("notices").replaceChildren(...(run.notices || []).map((n) =>
    make("div", { class: "notice" + (n.severe ? " severe" : "") + (n.past ? " past" : "") }, make("strong", {}, n.about), " " + n.text)));
  at("headline").replaceChildren(...(run.headline || []).map((text) => make("p", {}, text)));
  at("facts").replaceChildren(...(run.facts || []).flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
  drawAll(run.figures || []);
}

// look asks for the curves, which change with the generations.
async function look() {
  const { body, tag } = await ask("run", { name });
  if (tag !== shown) {
    shown = tag;
    show(body);
    if (body.generation !== generation) {
      generation = body.generation;
      showGames(name);
    }
  }
  if (body.problem) throw new Error(body.problem);
}

// live asks for what goes on.
async function live() {
  const { body } = await ask("run/now", { name });
  at("state").textContent = body.running ? "Running" : "Not running";
  at("state").className = body.running ? "state-running" : "";
  at("doing").textContent = body.doing || "";
  at("alive").textContent = body.time
    ? (body.learned + " learned; last event " + clock(Math.max(0, (Date.now() - new Date(body.time)) / 1000)) + " ago")
    : "";
  at("log").replaceChildren(...body.log.map((l) => make("li", {}, time(l.time), l.text)));
  if (body.problem) throw new Error(body.problem);
}

repeat(async () => {
  await live();
  await look();
}, 2000);

at("again").addEventListener("click", () => showGames(name));
