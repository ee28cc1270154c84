// Small helpers for elements. Texts are always set as text, never parsed.

const svgSpace = "http://www.w3.org/2000/svg";

function fill(e, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value === true ? "" : value);
  }
  for (const c of children.flat()) {
    if (c === undefined || c === null || c === false) continue;
    e.append(c);
  }
  return e;
}

// el makes an HTML element: el("a", { href: "x" }, "text", other).
export function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// svg makes an SVG element.
export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(svgSpace, name), attributes, children);
}

export const byId = (id) => document.getElementById(id);

// show hides or shows an element and sets its text, if one is given.
export function show(e, visible, text) {
  e.hidden = !visible;
  if (text !== undefined && e.textContent !== text) e.textContent = text;
}

// percent writes a value in [-1, 1] as the expected score.
export const percent = (value) => `${Math.round(50 * (value + 1))} %`;
