// Plans of a ranking as rows: cost as a dot, on its range where there are draws, whose share in which the size fails is hatched.
import { h } from "../dom.js";
import { date, fixedMoney, number, share, sharesOf } from "../format.js";
import { at, axisOf, rangeOf } from "../plan/axis.js";
import { namesOf } from "../plan/names.js";
import { evidenceMark } from "../parts.js";
import { moneyScale } from "./money_scale.js";

const mostMarks = 4; // of the axis, with a figure each
const often = 0.2; // of the draws: so many failures stand in amber
const days = (value) => (value === null ? "–" : number(value, "", 1));
const shareOr = (value) => (value === null || value === undefined ? "–" : share(value));

// Columns behind the cost: {above, text, cell(plan, context), isLast: left out where there is little room}. The context is {currency, least:
// the first plan's cost}.
const ofTraining = [
  {
    above: "1 in 10 over",
    text: "Ends, days",
    cell: ({ row }) => [days(row.days), h("small", {}, `over ${days(row.days_p90)}`)],
  },
  { above: "before its end", text: "In time", cell: ({ row }) => shareOr(row.probability_in_time) },
  { above: "of hours paid", text: "Useful", cell: ({ row }) => shareOr(row.goodput), isLast: true },
];
const epoch = {
  above: "",
  text: "An epoch",
  cell: ({ row }, { currency }) => (row.cost_per_epoch === null ? "–" : fixedMoney(row.cost_per_epoch, currency, 0)),
};
function peakOf({ replicas }) {
  const used = replicas.map((one) => one.at_peak?.utilization).filter((one) => typeof one === "number");
  return used.length ? Math.max(...used) : null;
}
const ofServing = [
  { above: "at the peak", text: "Used", cell: (plan) => shareOr(peakOf(plan)) },
  { above: "of hours paid", text: "Busy", cell: ({ row }) => shareOr(row.utilization), isLast: true },
];
const output = {
  above: "a million",
  text: "Out",
  cell: ({ row }, { currency }) =>
    row.cost_per_million_output === null ? "–" : fixedMoney(row.cost_per_million_output, currency, 2),
  isLast: true,
};
// By how much a plan costs more than the first; nothing is said of what costs nothing.
const toFirst = {
  above: "costs",
  text: "To the first",
  cell: ({ rank, decisive }, { least }) => {
    if (rank === 1) return "first";
    const more = least > 0 ? decisive / least - 1 : null;
    return more === null ? "–" : `${more < 0 ? "−" : "+"}${number(100 * Math.abs(more), "", 0)} %`;
  },
};
const failsOf = ({ row }) => (row.probability_feasible === null ? null : 1 - row.probability_feasible);
const fails = {
  above: "of draws",
  text: "Fails",
  cell: (plan) => {
    const value = failsOf(plan);
    return value > often ? h("b", { class: "warn" }, share(value)) : shareOr(value);
  },
};
// A whole ranking has more columns than proposals.
function columnsOf(plans, isWhole) {
  const isRun = plans.some(({ row }) => row.days !== null);
  const own = isRun ? ofTraining : ofServing;
  return isWhole ? [fails, ...own, ...(isRun ? [epoch] : [])] : [fails, toFirst, ...(isRun ? own.slice(0, 2) : [output])];
}

const csvColumns = (answer) => [
  { name: "Plan", value: ({ name }) => name },
  { name: answer.decide_by, unit: answer.unit, value: ({ decisive }) => decisive },
  { name: "p10", unit: answer.unit, value: ({ row }) => row.low },
  { name: "p90", unit: answer.unit, value: ({ row }) => row.high },
  { name: "Expected cost", unit: answer.unit, value: ({ row }) => row.expected_cost },
  { name: "Holds", unit: "probability", value: ({ row }) => row.probability_feasible },
  { name: "Days", unit: "days", value: ({ row }) => row.days },
  { name: "Days, a run in ten over", unit: "days", value: ({ row }) => row.days_p90 },
  { name: "In time", unit: "probability", value: ({ row }) => row.probability_in_time },
  { name: "Useful hours", unit: "fraction", value: ({ row }) => row.goodput },
  { name: "An epoch", unit: answer.unit, value: ({ row }) => row.cost_per_epoch },
  { name: "Evidence", value: ({ evidence }) => evidence },
  { name: "Oldest price", value: ({ oldest_price: day }) => day },
  { name: "Chance to be best", unit: "probability", value: (plan) => plan.probability_best },
];
export const csvOf = (answer) => ({ columns: csvColumns(answer), rows: answer.plans });

// What a plan is on the axis.
const rangeRow = ({ decisive, row }) => ({ cost: decisive, low: row.low, high: row.high, holds: row.probability_feasible });

