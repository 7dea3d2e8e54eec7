// The stored decisions: each with its answer, its chance and its state; those that need a look first.
import { h, swatch } from "../dom.js";
import { count, number, share, shortMoney, time } from "../format.js";
import { figures, lasting } from "../decision/words.js";
import { scenarioTone } from "../colours.js";
import { icon } from "../icons.js";
import { linkTo } from "../router.js";
import { csvButton } from "../table.js";
import { flipOf, historyOf, lineOf, moveOf } from "./history.js";
import { newest, seenAt } from "./since.js";
import { answerOf, chancesOf, decisive, states, stateOf } from "./standing.js";

const mostDrawn = 24; // decisions of which chances are asked for at once

const lookAgain = 30000; // ms, until the daemon is asked whether prices moved

// What is shown of one: its answer now, then, its chances and its 90 days, as they come; `asked` is when, where it is asked again.
const entryOf = (one) => ({ one, now: null, then: null, chances: null, history: null, error: null, at: null, isAgain: false });

function figure({ answer }, value) {
  const by = figures[answer.decide_by];
  return by.money ? shortMoney(value, answer.currency) : `${number(Math.round(value))} ${by.unit}`;
}
function standing(entry, seen, changedAt) {
  const { error, now, then, chances, history, one, at, isAgain } = entry;
  if (error) return { state: "unknown", word: "not known", cause: error.message, tone: "warn" };
  if (!now) return { state: "unknown", word: "computing…", cause: "", tone: "" };
  if (isAgain) return { state: "asked", word: "recomputing…", cause: `figures of ${time(at)}`, tone: "" };
  const isPrices = !seen || one.scenarios.every((reference) => (changedAt.get(reference) ?? "") <= seen);
  return stateOf({ now, then, seen, flip: history && flipOf(history), move: history && moveOf(history), level: chances?.level, isPrices });
}

const orders = {
  look: { text: "Need a look first", worth: (row) => states.indexOf(row.stand.state) },
  recorded: { text: "Last changed first", worth: () => 0 },
  name: { text: "By name", worth: () => 0 },
};
const toneOf = ({ colours }, reference) => (colours?.[reference] ? `var(--p${colours[reference]})` : scenarioTone(reference));
const titleOf = ({ one }) => one.name ?? one.id;

