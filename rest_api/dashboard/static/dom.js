// Elements from code. Text is always text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. Attributes: `onclick` and the like are handlers; `vars` are CSS custom properties; true is an empty
 * attribute, false and null leave it out. Children that are null or false are left out too.
 */
export function h(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars")
      for (const [key, one] of Object.entries(value)) element.style.setProperty(`--${key}`, one);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Do what replaces elements, and leave the focus, and what was scrolled, where they were: elements are known by their
 * `data-key`.
 */
export function keepingPlace(root, replace) {
  const at = (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const held = document.activeElement;
  const key = root.contains(held) ? held.dataset.key : null;
  const scrolled = [...root.querySelectorAll("[data-key]")]
    .filter((one) => one.scrollTop || one.scrollLeft)
    .map((one) => [one.dataset.key, one.scrollLeft, one.scrollTop]);
  replace();
  for (const [name, left, top] of scrolled) at(name)?.scrollTo(left, top);
  if (key && document.activeElement !== held) at(key)?.focus({ preventScroll: true });
}

/** Text for those who listen, shown to nobody. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

const PATHS = {
  message: "M4 5h16v11H9l-5 4z",
  click: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  event: "M12 3l2.6 5.6 6 .7-4.5 4.1 1.2 6L12 16.4 6.7 19.4l1.2-6L3.4 9.300l6-.7z",
  deal: "M4 7h16v12H4zM9 7V4h6v3",
  consent: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4",
  contact: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-5 8-5s7 1 8 5",
  wallet: "M4 7h15v12H4zM4 7l11-3v3M15 13h4",
  search: "M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM16 16l4 4",
};

/** A small drawing that says nothing by itself. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
