// Colours of scenarios, pools, workloads and curves, the same in every view. Cost categories have theirs from the API (categories.js).
// Okabe and Ito's palette (2008), and shades of it.

const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f8c3a"];
export const curveColour = palette[0];

export const themeNow = () =>
  document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

// A colour in the present theme: {light, dark}, or one text for both.
export const inTheme = (colour) => colour[themeNow()] ?? colour;

// A scenario's colour depends on its index among all known scenarios, so that those of one group differ.
let known = [];
export function knowScenarios(references) {
  known = [...references].sort();
}
export function scenarioColour(reference) {
  const place = known.indexOf(reference);
  return palette[(place < 0 ? 0 : place) % palette.length];
}

// A pool's or workload's colour depends on its index in its scenario.
export const pieceColour = (ids, id) => palette[Math.max(0, ids.indexOf(id)) % palette.length];

export const better = "#009e73";
export const worse = "#d55e00";
export const neutral = "#7a858f";
// From low to high, readable on light and dark (part of viridis, as in matplotlib).
export const ramp = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
