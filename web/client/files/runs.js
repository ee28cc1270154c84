// The page of all runs in the folder that is served.
import { ask, cells, clock, make, repeat } from "./watching.js";

const at = (id) => document.getElementById(id);
let shown = "";

function warnings(run) {
  const list = [];
  if (run.alarms) list.push(run.alarms + (run.alarms === 1 ? " alarm" : " alarms"));
  if (run.warnings > run.alarms) list.push(run.warnings - run.alarms + (run.warnings - run.alarms === 1 ? " warning" : " warnings"));
  return list.join(", ");
}

function row(run) {
  const link = make("a", { href: "run?" + new URLSearchParams({ name: run.name }) }, run.label);
  const state = make("span", { class: "state-" + run.state }, run.state);
  if (run.problem) {
    const tr = cells([], link, state, run.problem);
    tr.lastChild.colSpan = 8;
    return tr;
  }
  return cells([3, 4, 5, 6, 7], link, state, run.game + " " + run.rules,
    run.generation + (run.generations ? "/" + run.generations : ""),
    clock(run.learned_seconds) + (run.budget_seconds ? "/" + clock(run.budget_seconds) : ""), String(run.games),
    run.policy_loss ? run.policy_loss.toFixed(3) : "", run.value_loss ? run.value_loss.toFixed(3) : "", run.elo || "", warnings(run));
}

repeat(async () => {
  const { body, tag } = await ask("runs");
  if (tag === shown) return;
  shown = tag;
  at("folder").textContent = body.folder;
  at("runs").tBodies[0].replaceChildren(...body.runs.map(row));
  at("runs").hidden = body.runs.length === 0;
  at("none").hidden = body.runs.length > 0;
  at("reports").replaceChildren(...body.reports.map((r) =>
    make("li", {}, make("a", { href: "report?" + new URLSearchParams({ path: r.path }) }, r.path), " " + new Date(r.time).toLocaleString())));
  at("reports-section").hidden = body.reports.length === 0;
  at("more").hidden = !body.more;
}, 3000);
