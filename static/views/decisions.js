// All decisions, and the start of a new one: from a question of six fields to plans, or from a stored example of another kind of work.
import { getAll, post } from "../api.js";
import { knownModels, startForm } from "../decision/start.js";
import { figures, lacked, lasting, mayRank } from "../decision/words.js";
import { h } from "../dom.js";
import { count, number, time } from "../format.js";
import { goTo, linkTo } from "../router.js";
import { empty } from "../states.js";
import { ownPrefix, scenarios } from "../store.js";

// Other kinds of work, by the group of scenarios that shows one, and what of its decision is opened.
const templates = [
  ["Training", "finetune mixed"],
  ["Batch", "batch or live"],
  ["Edge", "edge site"],
  ["Buy or wait", "waiting"],
  ["Mixed fleet", "mixed fleet"],
  ["Chargeback", "mixed fleet", { page: "finance", charge: "workload" }],
];

export async function decisions(params, place, { signal }) {
  const asOf = params.get("as_of");
  const [list, stored, known] = await Promise.all([
    scenarios(asOf, signal),
    getAll("/v1/decisions", { as_of: asOf }, signal),
    knownModels(signal),
  ]);
  const groups = new Map();
  // Scenarios that a decision was started with stand in it, not among the stored plans.
  const isOwned = ({ reference }) => stored.some((one) => one.scenarios.includes(reference) && reference.startsWith(ownPrefix(one.id)));
  for (const entry of list.filter((one) => !isOwned(one))) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  const open = (entries, part = {}) =>
    linkTo("decision", { scenario: entries.slice(0, 8).map((entry) => entry.reference), ...part });
  const examples = templates.filter(([, group]) => groups.has(group));
  place.append(
    h(
      "div",
      { class: "title" },
      h(
        "div",
        {},
        h("h1", {}, "What do you want to decide?"),
        h("p", {}, "What AI accelerators really cost: rented, owned or by the token. Six answers are enough for plans."),
      ),
      examples.length
        ? h(
            "div",
            { class: "end" },
            h("span", { class: "small" }, "Or start from"),
            h(
              "div",
              { class: "seg" },
              examples.map(([text, group, part]) => h("a", { href: open(groups.get(group), part) }, text)),
            ),
          )
        : "",
    ),
    h(
      "section",
      { class: "box start", "aria-label": "A question" },
      startForm(params, known, (next) => goTo(linkTo("plans", next))),
    ),
    stored.length ? decisionTable(stored, asOf, signal) : "",
    list.length ? groupList(groups, open) : nothing(asOf),
  );
}

const nothing = (asOf) =>
  asOf
    ? empty("Nothing was stored then", `The store had no scenario as of ${time(asOf)}. Take the time away, or choose a later one.`)
    : empty("No scenarios yet", "deploy/run stores the examples at its first start.");

// Each decision's answer comes when it is computed.
function decisionTable(stored, asOf, signal) {
  const rows = stored.map((one) => ({
    one,
    best: h("td", { class: "text" }, "…"),
    cost: h("td", { class: "figure" }),
    next: h("td", { class: "figure" }),
  }));
  for (const { one, best, cost, next } of rows) {
    answerOf(one, asOf, signal).then(
      ({ first, second, answer, why }) => {
        if (!first) return best.replaceChildren(h("span", { class: "bad" }, why));
        const by = figures[answer.decide_by];
        const unit = by.money ? answer.currency : by.unit;
        best.replaceChildren(first.name);
        cost.replaceChildren(
          `${number(Math.round(first.result.decisive))} ${unit}`,
          h("small", {}, ` ${by.name.toLowerCase()}, ${lasting(first.result.months)}`),
        );
        next.replaceChildren(second ? `−${number(Math.round(second.result.decisive - first.result.decisive))} ${unit}` : "–");
      },
      (error) => error.name !== "AbortError" && best.replaceChildren(h("span", { class: "bad" }, error.message)),
    );
  }
  return h(
    "section",
    { class: "box", "aria-labelledby": "stored-title" },
    h("h2", { id: "stored-title" }, "Decisions"),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "stored-title" },
      h(
        "table",
        { class: "list" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Decision", "Best plan"].map((text) => h("th", { scope: "col", class: "text" }, text)),
            ["Its figure", "To the next best"].map((text) => h("th", { scope: "col", class: "figure" }, text)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map(({ one, best, cost, next }) =>
            h(
              "tr",
              {},
              h(
                "th",
                { scope: "row" },
                h("a", { href: linkTo("decision", { id: one.id }) }, one.name ?? one.id),
                h("small", { class: "small" }, ` ${count(one.scenarios.length, "plan")}`),
              ),
              best,
              cost,
              next,
            ),
          ),
        ),
      ),
    ),
  );
}

// The best two of a decision's plans; why there is none.
async function answerOf({ scenarios: references }, asOf, signal) {
  const answer = await post("/v1/compare", { scenarios: references, ...(asOf ? { as_of: asOf } : {}) }, signal);
  if (!answer.comparable) return { why: "the plans don't do the same work" };
  if (answer.cheapest === null)
    return { why: (mayRank(answer.scenarios[0].result) ? "" : lacked(answer.scenarios[0].result)) || "the figure that decides is not known" };
  const able = answer.scenarios.filter(({ result }) => mayRank(result) && result.decisive !== null);
  const [first, second] = able.sort((a, b) => a.result.decisive - b.result.decisive);
  return { first, second, answer };
}

// Stored scenarios by group.
const groupList = (groups, open) =>
  h(
    "section",
    { class: "box", "aria-labelledby": "groups-title" },
    h("h2", { id: "groups-title" }, "Stored plans"),
    h(
      "ul",
      { class: "groups" },
      [...groups].map(([name, entries]) =>
        h(
          "li",
          {},
          h("a", { href: open(entries) }, name),
          h("small", {}, ` ${count(entries.length, "plan")}: ${entries.map((entry) => entry.name).join(", ")}`),
        ),
      ),
    ),
  );
