// Colours of scenarios, pools, workloads and curves, the same in every view. Cost categories have theirs from the API (categories.js).
// Okabe and Ito's palette (2008), and shades of it.

const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f8c3a"];
export const curveColour = palette[0];

export const themeNow = () =>
  document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

// A colour in the present theme: {light, dark}, or one text for both.
export const inTheme = (colour) => colour[themeNow()] ?? colour;

// A scenario's colour is of its id. Where two of a group would have the same, the later one has the next that is free; so it is for those of
// several groups that are shown together.
const ofId = (reference) =>
  [...reference].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 1000003, 7) % palette.length;
function spread(references, wanted) {
  const taken = new Set();
  return references.map((reference) => {
    const order = palette.map((_, i) => (wanted(reference) + i) % palette.length);
    const place = order.find((one) => !taken.has(one)) ?? order[0];
    taken.add(place);
    return [reference, place];
  });
}

let own = new Map();
let shown = new Map();
// `groups` has the references of each group.
export function knowScenarios(groups) {
  own = new Map(groups.flatMap((references) => spread([...references].sort(), ofId)));
}
const ownPlace = (reference) => own.get(reference) ?? ofId(reference);
export function showTogether(references) {
  shown = new Map(spread(references, ownPlace));
}
export const scenarioColour = (reference) => palette[shown.get(reference) ?? ownPlace(reference)];

// A pool's or workload's colour depends on its index in its scenario.
export const pieceColour = (ids, id) => palette[Math.max(0, ids.indexOf(id)) % palette.length];

export const better = "#009e73";
export const worse = "#d55e00";
export const neutral = "#7a858f";
// From low to high, readable on light and dark (part of viridis, as in matplotlib).
export const ramp = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
