// The answer of a run, a fleet or sizes: one sentence, the trade as cards, the figures of the plan that is taken; what was left out, what is
// assumed, and the nearest run where none holds.
import { amount, sure } from "../decision/answer.js";
import { figures, lasting } from "../decision/words.js";
import { h } from "../dom.js";
import { count, fixedMoney, number, percent, share, shareBeside } from "../format.js";
import { chanceTexts } from "../plan/answer.js";
import { flipTone } from "../plan/assumed_flips.js";
import { dayText, winsAt } from "../plan/rows.js";
import { capital, glossary } from "../terms.js";

const named = 2; // plans that the sentence names beside the first
const surer = 0.02; // by so much more often a safer plan holds
const days = (value) => count(Math.round(10 * value) / 10, "day");

const listed = (names) => (names.length > named ? `${names.slice(0, named).join(", ")} and ${names.length - named} more` : names.join(" and "));
const mark = (row) => h("mark", { "--k": `var(--p${row.colour})` }, row.title);
export const brief = (value, { decide_by, unit: currency }) => amount(value, { decide_by, currency }, true);
const signed = (gap, answer) => (gap > 0 ? `+${brief(gap, answer)}` : brief(gap, answer));
const able = ({ rows }) => rows.filter((row) => !row.behind);
const runOf = ({ plan }) => plan.row;
const isRun = (row) => runOf(row).days !== null;
// How often a plan does the work: in draws, and a run in time.
const surety = (row) => Math.min(runOf(row).probability_in_time ?? 1, row.holds ?? 1);
const ofLeastCost = (rows) => rows.reduce((best, row) => (!best || row.cost < best.cost ? row : best), null);

export function answerSentence({ rows, answer }) {
  const [first, second] = rows;
  const { days: end, probability_in_time: inTime } = runOf(first);
  const run = end === null ? " costs " : ` ends a run on day ${number(end, "", 1)} for `;
  const time = inTime === null ? "" : inTime > 0.995 ? ", in time in every run" : `, in time in ${share(inTime)} of runs`;
  const fails = first.holds !== null && first.holds < sure ? `, but its size fails in ${shareBeside(first.holds)} of draws` : "";
  const level = rows.filter(({ isLevel }) => isLevel).map(({ title }) => title);
  const next = level.length
    ? [h("span", { class: "lvl", title: glossary.Level }, "Level with it"), `: ${listed(level)}.`]
    : !second
      ? ["No other plan holds."]
      : second.behind
        ? [mark(second), ` costs ${brief(first.cost - second.cost, answer)} less, but ${second.behind}.`]
        : [mark(second), `, the next, costs ${brief(Math.abs(second.cost - first.cost), answer)} ${second.cost < first.cost ? "less" : "more"}.`];
  return [mark(first), run, brief(first.cost, answer), time, fails, ". ", ...next];
}

// The cards, left to right; never two of one plan.
const kinds = [
  { word: ({ rows: [first] }) => (isRun(first) && !first.isReordered ? "First: the cheapest in time" : "First"), find: ({ rows: [first] }) => first, take: "Take it" },
  {
    word: () => "Safest",
    take: "Take the safest",
    find(view) {
      const most = Math.max(...able(view).map(surety));
      return most > surety(view.rows[0]) + surer ? ofLeastCost(able(view).filter((row) => surety(row) > most - 0.005)) : null;
    },
  },
  {
    word: () => "Soonest",
    take: "Take the soonest",
    find: (view) => able(view).filter(isRun).sort((a, b) => runOf(a).days - runOf(b).days)[0],
  },
  {
    word: () => "Cheapest in time",
    take: "Take the cheapest",
    find: (view) => (view.rows[0].isReordered ? ofLeastCost(able(view)) : null),
  },
  { word: () => "Level with it", take: "Take this one", find: ({ rows }) => rows.find(({ isLevel, behind }) => isLevel && !behind) },
  { word: () => "Cheaper, not known", find: ({ rows }) => ofLeastCost(rows.filter(({ behind }) => behind)), why: true },
  { word: () => "The next", take: "Take this one", find: (view) => able(view)[1] },
];
const mostCards = 4;
export function cardsOf(view) {
  const found = kinds.map((kind) => ({ kind, row: kind.find(view) })).filter(({ row }) => row);
  return found.filter(({ row }, i) => found.findIndex((other) => other.row === row) === i).slice(0, mostCards);
}

