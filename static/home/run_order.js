// The order of a run's plans: as they are ranked by their cost, by what they are expected to cost with what is left by chance when spot falls
// back, or by their end. One order holds for the rows, the sentence and the cards.
import { toggle } from "../dom.js";

const orders = [
  { value: "", text: "Cost" },
  { value: "expected", text: "Expected", of: ({ plan }) => plan.row.expected_cost ?? plan.decisive },
  { value: "end", text: "End", of: ({ plan }) => plan.row.days },
];
const chosen = (name) => orders.find(({ value }) => value === (name ?? "")) ?? orders[0];

// What is less known than the first of the ranking stays behind.
export function inRunOrder(rows, name) {
  const { of } = chosen(name);
  if (!of) return rows;
  const able = rows.filter(({ behind }) => !behind).sort((a, b) => of(a) - of(b) || a.at - b.at);
  const isFirst = able[0].isFirst; // of the ranking: what is level is level with it
  const isMoved = !isFirst || able.some((row, i) => i > 0 && row.at < able[i - 1].at);
  const all = [...able, ...rows.filter(({ behind }) => behind)];
  return isMoved ? all.map((row, i) => ({ ...row, i, isFirst: i === 0, isLevel: isFirst && row.isLevel, isReordered: true })) : rows;
}

// The switch; the expected cost where a plan has one and the cost decides.
export function runOrderSwitch({ plans, decide_by: by }, name, turn) {
  const isKnown = ({ value }) => value !== "expected" || (by === "cost" && plans.some(({ row }) => row.expected_cost !== null));
  return toggle("Order", orders.filter(isKnown), chosen(name).value, turn);
}
