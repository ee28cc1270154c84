// What the pages on runs have in common: asking the server now and then, and making
// elements. Text goes into a page as text; only pictures that the server has drawn
// are markup.

// ask fetches JSON. The answer has its tag, which changes with what is in it.
export async function ask(what, params = {}) {
  const query = new URLSearchParams(params).toString();
  const answer = await fetch("./api/" + what + (query && "?" + query)).catch(() => { throw new Error("The server does not answer."); });
  const body = await answer.json().catch(() => ({ error: "the server answers " + answer.status }));
  if (!answer.ok) throw new Error(body.error || "the server answers " + answer.status);
  return { body, tag: answer.headers.get("Etag") };
}

// repeat calls work now and then, as long as the page is seen, never twice at the same
// time. A server that is gone is asked again, ever more seldom up to half a minute.
export function repeat(work, pause) {
  let wait = pause;
  let timer = 0;
  let busy = false;
  const turn = async () => {
    clearTimeout(timer);
    if (busy || document.hidden) return;
    busy = true;
    try {
      await work();
      wait = pause;
      problem("");
    } catch (err) {
      wait = Math.min(2 * wait, 30000);
      problem(err.message);
    }
    busy = false;
    timer = setTimeout(turn, wait);
  };
  document.addEventListener("visibilitychange", turn);
  turn();
  return turn;
}

// problem shows what is wrong; nothing is, if it is empty.
function problem(text) {
  const p = document.getElementById("problem");
  p.textContent = text;
  p.hidden = !text;
}

// make makes an element with text or elements in it.
export function make(name, attributes, ...inner) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== undefined && value !== false) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...inner);
  return e;
}

// cells makes a row of a table; numbers are the columns that are aligned as such.
export function cells(numbers, ...list) {
  return make("tr", {}, ...list.map((c, i) => make("td", numbers.includes(i) ? { class: "n" } : {}, c)));
}

export function clock(seconds) {
  const s = Math.floor(seconds);
  return Math.floor(s / 3600) + ":" + String(Math.floor(s / 60) % 60).padStart(2, "0") + ":" + String(s % 60).padStart(2, "0");
}

export function time(text) {
  const at = new Date(text);
  return make("time", { datetime: text, title: at.toLocaleString() }, at.toLocaleTimeString());
}