function chanceBar(row) {
  const { probability_in_time: inTime } = runOf(row);
  const value = inTime ?? row.holds;
  if (value === null) return h("div", { class: "hold" });
  return h(
    "div",
    { class: "hold" },
    h("span", { class: "t" }, h("i", { class: "ok", "--w": `${100 * value}%` }), h("i", { class: "ko", "--w": `${100 * (1 - value)}%` })),
    h("span", {}, inTime === null ? "holds in " : "in time in ", h("b", {}, share(value))),
  );
}
function noteOf(row) {
  const { days_p90: late } = runOf(row);
  const said = [late === null ? null : `1 run in 10 takes over ${days(late)}`, row.marks.find(({ tone }) => tone)?.text];
  return said.filter(Boolean).join(". ");
}
function card({ kind, row }, view, actions) {
  const { answer, taken } = view;
  const [first] = view.rows;
  const isTaken = row === taken;
  const beside = isRun(row) ? days(runOf(row).days) : row === first ? "stated" : signed(row.cost - first.cost, answer);
  return h(
    "div",
    { class: `choice-card ${isTaken ? "on" : ""}`, "--k": `var(--p${row.colour})`, "data-plan": row.key },
    h("div", { class: "kind" }, h("i", { class: "sw" }), kind.word(view)),
    h("h2", {}, row.name),
    h("div", { class: "w" }, row.line),
    h("div", { class: "m" }, h("b", {}, brief(row.cost, answer)), h("span", {}, beside)),
    chanceBar(row),
    h("div", { class: "or" }, kind.why ? `But ${row.behind}` : noteOf(row)),
    h("div", { class: "fill" }),
    kind.why
      ? h("button", { type: "button", class: "btn", onclick: () => actions.pair(row.key, first.key) }, "See why not")
      : h(
          "button",
          { type: "button", class: `btn ${isTaken ? "first" : ""}`, "aria-pressed": String(isTaken), onclick: () => actions.take(row) },
          isTaken ? "Taken" : kind.take,
        ),
  );
}

// Facts beside the figure: {term, text(row, view)}, left out where it is null.
const facts = [
  { term: "8 in 10 draws", text: ({ low, high }, { answer }) => (low === null ? null : `${brief(low, answer)} to ${brief(high, answer)}`) },
  {
    term: "Expected with the fall-back", // what is left on its day by chance, not at the mean
    text: (row, { answer }) => (runOf(row).expected_cost === null ? null : brief(runOf(row).expected_cost, { ...answer, decide_by: "cost" })),
  },
  {
    term: "An epoch",
    text: (row) => (runOf(row).cost_per_epoch === null ? null : fixedMoney(runOf(row).cost_per_epoch, row.plan.scenario.currency, 0)),
  },
  {
    term: "End of a run",
    text: (row, { own }) => {
      const range = own.ends?.get(row.key);
      return range ? `${number(range.early, "", 1)} to ${days(range.late)}` : isRun(row) ? days(runOf(row).days) : null;
    },
  },
  { term: "In time", text: (row) => (runOf(row).probability_in_time === null ? null : `${share(runOf(row).probability_in_time)} of runs`) },
  { term: "Useful hours", text: (row) => (runOf(row).goodput === null ? null : share(runOf(row).goodput)) },
  { term: "Holds as sized", text: ({ holds }) => (holds === null ? null : `${share(holds)} of draws`) },
  { term: "Chance to be best", text: (row, view) => (row.chance === null ? null : chanceTexts(view)[row.i]) },
  {
    term: "Changes if",
    text: (row, view) => {
      const other = able(view).find((one) => one !== row && winsAt(one));
      return other ? `${other.short} costs ${winsAt(other)}` : null;
    },
    tone: "bad",
  },
  { term: "Oldest price", text: ({ day }) => dayText(day) },
];
function figureOf(view) {
  const { answer, rows, taken } = view;
  const others = [...able(view), ...rows].filter((row, i, all) => row !== taken && all.indexOf(row) === i).slice(0, 2);
  const what = isRun(taken) ? "Cost of a run" : `${figures[answer.decide_by].name} for ${lasting(taken.plan.scenario.months)}`;
  return [
    h("div", { class: "small" }, `${what}, ${taken.title}`),
    h("div", { class: "big" }, amount(taken.cost, { decide_by: answer.decide_by, currency: answer.unit })),
    h(
      "div",
      { class: "deltas" },
      others.map((row) => {
        const gap = taken.cost - row.cost;
        const tone = gap < 0 ? "good" : gap > 0 ? "bad" : "";
        const about = `to ${row.short}${row.isLevel ? ", level" : ""}${row.behind ? ", not known as well" : ""}`;
        return [
          h("b", { class: tone }, signed(gap, answer)),
          h("span", { class: `pc ${tone}` }, row.cost ? percent(gap / Math.abs(row.cost), { signed: true }) : ""),
          h("span", {}, about),
        ];
      }),
    ),
    h(
      "dl",
      { class: "two-n" },
      facts
        .map(({ term, text, tone }) => [term, text(taken, view), tone])
        .filter(([, text]) => text)
        .map(([term, text, tone]) => [h("dt", { title: glossary[term] ?? null }, term), h("dd", { class: tone ?? null }, text)]),
    ),
  ];
}

