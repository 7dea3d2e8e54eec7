// Why one plan costs more than another: the bridge between the two by what drives it, and any figure as a tree of terms.
import { post } from "../api.js";
import { choice, h, swatch } from "../dom.js";
import { number, quantity, sign, unitOf } from "../format.js";
import { drawing } from "../icons.js";
import { ownChanges, reaching } from "./concepts.js";
import { linkTo, whatIfParameter } from "../router.js";
import { amount, because, figures, stepText } from "./words.js";

// The bar of a step: from where the former ended to where this one ends, on a scale from 0.
export function bar(from, to, most, fill) {
  const at = (one) => (100 * one) / most;
  const x = Math.min(at(from), at(to));
  const width = Math.max(0.6, Math.abs(at(to) - at(from)));
  return drawing({ viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" }, [
    ["rect", { x, y: 3, width, height: 14, fill }],
  ]);
}

function steps({ bridge, answer, a, b }) {
  const [first, second] = [a.decisive, b.decisive];
  const ends = bridge.steps.reduce((list, step) => [...list, list.at(-1) + step.amount], [first]);
  const most = Math.max(first, second, ...ends, 1e-9);
  const unit = Math.abs(most) >= 1e5 ? 1000 : 1;
  const figure = (one) => number(one / unit, "", unit === 1000 ? 0 : 2);
  const end = (one) =>
    h(
      "tr",
      { class: "ends" },
      h("td", {}, one.plan.name),
      h("td", {}, bar(0, one.decisive, most, `var(--p${one.plan.colour})`)),
      h("td", { class: "num" }, figure(one.decisive)),
    );
  const currency = answer.currency;
  return [
    h(
      "table",
      { class: "bridge", "aria-label": `From ${a.plan.name} to ${b.plan.name}` },
      h(
        "tbody",
        {},
        end(a),
        bridge.steps.map((step, i) =>
          h(
            "tr",
            {},
            h(
              "td",
              {},
              step.driver[0].toUpperCase() + step.driver.slice(1),
              h("small", {}, stepText(step, currency)),
            ),
            h("td", {}, bar(ends[i], ends[i + 1], most, step.amount > 0 ? "var(--bad)" : "var(--good)")),
            h(
              "td",
              { class: `num ${step.amount > 0 ? "bad" : "good"}` },
              (step.amount > 0 ? "+" : "") + figure(step.amount),
            ),
          ),
        ),
        end(b),
      ),
    ),
    h(
      "p",
      { class: "foot" },
      `${figures[bridge.figure].name}, ${[figures[bridge.figure].money ? sign(currency) : "", unit === 1000 ? "thousand" : "", figures[bridge.figure].unit ?? ""].filter(Boolean).join(" ")}. Steps add up to the difference.`,
    ),
  ];
}

// `actions.pair(a, b)` chooses what is explained.
export function whyPart(actions) {
  const bridge = h("section", { class: "panel", id: "why", "aria-labelledby": "why-title", "data-figure": "why" });
  const tree = h("section", { class: "panel", id: "terms", tabindex: "-1", "aria-labelledby": "terms-title" });
  let opened = "";
  return {
    elements: [bridge, tree],
    show(view) {
      const { plans, answer, pair, waterfall } = view;
      const options = plans.map((plan, i) => ({ value: String(i), text: plan.name }));
      const picker = (which, at) =>
        h(
          "span",
          { class: "pick-plan", "--k": `var(--p${plans[at]?.colour})` },
          h("i", { class: "sw" }),
          choice(options, String(at), (next) => actions.pair(...(which ? [pair[0], Number(next)] : [Number(next), pair[1]])), {
            "aria-label": which ? "To this plan" : "From this plan",
            id: which ? "pair-b" : "pair-a",
          }),
        );
      if (plans.length < 2 || pair[0] === pair[1]) {
        bridge.replaceChildren(
          h("div", { class: "bar" }, h("h2", { id: "why-title" }, "Why")),
          h("p", { class: "small" }, "Choose two plans."),
          plans.length > 1 ? h("div", { class: "pair" }, picker(1, pair[1]), picker(0, pair[0])) : "",
        );
      } else {
        const [winner, other] = [plans[pair[0]], plans[pair[1]]];
        const [a, b] = [pair[1], pair[0]].map((i) => ({ plan: plans[i], ...answer.scenarios[i].result }));
        const same = a.decisive !== null && a.decisive === b.decisive;
        const less = a.decisive !== null && b.decisive !== null && b.decisive <= a.decisive;
        bridge.replaceChildren(
          h(
            "div",
            { class: "bar" },
            h(
              "h2",
              { id: "why-title" },
              same ? `${winner.name} and ${other.name} cost the same` : `Why ${winner.name} costs ${less ? "less" : "more"} than ${other.name}`,
            ),
          ),
          h("div", { class: "pair" }, picker(1, pair[1]), picker(0, pair[0])),
          waterfall?.bridge
            ? h(
                "p",
                { class: "because" },
                because(waterfall.bridge.steps, winner.name, answer.currency, (one) =>
                  amount(one, { ...answer, decide_by: waterfall.bridge.figure }, true),
                ),
              )
            : "",
          ...(waterfall?.bridge && a.decisive !== null && b.decisive !== null
            ? steps({ bridge: waterfall.bridge, answer, a, b })
            : [h("p", { class: "small" }, "What one of them costs is not known: there is no bridge.")]),
        );
      }
    },
    // The figure of the first of the pair as a tree of terms.
    explain(view) {
      const { plans, answer, pair } = view;
      const shown = plans[pair[0]];
      const key = JSON.stringify([shown.reference, view.changes, answer.scenarios[pair[0]].result.provenance.inputs_hash]);
      if (key === opened) return;
      opened = key;
      showTree(tree, shown, view, () => key === opened).catch(
        (error) => error.name !== "AbortError" && tree.replaceChildren(h("p", { class: "small" }, error.message)),
      );
    },
  };
}


