// The columns that every ranking of plans has, of the catalogue or of stored scenarios, and the order by one of them.
import { figures } from "../decision/words.js";
import { h } from "../dom.js";
import { columnDigits, date, fixed, inThousands, number, shareBeside, short, shortMoney, sign } from "../format.js";
import { evidenceMark } from "../parts.js";
import { glossary } from "../terms.js";
import { at, rangeOf } from "./axis.js";

const mostTicks = 4; // of an axis in a head that have their figure; of more every second
const unsafe = 0.2; // of draws in which a size fails, from which it is bold

// The columns that every ranking has: what a head says, the value that sorts, and what stands in a cell. `view` has its rows and their axis,
// the figure that decides and its unit, the plans' currency and the texts of their chances.
export function sharedColumns(view) {
  const { answer, rows, axis, currency, chances } = view;
  const by = figures[answer.decide_by];
  const isThousand = inThousands(rows.map((row) => row.cost));
  const unit = by.money ? sign(answer.unit) : (by.unit ?? "");
  const digits = isThousand ? 0 : columnDigits(rows.map((row) => row.cost));
  const show = (value) => (by.money ? shortMoney(value, answer.unit) : number(value, by.unit, 0));
  const tick = by.money ? show : short; // its unit stands in the head
  const millionDigits = columnDigits(rows.map((row) => row.million));
  const isDrawn = rows.some((row) => row.low !== null);
  return {
    cost: {
      name: by.name,
      class: "num cc",
      head: `${unit}${isThousand ? " thousand" : ""}`,
      value: (row) => row.cost,
      cell: (row) =>
        row.cost === null
          ? unknown(`${by.name} is not known: a pool or a source doesn't state it. Not 0, and not ranked`)
          : [h("b", {}, fixed(row.cost / (isThousand ? 1000 : 1), digits)), overBudget(row, view)],
    },
    range: {
      name: isDrawn ? "8 in 10 draws" : "Stated",
      class: "rc",
      head: "",
      title: glossary["8 in 10 draws"],
      value: (row) => row.high ?? row.cost,
      ticks: h(
        "span",
        { class: "rax", "aria-hidden": "true" },
        axis.ticks.map((one, i) => h("i", { "--at": at(one, axis) }, axis.ticks.length > mostTicks && i % 2 ? "" : tick(one))),
      ),
      cell: (row) => (row.cost === null ? "" : rangeOf(row, axis, show)),
    },
    fails: {
      name: "in draws",
      class: "num cf",
      head: "too small",
      title: glossary["Too small"],
      drawn: true,
      value: (row) => (row.holds === null ? null : 1 - row.holds),
      cell: (row) =>
        dash(
          row.holds,
          h(row.holds <= 1 - unsafe ? "b" : "span", { class: row.holds < 1 - unsafe ? "warn" : "" }, shareBeside(row.holds ?? 0)),
        ),
    },
    million: {
      name: view.million ?? "Output",
      class: "num cm",
      head: `${sign(currency)} per M`,
      title: view.million ? "Cost over the horizon, not discounted, divided by the million units served" : "Cost per million output tokens",
      value: (row) => row.million,
      cell: (row) => dash(row.million, fixed(row.million, millionDigits)),
    },
    evidence: {
      name: "Price of",
      class: "c-ev",
      head: "evidence",
      title: glossary.Evidence,
      value: (row) => row.day,
      cell: (row) => [
        evidenceMark(row.evidence),
        h("small", { class: row.day && !row.marks.some(({ text }) => /days old/.test(text)) ? "" : "warn" }, row.day ? date(row.day) : "not dated"),
      ],
    },
    best: {
      name: "Best",
      class: "num cb",
      head: "chance",
      title: glossary["Chance to be best"],
      drawn: true,
      value: (row) => row.chance,
      cell: (row) => dash(row.chance, h(row.chance > 0.5 ? "b" : "span", {}, chances[row.i])),
    },
  };
}
export const dash = (value, shown) => (value === null ? "–" : shown);
export const unknown = (title) => h("i", { class: "unknown", title }, "not known");

const overBudget = (row, { budget }) => (budget && row.cost > budget ? h("small", { class: "bad" }, "over budget") : "");

// What can't serve is last either way, and what is not known stands behind what is.
export function sortedBy(rows, sort, columns) {
  if (!sort) return rows;
  const [name, sign] = [sort.replace(/^-/, ""), sort.startsWith("-") ? -1 : 1];
  const column = columns.find((one) => one.name === name);
  if (!column) return rows;
  const gone = (value) => value === null || value === undefined;
  const order = (a, b) => gone(a) - gone(b) || (gone(a) ? 0 : sign * (a < b ? -1 : a > b ? 1 : 0));
  return [...rows].sort((a, b) => Boolean(a.cannot) - Boolean(b.cannot) || order(column.value(a), column.value(b)));
}