// `actions.take(row)` takes a plan as the answer, `actions.pair(a, b)` explains one against another. Returns {element, show(view, lede)}.
export function tradePart(actions) {
  const heading = h("p", { class: "answer", id: "run-answer", tabindex: "-1" });
  const below = h("p", { class: "lede" });
  const cards = h("div", { class: "trade", role: "group", "aria-label": "The trade" });
  const side = h("div", { class: "figure" });
  return {
    element: h("section", { class: "ans", "aria-label": "Answer" }, h("div", { class: "say" }, heading, below, cards), side),
    show(view, lede) {
      const shown = cardsOf(view);
      heading.replaceChildren(...answerSentence(view).flat());
      below.textContent = lede;
      cards.style.setProperty("--n", String(shown.length));
      cards.replaceChildren(...shown.map((one) => card(one, view, actions)));
      side.replaceChildren(...figureOf(view));
    },
    text: () => heading.textContent,
  };
}

export const sentence = (words) => (words ? `${words[0].toUpperCase()}${words.slice(1)}.` : "");

export function nearestRun({ nearest_run: near, nearest }) {
  if (near)
    return `Nearest: ${near.name}, ${count(near.devices, "device")}, ${number(near.days, "days", 1)} in the mean, in time in ${share(near.probability_in_time ?? 0)} of runs.`;
  return nearest ? `Nearest: ${nearest.devices}× ${nearest.device}.` : "";
}

export const leftOut = ({ excluded, considered }) => {
  const out = excluded.reduce((sum, one) => sum + one.count, 0);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "left-title" },
    h("h2", { id: "left-title" }, "What was left out ", h("span", { class: "small" }, `${number(out)} of ${number(considered)}`)),
    h(
      "ul",
      { class: "left-list" },
      [...excluded]
        .sort((a, b) => b.count - a.count)
        .map((one) =>
          h(
            "li",
            {},
            h("b", {}, number(one.count)),
            h(
              "span",
              {},
              sentence(one.reason.replaceAll("_", " ")).replace(/\.$/, ""),
              h("small", {}, [one.note, `such as ${one.examples[0]}`].filter(Boolean).join(" · ")),
            ),
          ),
        ),
    ),
  );
};
export const assumed = ({ assumptions }, flips = {}) =>
  h(
    "section",
    { class: "panel", "aria-labelledby": "assumed-title" },
    h("h2", { id: "assumed-title" }, "What is assumed ", h("span", { class: "small" }, String(assumptions.length))),
    h(
      "dl",
      { class: "assumed-list" },
      assumptions.map(({ what, value, unit, why, change }) => [
        h("dt", {}, sentence(what.replaceAll("_", " ")).replace(/\.$/, "")),
        h("dd", {}, `${value} ${unit}`.trim(), h("small", {}, `${why}; ${change}`), flips[what] ? h("small", { class: flipTone(flips[what]) }, capital(flips[what])) : ""),
      ]),
    ),
  );
