// The order of the plans: as they are ranked at the stated values, or those first that hold in 95 % of the draws; and the figure they are
// ranked by. One order holds for the rows, the sentence and the cards.
import { step } from "../decision/state.js";
import { toggle } from "../dom.js";
import { shareBeside } from "../format.js";

const held = 0.95; // of the draws
const orders = [
  { value: "", text: "Stated" },
  { value: "95", text: "To hold in 95 %" },
];
const figures = [
  { value: "", text: "Cost" },
  { value: "energy_kwh", text: "Energy" },
  { value: "carbon_kg", text: "CO₂e" },
];

// What of a plan is not known, by the code of its warning. A plan that lacks what the first of the ranking has is not put before it.
const unknown = {
  latency_unknown: "its latency is not known",
  context_unknown: "how long a request it takes is not known",
  market_level: "nobody sells at its price",
  undated_price: "a price of it is of no day",
  stale_price: "a price of it is old",
  without_hosts: "what its hosts draw is not known",
};
const lackOf = (row, first) => row.plan.row.warnings.find((code) => unknown[code] && !first.plan.row.warnings.includes(code)) ?? null;
const reasonOf = (row, first) => {
  const code = lackOf(row, first);
  if (row.behind || code) return { behind: row.behind ?? unknown[code] };
  return row.holds === null ? {} : { behind: `it is too small in ${shareBeside(row.holds)} of draws`, isFragile: true };
};

// The rows in the order of the address. By what holds in 95 %: those that do and are known as well as the first, as they are ranked; then
// the others, each with what keeps it behind. Where none does, as they are ranked.
export function inOrder(rows, params) {
  const isSafe = (row) => row.holds !== null && row.holds >= held && !row.behind && !lackOf(row, rows[0]);
  const safe = rows.filter(isSafe);
  if (params.get("order") !== "95" || !safe.length) return rows;
  const isTied = safe[0].isFirst || safe[0].isLevel; // with the first of the ranking
  const others = rows.filter((row) => !isSafe(row)).map((row) => ({ ...row, ...reasonOf(row, rows[0]), isLevel: false }));
  return [...safe.map((row) => ({ ...row, isLevel: isTied && row.isLevel })), ...others].map((row, i) => ({
    ...row,
    i,
    rank: i + 1,
    isFirst: i === 0,
    isReordered: true,
  }));
}

// What is said where the order is asked for and no plan has it.
export const noneHolds = (rows, params) =>
  params.get("order") === "95" && rows.length > 0 && !rows[0].isReordered && rows.some(({ holds }) => holds !== null)
    ? "Of the plans shown none that is known as well as the first holds in 95 % of draws. "
    : "";

// What the draws gave a row.
export const drawsIn = ({ low, high, holds, chance }) => ({ low, high, holds, chance });

export const nextOrder = (params) => step({ order: params.get("order") === "95" ? null : "95" });

export function orderSwitch(params) {
  const chosen = (name, list) => list.find(({ value }) => value === (params.get(name) ?? "")) ?? list[0];
  return [
    toggle("Order", orders, chosen("order", orders).value, (value) => step({ order: value || null })),
    toggle("Ranked by", figures, chosen("by", figures).value, (value) => step({ by: value || null })),
  ];
}
