// The page of one run: its curves while it trains, and its newest games.
import { byId, el } from "./dom.js";
import { ask, clock, repeat, time } from "./watching.js";
import { showGames } from "./replay.js";

const name = new URLSearchParams(location.search).get("name") || ".";
let shown = "";
let generation = -1;
const drawn = new Map(); // elements of figures by id

// draw makes a figure, or updates the existing one, so that the page does not jump.
function draw(f) {
  let e = drawn.get(f.id);
  if (!e) {
    const picture = el("div", {});
    const numbers = el("table", {});
    const details = el("details", {}, el("summary", {}, "Numbers"), el("div", { class: "scroll list", tabindex: "0" }, numbers));
    e = { picture, numbers, details, svg: "", figure: el("figure", { id: "figure-" + f.id }, el("figcaption", {}, el("h3", {}, f.title), el("p", { class: "doc" }, f.about || "")), picture, details) };
    drawn.set(f.id, e);
  }
  if (e.svg !== f.svg) {
    e.svg = f.svg;
    e.picture.innerHTML = f.svg; // drawn by the server, with all text escaped
    e.details.hidden = !f.rows;
    e.numbers.replaceChildren(el("thead", {}, el("tr", {}, ...(f.head || []).map((text) => el("th", { scope: "col", class: "n" }, text)))),
      el("tbody", {}, (f.rows || []).map((row) => el("tr", {}, row.map((text) => el("td", { class: "n" }, text))))));
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
  const links = [el("a", { href: "#games" }, "Newest games")];
  for (const [title, list] of sections) {
    const id = "part-" + title.toLowerCase().replaceAll(" ", "-");
    const section = el("section", { id }, el("h2", {}, title), el("div", { class: "charts" }, ...list.map(draw)));
    parts.push(section);
    links.push(el("a", { href: "#" + id }, title));
  }
  byId("charts").replaceChildren(...parts);
  byId("sections").replaceChildren(...links);
}

function showRun(run) {
  document.title = run.label + ": run";
  byId("title").textContent = run.label;
  byId("under").textContent = [run.game, run.rules].filter(Boolean).join(", rules ");
  byId("report").replaceChildren(...(run.report ? [el("a", { href: "report?" + new URLSearchParams({ path: run.report }) }, "Finished report")] : []));
  byId("notices").replaceChildren(...(run.notices || []).map((n) =>
    el("div", { class: "notice" + (n.severe ? " severe" : "") + (n.past ? " past" : "") }, el("strong", {}, n.about), " " + n.text)));
  byId("headline").replaceChildren(...(run.headline || []).map((text) => el("p", {}, text)));
  byId("facts").replaceChildren(...(run.facts || []).flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]));
  drawAll(run.figures || []);
}

// curves asks for the curves, which change with each generation.
async function curves() {
  const { body, tag } = await ask("run", { name });
  if (tag !== shown) {
    shown = tag;
    showRun(body);
    if (body.generation !== generation) {
      generation = body.generation;
      showGames(name);
    }
  }
  if (body.problem) throw new Error(body.problem);
}

// live asks what the run is doing.
async function live() {
  const { body } = await ask("run/now", { name });
  byId("state").textContent = body.running ? "Running" : "Not running";
  byId("state").className = body.running ? "state-running" : "";
  byId("doing").textContent = body.doing || "";
  byId("alive").textContent = body.time
    ? (body.learned + " learned; last event " + clock(Math.max(0, (Date.now() - new Date(body.time)) / 1000)) + " ago")
    : "";
  byId("log").replaceChildren(...body.log.map((l) => el("li", {}, time(l.time), l.text)));
  if (body.problem) throw new Error(body.problem);
}

repeat(async () => {
  await live();
  await curves();
}, 2000);

byId("again").addEventListener("click", () => showGames(name));
