// The explanation of a figure: the tree of its terms, down to the inputs and their sources.
import { post } from "../api.js";
import { h, labelled, newId } from "../dom.js";
import { date, quantity } from "../format.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { figureWords } from "../terms.js";

// Where an input is from, and of which day it is where it is a price.
const originOf = ({ source, revision, price_day: day }) =>
  [
    source ? `from ${source}` : null,
    source && revision ? `revision ${revision}` : null,
    day === undefined ? null : `price of ${day ? date(day) : "a day unknown"}`,
  ]
    .filter(Boolean)
    .join(", ");

const input = (item) =>
  h(
    "li",
    {},
    h("code", {}, item.name),
    " ",
    item.value === null ? "a curve" : quantity(item.value, item.unit),
    originOf(item) ? h("small", { class: "muted" }, ` ${originOf(item)}`) : null,
    item.currency ? h("small", { class: "muted" }, ` stated in ${item.currency}, × ${item.exchange_rate}`) : null,
  );

const line = (term) => [
  h("span", { class: "term" }, term.term),
  h("strong", {}, quantity(term.value, term.unit)),
  h("code", { class: "muted" }, `= ${term.formula}`),
];

function branch(term, depth) {
  if (!term.terms.length && !term.inputs.length) return h("li", { class: "leaf" }, line(term));
  const inner = h("ul", { class: "tree" });
  const details = h("details", { open: depth < 1 }, h("summary", {}, line(term)), inner);
  const unfold = () => {
    if (!inner.children.length) inner.append(...term.inputs.map(input), ...term.terms.map((part) => branch(part, depth + 1)));
  };
  details.addEventListener("toggle", unfold);
  if (depth < 1) unfold();
  return h("li", {}, details);
}

// Pointers to all numbers of a result, for the list of figures.
function figures(node, at = "") {
  if (typeof node === "number") return [at];
  if (node === null || typeof node !== "object" || ["/provenance", "/ledger", "/warnings", "/by_month"].includes(at)) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    figures(value, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

export function explain(request, figure, answer, signal) {
  const list = newId("figures");
  const place = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Terms of the figure" });
  const field = h("input", {
    value: figure,
    list,
    spellcheck: "false",
    id: "figure",
    onchange: (event) => go({ figure: event.target.value || null }),
  });
  fill(
    place,
    async () => {
      const tree = await post("/v1/explain", { ...request, figure }, signal);
      return h("ul", { class: "tree" }, branch(tree, 0));
    },
    "Explaining…",
  );
  return h(
    "section",
    { class: "panel wide explain", "aria-label": "Explanation" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", {}, `Where ${figureWords(figure)} comes from`),
      h("button", { type: "button", class: "quiet", onclick: () => go({ figure: null }) }, "Close"),
    ),
    labelled("Figure", field, "Any number of the result, such as /by_month/3/cost"),
    h(
      "datalist",
      { id: list },
      figures(answer).map((pointer) => h("option", { value: pointer })),
    ),
    place,
  );
}
