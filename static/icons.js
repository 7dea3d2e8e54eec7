// Icons, drawn on a grid of 16: a path each.
const paths = {
  undo: "M5.5 3L2.5 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.7 14.2h2.6",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5",
  plus: "M8 3v10M3 8h10",
  table: "M2.5 3.5h11v9h-11zM2.5 6.8h11M2.5 9.8h11M6.5 3.5v9",
  download: "M8 2.5v8M5 8l3 3 3-3M3 13.5h10",
  full: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9 7M2.5 13.5L7 9",
  branch:
    "M4.5 5.5v5M4.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4.5 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 5.5c0 3-7 2-7 5",
  close: "M4 4l8 8M12 4l-8 8",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3",
  alert: "M8.8 2L4 9h3.5l-.5 5 5-7.2H8.4z",
  wrench: "M13.2 4.8a3.2 3.2 0 0 1-4.3 3.9L5 12.6a1.3 1.3 0 0 1-1.8-1.8l3.9-3.9a3.2 3.2 0 0 1 3.9-4.3L9.2 4.4l.4 2 2 .4z",
  power: "M8 2.5v5.5M4.7 4.7a4.7 4.7 0 1 0 6.6 0",
  pin: "M5.5 2.5h5M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5",
  share: "M6.2 7.2l3.8-2.4M6.2 8.8l3.8 2.4M4.5 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM11.5 5.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM11.5 13.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  flag: "M4 14V2.5h7.5L10 5l1.5 2.5H4",
};

const ns = "http://www.w3.org/2000/svg";
export function icon(name) {
  const svg = document.createElementNS(ns, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }))
    svg.setAttribute(key, value);
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

// A drawing of other shapes: [name, attributes, text].
export function drawing(attributes, shapes) {
  const make = ([name, values, text]) => {
    const shape = document.createElementNS(ns, name);
    for (const [key, value] of Object.entries(values)) shape.setAttribute(key, value);
    if (text !== undefined) shape.textContent = text;
    return shape;
  };
  const svg = make(["svg", attributes]);
  svg.append(...shapes.map(make));
  return svg;
}
