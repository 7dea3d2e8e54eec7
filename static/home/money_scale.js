// The scale of a column of money.
import { number } from "../format.js";

const scales = [
  { from: 1e11, by: 1e9, word: "billion", digits: 1 },
  { from: 1e8, by: 1e6, word: "million", digits: 1 },
  { from: 2e4, by: 1e3, word: "thousand", digits: 0 },
  { from: 100, by: 1, word: "", digits: 0 },
  { from: 0, by: 1, word: "", digits: 2 },
];

// How money of a column is written: by the largest of it.
export function moneyScale(values, currency) {
  const { by, word, digits } = scales.find(({ from }) => Math.max(0, ...values) >= from);
  return { unit: [currency, word].filter(Boolean).join(" "), show: (value) => number(value / by, "", digits) };
}