// `changedAt` has the time of each scenario's last change.
export function decided(list, changedAt, asOf, signal) {
  const seen = asOf ? null : seenAt();
  const entries = list.map(entryOf);
  const shown = { filter: "", part: "all", order: "look" };
  const body = h("tbody", {});
  const none = h("p", { class: "none", hidden: true }, "No decision has all of these words.");
  let planned = false;

  const rows = () => {
    const words = shown.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const all = entries.map((entry) => ({ entry, stand: standing(entry, seen, changedAt) }));
    const text = ({ entry, stand }) =>
      `${titleOf(entry)} ${entry.one.question ?? ""} ${stand.word} ${entry.now?.answer ? entry.now.answer.scenarios[entry.now.first].name : ""}`.toLowerCase();
    const needsLook = ({ stand }) => !["fresh", "unknown", "asked"].includes(stand.state);
    const { worth } = orders[shown.order];
    const byTime = (a, b) => b.entry.one.recorded_at.localeCompare(a.entry.one.recorded_at);
    const byName = (a, b) => titleOf(a.entry).localeCompare(titleOf(b.entry), "en", { numeric: true });
    return {
      all,
      look: all.filter(needsLook).length,
      found: all
        .filter((row) => (shown.part === "all" || needsLook(row)) && words.every((word) => text(row).includes(word)))
        .sort((a, b) => worth(a) - worth(b) || (shown.order === "name" ? byName(a, b) : byTime(a, b) || byName(a, b))),
    };
  };

  function answerCell({ one, now, error }) {
    if (error) return h("td", { class: "ans" }, h("span", { class: "bad" }, "not known"));
    if (!now) return h("td", { class: "ans" }, h("i", { class: "skeleton" }));
    if (now.why) return h("td", { class: "ans" }, "–");
    const { answer, first, second } = now;
    const name = (i) => answer.scenarios[i].name;
    return h(
      "td",
      { class: "ans" },
      h(
        "span",
        { class: "an" },
        swatch(toneOf(one, one.scenarios[first])),
        h("span", {}, name(first), second === undefined ? "" : h("small", {}, next(now, name(second)))),
      ),
    );
  }
  function lineCell({ one, now, history }) {
    const place = { colourOf: (reference) => toneOf(one, reference), show: (value) => figure(now, value) };
    return h("td", { class: "hm" }, history ? lineOf(history, place) : h("i", { class: "skeleton" }));
  }
  const next = (now, name) => `then ${name}, ${figure(now, decisive(now, now.second) - decisive(now, now.first))} more`;
  function costCell({ now, chances }) {
    if (!now?.answer) return h("td", { class: "num cost" }, "–");
    const { answer, first } = now;
    const by = figures[answer.decide_by];
    const range =
      chances && chances.low !== null
        ? `${figure(now, chances.low)} to ${figure(now, chances.high)}`
        : `${by.name.toLowerCase()}, ${lasting(answer.scenarios[first].result.months)}`;
    return h("td", { class: "num cost" }, h("b", {}, figure(now, decisive(now, first))), h("small", {}, range));
  }
  const line = ({ entry, stand }) =>
    h(
      "tr",
      { class: entry.isAgain ? "again" : null },
      h(
        "th",
        { scope: "row" },
        h("a", { href: linkTo("decision", { id: entry.one.id }) }, titleOf(entry)),
        h("small", {}, count(entry.one.scenarios.length, "plan")),
      ),
      answerCell(entry),
      costCell(entry),
      h("td", { class: "num hm" }, entry.chances ? share(entry.chances.best[entry.now.first]) : "–"),
      lineCell(entry),
      h(
        "td",
        { class: "st" },
        h("span", { class: `tag ${stand.tone}` }, stand.word),
        stand.cause ? h("small", {}, stand.cause) : "",
      ),
      h("td", { class: "num hm" }, time(entry.one.recorded_at)),
    );
  function draw() {
    planned = false;
    if (signal.aborted) return;
    const { all, look, found } = rows();
    const focused = document.activeElement?.closest?.("tr")?.querySelector("a")?.href;
    body.replaceChildren(...found.map(line));
    if (focused) [...body.querySelectorAll("a")].find(({ href }) => href === focused)?.focus({ preventScroll: true });
    none.hidden = found.length > 0;
    parts.replaceChildren(part("all", `All ${all.length}`), part("look", `Need a look ${look}`));
  }
  // Answers that come together are one change of the page.
  function drawSoon() {
    if (planned) return;
    planned = true;
    setTimeout(draw, 60);
  }
  const part = (value, text) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(shown.part === value),
        onclick: () => {
          shown.part = value;
          draw();
        },
      },
      text,
    );
  const parts = h("div", { class: "seg", role: "group", "aria-label": "Decisions shown" });
  const filter = h("input", {
    type: "search",
    id: "filter-decisions",
    "aria-label": "Filter decisions",
    placeholder: "Filter",
    autocomplete: "off",
    oninput: ({ target }) => {
      shown.filter = target.value;
      draw();
    },
  });
  const order = h(
    "select",
    {
      "aria-label": "Order of decisions",
      onchange: ({ target }) => {
        shown.order = target.value;
        draw();
      },
    },
    Object.entries(orders).map(([value, { text }]) => h("option", { value }, text)),
  );
  const csv = () => ({
    columns: [
      { name: "Decision", value: ({ entry }) => titleOf(entry) },
      { name: "Answer", value: ({ entry }) => entry.now?.answer?.scenarios[entry.now.first].name ?? null },
      { name: "Figure", value: ({ entry }) => (entry.now?.answer ? decisive(entry.now, entry.now.first) : null) },
      {
        name: "Unit",
        value: ({ entry: { now } }) => (now?.answer ? (figures[now.answer.decide_by].unit ?? now.answer.currency) : null),
      },
      { name: "Chance to be best", value: ({ entry }) => entry.chances?.best[entry.now.first] ?? null },
      { name: "State", value: ({ stand }) => stand.word },
      { name: "Cause", value: ({ stand }) => stand.cause },
    ],
    rows: rows().found,
  });

  async function ask(entry) {
    try {
      entry.now = await answerOf(entry.one, asOf, signal);
      entry.error = null;
      entry.isAgain = false;
      entry.at = new Date().toISOString();
      drawSoon();
      // Of a time before the decision there is nothing to compare to.
      if (seen && !entry.now.why) entry.then = await answerOf(entry.one, seen, signal).catch(() => null);
    } catch (error) {
      if (error.name === "AbortError") return;
      entry.error = error;
    }
    drawSoon();
  }
  // One decision's after the other's, once all answers are there: they take longer.
  async function askAll() {
    await Promise.all(entries.map(ask));
    for (const entry of entries.slice(0, mostDrawn)) {
      if (signal.aborted) return;
      entry.chances = await chancesOf(entry.one, entry.now ?? {}, asOf, signal).catch(() => null);
      if (entry.chances) drawSoon();
    }
    for (const entry of entries) {
      if (signal.aborted) return;
      entry.history = asOf || !entry.now ? [] : await historyOf(entry.one, entry.now, signal).catch(() => []);
      drawSoon();
    }
  }
  // Where prices moved since, all are computed again; their figures stay until then.
  async function watch() {
    const last = await newest(signal).catch(() => known);
    if (signal.aborted || document.hidden || last === known) return;
    known = last;
    for (const entry of entries) entry.isAgain = entry.now !== null;
    draw();
    await askAll();
  }
  let known = null;
  if (!asOf)
    newest(signal).then(
      (last) => {
        known = last;
        const timer = setInterval(watch, lookAgain);
        signal.addEventListener("abort", () => clearInterval(timer));
      },
      () => {},
    );
  draw();
  askAll();
  return h(
    "section",
    { class: "box", "aria-labelledby": "stored-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "stored-title" }, "Decisions"),
      parts,
      h("div", { class: "end" }, h("span", { class: "find" }, icon("search"), filter), order, csvButton("decisions", csv)),
    ),
    h(
      "table",
      { class: "dl", "aria-labelledby": "stored-title" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Decision"),
          h("th", { scope: "col" }, "Answer"),
          h("th", { scope: "col", class: "num" }, h("small", {}, "8 in 10 draws"), "Cost"),
          h("th", { scope: "col", class: "num hm" }, h("small", {}, "chance"), "Best"),
          h("th", { scope: "col", class: "hm" }, h("small", {}, "best plan's cost"), "90 days"),
          h("th", { scope: "col" }, "State"),
          h("th", { scope: "col", class: "num hm" }, "Changed"),
        ),
      ),
      body,
    ),
    none,
  );
}
