// Which colour a thing has, everywhere: cost categories, scenarios, pools, workloads.
// Okabe and Ito's palette (2008), and shades of it.

const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f8c3a"];

const categories = {
  compute: "#0072b2",
  usage: "#56b4e9",
  commitment: "#3b6ea5",
  hardware: "#d55e00",
  facility: "#e69f00",
  energy: "#e3cf00",
  demand_charge: "#a89b2c",
  maintenance: "#cc79a7",
  software: "#8f5a86",
  staff: "#009e73",
  network: "#6fbf9f",
  storage: "#8fd0b8",
  egress: "#999999",
  engineering: "#8a6642",
  carbon: "#5f6b6d",
  unserved: "#bb2222",
};
export const categoryNames = Object.keys(categories);
export const categoryColour = (name) => categories[name] ?? "#999999";

// Scenarios by their place among all that are known, so that those of one group differ.
let known = [];
export function knowScenarios(references) {
  known = [...references].sort();
}
export function scenarioColour(reference) {
  const place = known.indexOf(reference);
  return palette[(place < 0 ? 0 : place) % palette.length];
}

// Pools and workloads by their place in their scenario.
export const pieceColour = (ids, id) => palette[Math.max(0, ids.indexOf(id)) % palette.length];

export const better = "#009e73";
export const worse = "#d55e00";
export const neutral = "#7a858f";
// From little to much, readable on light and dark (a part of viridis, as matplotlib has it).
export const ramp = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
