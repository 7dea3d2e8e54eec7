// The start: a question as a sentence, its proposals, what happened since the last visit, and the decisions by how they stand.
import { getAll } from "../api.js";
import { knownModels } from "../decision/start.js";
import { h } from "../dom.js";
import { count, time } from "../format.js";
import { decided } from "../home/decided.js";
import { proposals } from "../home/proposals.js";
import { emptyCatalogue, hasModel, kindOf, plansAddress, question } from "../home/question.js";
import { mayWrite } from "../home/role.js";
import { happened } from "../home/since.js";
import { linkTo } from "../router.js";
import { empty } from "../states.js";
import { ownPrefix, scenarios } from "../store.js";

// Other kinds of work, by the group of scenarios that shows one, and what of its decision is opened.
const waiting = "waiting";
const templates = [
  ["Batch", "batch or live"],
  ["Edge", "edge site"],
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
  const isOwned = ({ reference }) =>
    stored.some((one) => one.scenarios.includes(reference) && reference.startsWith(ownPrefix(one.id)));
  for (const entry of list.filter((one) => !isOwned(one))) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  const found = proposals(signal, (now) => plansAddress(kindOf(now), now));
  const changed = (kind, now, { isWhole, lack }) => {
    if (isWhole) found.ask(kind.request(now), now);
    else if (lack) found.wait(hasModel(kind, now) ? lack : suggested(lack, known, (model) => asked.choose(model)));
  };
  const buyOrWait = groups.has(waiting) ? [h("a", { href: openGroup(groups.get(waiting)) }, "Buy or wait")] : [];
  const asked = question(known, changed, null, buyOrWait);
  const news = h("div", { class: "news" });
  const role = h(
    "p",
    { class: "note calm", hidden: true },
    "This key may read: every field works and is in the address, to be shared. Keeping a decision needs the role editor.",
  );
  place.append(
    h(
      "div",
      { class: "title" },
      h(
        "div",
        {},
        h("h1", {}, "What do you want to decide?"),
        h(
          "p",
          {},
          `A sentence is enough. What AI accelerators really cost: rented, owned or by the token, for ${count(known.length, "model")}.`,
        ),
      ),
      h("div", { class: "end" }, asked.kinds),
    ),
    role,
    asked.element,
    known.length ? h("div", { class: "home-columns" }, found.element, news) : emptyCatalogue(),
    stored.length ? decided(stored, new Map(list.map(({ reference, document }) => [reference, document.recorded_at])), asOf, signal) : "",
    list.length ? groupList(groups) : nothing(asOf),
  );
  asked.hear();
  const keys = { "/": "filter-decisions", q: "model" };
  document.addEventListener(
    "keydown",
    (event) => {
      const field = keys[event.key.toLowerCase()] && document.getElementById(keys[event.key.toLowerCase()]);
      if (!field || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog"))
        return;
      event.preventDefault();
      field.focus();
    },
    { signal },
  );
  happened(signal).then(
    (one) => news.replaceWith(one),
    () => news.remove(), // the plans stand without it
  );
  mayWrite(signal).then(
    (may) => (role.hidden = may),
    () => {},
  );
}

const mostSuggested = 8;
// What to choose where no model is named: those that most sellers host.
function suggested(lack, known, choose) {
  const most = known.filter(({ hosts }) => hosts > 0).sort((a, b) => b.hosts - a.hosts);
  return [
    lack,
    h(
      "div",
      { class: "suggested" },
      most
        .slice(0, mostSuggested)
        .map(({ value, text }) => h("button", { type: "button", class: "assumed", onclick: () => choose(value) }, text)),
    ),
  ];
}

const nothing = (asOf) =>
  asOf
    ? empty("Nothing was stored then", `The store had no scenario as of ${time(asOf)}. Take the time away, or choose a later one.`)
    : empty("No scenarios yet", "deploy/run stores the examples at its first start.");

const openGroup = (entries, part = {}) =>
  linkTo("decision", { scenario: entries.slice(0, 8).map((entry) => entry.reference), ...part });

// Stored scenarios by group, and those that are examples of a kind of work.
function groupList(groups) {
  const examples = templates.filter(([, group]) => groups.has(group));
  return h(
    "section",
    { class: "box", "aria-labelledby": "groups-title" },
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "groups-title" }, "Stored plans"),
      examples.length
        ? h(
            "div",
            { class: "end" },
            h("span", { class: "small" }, "Examples"),
            h(
              "div",
              { class: "seg" },
              examples.map(([text, group, part]) => h("a", { href: openGroup(groups.get(group), part) }, text)),
            ),
          )
        : "",
    ),
    h(
      "details",
      {},
      h("summary", {}, `${count(groups.size, "group")} of scenarios`),
      h(
        "ul",
        { class: "groups" },
        [...groups].map(([name, entries]) =>
          h(
            "li",
            {},
            h("a", { href: openGroup(entries) }, name),
            h("small", {}, ` ${count(entries.length, "plan")}: ${entries.map((entry) => entry.name).join(", ")}`),
          ),
        ),
      ),
    ),
  );
}
