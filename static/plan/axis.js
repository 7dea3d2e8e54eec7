// A plan as a range on the axis of all: a dot at the stated values, a bar over 8 in 10 draws, hatched by the share in which its size fails.
import { h } from "../dom.js";
import { shareBeside } from "../format.js";

const reach = 4; // times what the first costs at most: what is dearer stands at the axis' end, with an arrow

// {from, to, ticks}: round numbers, some four; from 0 where the least is under half of the most.
export function axisOf(rows) {
  const values = rows.flatMap((row) => [row.cost, row.low, row.high]).filter((value) => value !== null);
  if (!values.length) return { from: 0, to: 1, ticks: [0, 1] };
  const [first] = rows;
  const end = reach * Math.max(first.cost, first.high ?? 0);
  const least = Math.min(...values);
  const top = end > 0 ? Math.min(Math.max(...values), end) : Math.max(...values);
  const isFromZero = least < top / 2;
  const span = (isFromZero ? top - Math.min(0, least) : top - least) || Math.abs(top) || 1;
  const size = 10 ** Math.floor(Math.log10(span / 4));
  const step = size * [1, 2, 2.5, 5, 10].find((one) => one * size >= span / 4);
  const from = Math.floor((isFromZero ? Math.min(0, least) : least) / step) * step;
  const to = Math.max(Math.ceil(top / step) * step, from + step);
  return { from, to, ticks: Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step) };
}
const within = (value, { from, to }) => Math.max(from, Math.min(to, value));
export const at = (value, axis) => `${(100 * (within(value, axis) - axis.from)) / (axis.to - axis.from)}%`;
const wide = (low, high, axis) => `${(100 * (within(high, axis) - within(low, axis))) / (axis.to - axis.from)}%`;

// `row` has cost, low, high and holds, the share of draws in which its size holds; `show` says a figure.
export function rangeOf(row, axis, show) {
  const fails = row.holds === null ? 0 : 1 - row.holds;
  const drawn =
    row.low === null
      ? ""
      : `; 8 in 10 draws ${show(row.low)} to ${show(row.high)}; ${fails ? `as sized it does not hold in ${shareBeside(row.holds)}` : "it holds in all draws"}`;
  const text = `Stated ${show(row.cost)}${drawn}`;
  return h(
    "span",
    { class: "rng", title: text, role: "img", "aria-label": text, "--step": `${100 / (axis.ticks.length - 1)}%` },
    row.low === null
      ? ""
      : h(
          "span",
          { class: "iv", "--at": at(row.low, axis), "--w": wide(row.low, row.high, axis) },
          h("i", { class: "ok", "--w": `${100 * (1 - fails)}%` }),
          h("i", { class: "ko", "--w": `${100 * fails}%` }),
        ),
    h("i", { class: row.cost > axis.to ? "beyond" : "pt", "--at": at(row.cost, axis) }, row.cost > axis.to ? "›" : ""),
  );
}
