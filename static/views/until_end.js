// Cumulative figures of a result until its horizon's end, and the mark of what the end settles.
import { inTheme } from "../colours.js";

// What the horizon's end settles in the last month: cash that servers fetch, and cost of their sale that months before it did not bear.
const settled = {
  cash: (result) => -(result.total.terminal?.sale ?? 0),
  cost: (result) => result.by_month.at(-1).by_category?.disposal?.cost ?? 0,
};

// Cumulative figures by month: `values` with the end's settlement, `line` without it, and `end` where they differ.
export function untilEnd(result, measure) {
  const values = sums(result.by_month.map((row) => row[measure]));
  const end = settled[measure](result);
  return { values, line: [...values.slice(0, -1), values.at(-1) - end], end: end === 0 ? null : values.at(-1) };
}

// The end as a mark of its own, after the last month.
export const endMark = (name, end, colour) => ({
  type: "scatter",
  name,
  symbol: "diamond",
  symbolSize: 10,
  itemStyle: { color: inTheme(colour) },
  data: [["end", end]],
});

// Cumulative sums.
function sums(values) {
  let sum = 0;
  return values.map((value) => (sum += value));
}
