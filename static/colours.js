// Colours of scenarios, pools, workloads and curves, the same in every view. Cost categories have theirs from the API (categories.js).
// Eight after Okabe and Ito (2008), each at 3:1 or more on the page: --p1 to --p8 of tokens.css.

const palette = [
  { light: "#0072b2", dark: "#4fa9e3" },
  { light: "#d55e00", dark: "#f28a42" },
  { light: "#00855f", dark: "#38c69c" },
  { light: "#b55a8f", dark: "#e09ac4" },
  { light: "#a36f00", dark: "#e0aa3e" },
  { light: "#7553a6", dark: "#b296e0" },
  { light: "#66751c", dark: "#aabb5c" },
  { light: "#7b6a5c", dark: "#b8a797" },
];
export const curveColour = palette[0];

export const themeNow = () =>
  document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

// A colour in the present theme: {light, dark}, or one text for both.
export const inTheme = (colour) => colour[themeNow()] ?? colour;

// A scenario's colour is a number from 1 to 8: the one that a decision states for it, else one of its id. Where two of a group, or of those
// that are shown together, would have the same, the later one has the next that is free.
const ofId = (reference) =>
  1 + ([...reference].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 1000003, 7) % palette.length);
function spread(references, wanted, stated) {
  const taken = new Set(references.map((reference) => stated[reference]).filter(Boolean));
  return references.map((reference) => {
    if (stated[reference]) return [reference, stated[reference]];
    const order = palette.map((_, i) => ((wanted(reference) - 1 + i) % palette.length) + 1);
    const number = order.find((one) => !taken.has(one)) ?? order[0];
    taken.add(number);
    return [reference, number];
  });
}

let own = new Map();
let shown = new Map();
let decisions = [];
// `groups` has the references of each group; `stored` are the decisions, whose colours hold on every page.
export function knowScenarios(groups, stored = []) {
  decisions = stored.filter((one) => one.colours);
  const stated = Object.assign({}, ...decisions.map((one) => one.colours).reverse());
  own = new Map(groups.flatMap((references) => spread([...references].sort(), ofId, stated)));
}
const ownNumber = (reference) => own.get(reference) ?? ofId(reference);

// The numbers of scenarios that are shown together: those that `stated` has, else those of the decision that has all of them, or the
// most.
export function numbersOf(references, stated = null) {
  const has = ({ colours }) => references.filter((one) => colours[one]).length;
  const best = decisions.reduce((a, b) => (has(b) > (a ? has(a) : 0) ? b : a), null);
  return new Map(spread(references, ownNumber, stated ?? best?.colours ?? {}));
}
export function showTogether(references) {
  shown = numbersOf(references);
}
const numberOf = (reference) => shown.get(reference) ?? ownNumber(reference);
// For a picture: {light, dark}; for an element of the page: as its style has it.
export const scenarioColour = (reference) => palette[numberOf(reference) - 1];
export const scenarioTone = (reference) => `var(--p${numberOf(reference)})`;

// A pool's or workload's colour depends on its index in its scenario.
export const pieceColour = (ids, id) => palette[Math.max(0, ids.indexOf(id)) % palette.length];

export const better = { light: "#0a6b3d", dark: "#58c98f" };
export const worse = { light: "#b3261e", dark: "#ff8f85" };
export const neutral = { light: "#7a858f", dark: "#7a858f" };
// From low to high, readable on light and dark (part of viridis, as in matplotlib).
export const ramp = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