const mostTerms = 8; // below one figure; the smaller ones fold

// The tree of a plan's figure in `place`, to its leaves; `isCurrent()` says whether it is still wanted.
export async function showTree(place, plan, { answer, changes, asOf, signal }, isCurrent) {
  const figure = `/total/${answer.decide_by}`;
  const term = await post(
    "/v1/explain",
    { scenario: plan.request, figure, depth: 4, ...reaching(changes, [plan]), ...(asOf ? { as_of: asOf } : {}) },
    signal,
  );
  if (!isCurrent()) return;
  const leaf = (one) => h("div", { class: "t" }, h("span", {}, one.term.replaceAll("_", " ")), h("b", {}, quantity(one.value, unitOf(one.unit, answer.currency))));
  const others = (terms) =>
    terms.length ? h("li", {}, h("details", {}, h("summary", {}, `${number(terms.length)} more`), h("ul", {}, terms.map((child) => node(child, false))))) : "";
  // It stands open along the heaviest branch; the others fold.
  const node = (one, isOpen) => {
    const inputs = one.inputs
      .slice(0, 4)
      .map((input) =>
        h(
          "small",
          {},
          `${input.name.split("/").slice(-2).join(" ").replaceAll("_", " ")} ${input.value === null ? "curve" : quantity(input.value, unitOf(input.unit, answer.currency))}${input.revision ? `, revision ${input.revision}` : ""}`,
          input.source ? h("span", { title: input.source }, `: ${input.source.slice(0, 80)}`) : "",
        ),
      );
    const head = [leaf(one), h("small", {}, one.formula), inputs];
    if (!one.terms.length) return h("li", {}, head);
    const sorted = [...one.terms].sort((x, y) => Math.abs(y.value) - Math.abs(x.value));
    return h(
      "li",
      {},
      h(
        "details",
        { open: isOpen },
        h("summary", {}, leaf(one)),
        h("small", {}, one.formula),
        inputs,
        h("ul", {}, sorted.slice(0, mostTerms).map((child, i) => node(child, isOpen && i === 0)), others(sorted.slice(mostTerms))),
      ),
    );
  };
  place.replaceChildren(
    h(
      "div",
      { class: "bar" },
      h("h2", { id: "terms-title" }, swatchOf(plan), ` ${figures[answer.decide_by].name} of ${plan.name}`),
    ),
    h("div", { class: "terms" }, h("ul", {}, node(term, true))),
    plan.reference ? links(plan, { changes }) : "",
  );
}
// Where else a plan can be looked at and changed.
function links(plan, { changes }) {
  const set = whatIfParameter(changes.set ?? {});
  const scale = whatIfParameter(changes.scale ?? {});
  const scenario = plan.reference;
  const own = ownChanges(changes, plan);
  const list = [
    ["Months, hours and ledger", "result", { scenario, set, scale }],
    ["Change this plan", "scenario", { scenario, set: whatIfParameter(own.set), scale: whatIfParameter(own.scale) }],
    ["What moves it most", "questions", { question: "sensitivity", scenario, set, scale }],
    ["Its best size", "questions", { question: "optimize", scenario, set, scale }],
  ];
  return h(
    "p",
    { class: "links" },
    list.map(([text, view, parameters]) => [h("a", { href: linkTo(view, parameters) }, text), " "]),
  );
}

const swatchOf = (plan) => swatch(`var(--p${plan.colour})`);
