// Price moves by device and purchase: how many offers moved, the median, and a picture on one scale.
import { drawing } from "../icons.js";
import { h } from "../dom.js";
import { deviceName, signed, sortable, words } from "./parts.js";

const width = 158;
const edge = 6;

// A dot at the median, a bar from the lowest to the highest, a line at 0.
function dot(row, low, high) {
  const x = (fraction) => (edge + ((width - 2 * edge) * (fraction - low)) / (high - low || 1)).toFixed(1);
  return drawing({ class: "moves", viewBox: `0 0 ${width} 18`, width, height: 18, "aria-hidden": "true" }, [
    ["path", { class: "zero", d: `M${x(0)} 1v16` }],
    ["path", { class: "ax", d: `M${edge} 9H${width - edge}` }],
    ...(row.low === undefined ? [] : [["path", { class: "range", d: `M${x(row.low)} 9H${x(row.high)}` }]]),
    ["circle", { class: "median", cx: x(row.median), cy: 9, r: 4.5 }],
  ]);
}

// Rows are {device, purchase, seller, changed, seen, median, low, high, between}.
export function movesTable(rows, caption = "Price moves by device and purchase") {
  const all = rows.flatMap((row) => [row.median, row.low ?? 0, row.high ?? 0]);
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const table = {
    caption,
    rows,
    columns: [
      {
        name: "Device, purchase",
        value: (row) => `${row.device} ${row.seller ?? ""} ${row.purchase}`,
        show: (value, row) => [
          h("b", {}, deviceName(row.device)),
          h("small", { class: "blk" }, [row.seller, words(row.purchase)].filter(Boolean).join(", ")),
        ],
        text: true,
      },
      { name: "Changed", value: (row) => row.changed, show: (value, row) => `${value} of ${row.seen}`, text: false },
      {
        name: "Median",
        unit: "%",
        value: (row) => 100 * row.median,
        text: false,
        show: (value, row) =>
          h(
            "div",
            {},
            h("b", {}, signed(row.median)),
            row.low !== undefined && row.low !== row.high
              ? h("small", { class: "blk" }, `${signed(row.low)} to ${signed(row.high)}`)
              : null,
          ),
      },
      {
        name: `${signed(low, 0)} to ${signed(high, 0)}`,
        value: () => "",
        show: (value, row) => dot(row, low, high),
        text: true,
        drawn: true,
        wide: true,
      },
      ...(rows.some((row) => row.between) ? [{ name: "Between", wide: true, value: (row) => row.between, text: true }] : []),
    ],
  };
  const csv = { ...table, columns: table.columns.filter((column) => !column.drawn) };
  return { table: csv, element: sortable(table, { maxRows: 15 }) };
}

// `moved` of an import's or a run's answer as rows.
export const rowsOf = (moved) =>
  moved.map((move) => ({
    device: move.device,
    purchase: move.purchase,
    changed: move.offers,
    seen: move.seen,
    median: move.median_fraction,
  }));

// The largest move, in words.
export function largest(moved) {
  const most = [...moved].sort((a, b) => Math.abs(b.median_fraction) - Math.abs(a.median_fraction))[0];
  return most ? `${deviceName(most.device)} ${words(most.purchase)} ${signed(most.median_fraction)}` : null;
}
