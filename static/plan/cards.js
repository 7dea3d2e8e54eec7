// The trade of an answer as cards: the first plan, what is level with it or holds better, the next, and what costs less and stands behind.
import { amount, figures, sure } from "../decision/words.js";
import { h } from "../dom.js";
import { share } from "../format.js";

export const brief = (value, answer) => amount(value, figureOf(answer), true);
export const figureOf = (answer) => ({ decide_by: answer.decide_by, currency: answer.unit });

// What an answer comes down to: the first, what is level with it, the next that costs more, the cheapest of those that stand behind.
export function trade(view) {
  const [first, ...others] = view.rows;
  const level = others.filter((row) => row.isLevel && !row.behind);
  const next = others.find((row) => !row.behind && row.cost !== null) ?? null;
  const isCheaper = (row) => row.behind && row.cost !== null && row.cost < first.cost;
  const cheaper = others.filter(isCheaper).sort((a, b) => a.cost - b.cost)[0] ?? null;
  return { ...view, first, level, next, cheaper, months: first?.plan.scenario.months };
}

function lessThanFirst({ cheaper, answer }) {
  const less = figures[answer.decide_by].money ? "Cheaper" : "Less";
  return `${less}, ${cheaper.cannot ? "can't serve" : cheaper.isFragile ? "and fragile" : "not known"}`;
}

// The cards, left to right; never two of one plan.
const kinds = [
  {
    find: ({ first }) => first,
    word: ({ rows, first, answer }) => {
      const least = figures[answer.decide_by].money ? "Cheapest" : "Least";
      if (first.isReordered) return `${least} that holds`;
      return rows.every((row) => row.cost === null || row.cannot || row.cost >= first.cost) ? least : "First of what is known";
    },
    take: "Take it",
  },
  { find: ({ level }) => level[0], word: () => "Level with it", take: "Take this one" },
  {
    find: ({ rows, first }) =>
      rows.find(
        (row) => row !== first && !row.behind && row.holds !== null && row.holds > first.holds + 0.02 && row.holds >= sure,
      ),
    word: () => "Holds better",
    take: "Take the safer one",
  },
  { find: ({ next }) => next, word: () => "The next", take: "Take this one" },
  { find: ({ cheaper }) => cheaper, word: lessThanFirst, why: true },
];
const mostCards = 4;
function cardsOf(view) {
  const told = trade(view);
  const found = kinds.map((kind) => ({ kind, row: kind.find(told) })).filter(({ row }) => row);
  const once = found.filter(({ row }, i) => found.findIndex((other) => other.row === row) === i);
  const shown = once.length > mostCards ? once.filter(({ kind }) => kind.word(told) !== "The next") : once;
  return shown.slice(0, mostCards).map((one) => ({ ...one, word: one.kind.word(told) }));
}

const holding = (row) =>
  row.holds === null
    ? h("div", { class: "hold" })
    : h(
        "div",
        { class: "hold" },
        h(
          "span",
          { class: "t" },
          h("i", { class: "ok", "--w": `${100 * row.holds}%` }),
          h("i", { class: "ko", "--w": `${100 * (1 - row.holds)}%` }),
        ),
        h("span", {}, "holds in ", h("b", {}, share(row.holds))),
      );

function card({ kind, row, word }, view) {
  const { answer, taken } = view;
  const [first] = view.rows;
  const isTaken = taken === row;
  const gap = row.cost - first.cost;
  const note = kind.why ? `${row.cannot ? "It" : "But"} ${row.behind}` : (row.marks.find((one) => one.tone)?.text ?? "");
  const button = kind.why
    ? h("button", { type: "button", class: "btn", onclick: () => view.open(row) }, "See why not")
    : h(
        "button",
        {
          type: "button",
          class: `btn ${isTaken ? "first" : ""}`,
          "aria-pressed": String(isTaken),
          onclick: () => view.take(row === first ? null : row.key),
        },
        isTaken ? "Taken" : kind.take,
      );
  return h(
    "div",
    { class: `choice-card ${isTaken ? "on" : ""}`, "--k": `var(--p${row.colour})`, "data-plan": row.key },
    h("div", { class: "kind" }, h("i", { class: "sw" }), word),
    h("h2", {}, row.name),
    h("div", { class: "w" }, row.line),
    h("div", { class: "m" }, h("b", {}, brief(row.cost, answer)), h("span", {}, row === first ? "stated" : signed(gap, answer))),
    holding(row),
    h("div", { class: "or" }, note),
    h("div", { class: "fill" }),
    button,
  );
}
export const signed = (gap, answer) => (gap > 0 ? `+${brief(gap, answer)}` : brief(gap, answer));


export function cardsPart() {
  const element = h("div", { class: "trade", role: "group", "aria-label": "The trade" });
  return {
    element,
    show(view) {
      const shown = view.rows.length ? cardsOf(view) : [];
      element.style.setProperty("--n", String(Math.max(1, shown.length)));
      element.replaceChildren(...shown.map((one) => card(one, view)));
    },
  };
}