function headRow({ money, axis, columns }) {
  const head = (text, above, hides = "hm") => h("th", { scope: "col", class: `num ${hides}` }, h("small", {}, above), text);
  const step = axis.ticks.length > mostMarks ? 2 : 1;
  const shown = axis.ticks.filter((_, i, all) => (all.length - 1 - i) % step === 0);
  const marks = shown.map((tick) => h("i", { "--at": at(tick, axis) }, money.show(tick)));
  return h(
    "tr",
    {},
    h("th", { scope: "col" }, "Plan"),
    head("Cost ↑", money.unit, ""),
    h(
      "th",
      {
        scope: "col",
        class: "hm cost-axis",
        "aria-label": `Cost, from ${money.show(axis.from)} to ${money.show(axis.to)} ${money.unit}`,
      },
      h("small", {}, "8 in 10 draws"),
      h("span", { class: "rax", "aria-hidden": "true" }, marks),
    ),
    columns.map(({ text, above, isLast }) => head(text, above, isLast ? "hm wide-only" : "hm")),
    h("th", { scope: "col", class: "hm" }, h("small", {}, "evidence"), "Oldest price"),
    head("Best", "chance", ""),
  );
}

// The plan's place in the ranking, or, where plans are chosen, a box to choose it with.
function whoOf(plan, { name, line: place }, chosen) {
  const [reason] = plan.why.split("; "); // of one that costs less and is behind what is known better
  const behind = reason.startsWith("behind") ? h("small", { class: "warn" }, reason) : "";
  const rest = [h("i", { class: "sw" }), h("b", {}, name), h("small", {}, place), behind];
  if (!chosen) return h("span", { class: "who" }, h("span", { class: "n" }, plan.rank), rest);
  const box = h("input", {
    type: "checkbox",
    checked: chosen.has(plan.rank),
    "aria-label": `Decide with plan ${plan.rank}, ${name}`,
    onchange: ({ target }) => (target.checked ? chosen.add(plan.rank) : chosen.delete(plan.rank)),
  });
  return h("label", { class: "who" }, box, rest);
}

function rowOf(plan, i, { colourOf, money, axis, names, columns, chances, context, chosen }) {
  const price = h(
    "small",
    { class: plan.row.warnings.includes("stale_price") ? "warn" : null },
    plan.oldest_price ? date(plan.oldest_price) : "no day",
  );
  return h(
    "tr",
    { class: i === 0 ? "best" : null, "--k": `var(--p${colourOf(plan.name) ?? (i % 8) + 1})` },
    h("th", { scope: "row" }, whoOf(plan, names[i], chosen)),
    h("td", { class: "num" }, h("b", {}, money.show(plan.decisive))),
    h(
      "td",
      { class: "cost-axis hm" },
      rangeOf(rangeRow(plan), axis, (value) => `${money.show(value)} ${money.unit}`),
    ),
    columns.map(({ cell, isLast }) => h("td", { class: `num hm ${isLast ? "wide-only" : ""}` }, cell(plan, context))),
    h("td", { class: "hm" }, evidenceMark(plan.evidence ?? "hosted"), price),
    h("td", { class: "num" }, chances[i]),
  );
}

// A table of an answer's plans. `chosen`, a set of ranks that boxes change, makes it the whole ranking; without it the plans are proposals.
// `colourOf(name)` is the number of a plan's colour; that of its row where it is left out.
export function rankedTable(answer, chosen = null, colourOf = () => null) {
  const { plans, unit: currency, uncertainty } = answer;
  const costs = plans.map(({ decisive }) => decisive);
  const table = {
    colourOf,
    money: moneyScale(costs, currency),
    axis: axisOf(plans.map(rangeRow)),
    names: namesOf(plans),
    columns: columnsOf(plans, chosen !== null),
    chances: uncertainty ? sharesOf([...plans.map((plan) => plan.probability_best), uncertainty.probability_others]) : plans.map(() => "–"),
    context: { currency, least: costs[0] },
    chosen,
  };
  const isRanked = plans.every(({ rank }, i) => !i || rank > plans[i - 1].rank);
  const lastLevel = uncertainty && isRanked ? plans.findLastIndex(({ tied }) => tied) : -1;
  const width = table.columns.length + 5;
  const line = h("tr", { class: "sep" }, h("td", { colspan: width }, "above: some are level with the first within what is known"));
  return h(
    "table",
    { class: `proposed ${chosen ? "ranked" : ""}` },
    h("thead", {}, headRow(table)),
    h(
      "tbody",
      {},
      plans.map((plan, i) => [rowOf(plan, i, table), i === lastLevel ? line : ""]),
    ),
  );
}
