// Finance's page of a decision: cost, cash and present cost of a plan by year or month, all plans side by side, investments,
// obligations and chargeback. Its state is the address: `plan`, `by`, `measure`, `charge`.
import { post, postForText } from "../api.js";
import { chart } from "../chart.js";
import { announce, h, keepFocus, swatch } from "../dom.js";
import { count, money, month, shortMoney } from "../format.js";
import { icon } from "../icons.js";
import { go, link, linkTo } from "../router.js";
import { csvButton, saver, tableOf } from "../table.js";
import { chargeback, chargeKeys, cautions, investments, obligations, sideBySide } from "./finance_tables.js";
import { measures, monthTable, planSpec, plansSpec, yearTable } from "./finance_periods.js";
import { minus } from "./finance_money.js";
import { changes } from "./state.js";
import { lack } from "./words.js";

const ownState = ["plan", "by", "measure", "charge"];

// What the figures depend on, without what only chooses among them.
function keyOf(params) {
  const rest = new URLSearchParams(params);
  for (const name of ownState) rest.delete(name);
  rest.sort();
  return rest.toString();
}

const requestOf = ({ plans, baseline, asOf, changes: changed }) => ({
  scenarios: plans.map((plan) => plan.request),
  baseline,
  ...(asOf ? { as_of: asOf } : {}),
  ...changed,
});

// Shows the page in `place`. Returns what takes a changed address in place: true where it has done so.
export async function financePage(context, params, place) {
  const shown = { ...context, changes: context.changes ?? changes(params) };
  const answer = await post("/v1/compare", requestOf(shown), context.signal);
  const results = answer.scenarios.map(({ result }) => result);
  const key = keyOf(params);
  // Charts outlast a change of the address, with the series that are switched off and tables that stand open.
  const charts = {};
  const drawn = (name, spec) => {
    if (charts[name]) charts[name].update(spec);
    else charts[name] = chart(spec);
    return charts[name].element;
  };
  const show = (from) => {
    const refocus = keepFocus();
    const view = viewOf({ ...shown, answer, results, drawn, currency: answer.currency }, from);
    place.replaceChildren(page(view));
    refocus();
    return view;
  };
  show(params);
  return async (from) => {
    if (keyOf(from) !== key) return false;
    const { plan } = show(from);
    announce(`${plan.name} is shown`);
    return true;
  };
}

// The plan that is looked at: the address's, else the baseline's best rival, that is the cheapest.
function viewOf(context, from) {
  const { plans, results, answer } = context;
  const found = plans.findIndex((plan) => plan.reference === from.get("plan"));
  const at = found < 0 ? (answer.cheapest ?? 0) : found;
  const keys = chargeKeys(results[at]);
  return {
    ...context,
    at,
    plan: plans[at],
    result: results[at],
    by: from.get("by") === "month" ? "month" : "year",
    measure: measures[from.get("measure")] ? from.get("measure") : "cash",
    charge: keys.includes(from.get("charge")) ? from.get("charge") : keys[0],
    keys,
  };
}

// Buttons of which one is pressed; the address keeps which. What the address leaves out is `standard`.
const segment = (label, name, options, now, standard = null) =>
  h(
    "div",
    { class: "seg", role: "group", "aria-label": label },
    options.map(({ value, text }) =>
      h(
        "button",
        {
          type: "button",
          id: `${name}-${value}`.replace(/[^\w-]+/g, "-"),
          "aria-pressed": String(value === now),
          onclick: () => go({ [name]: value === standard ? null : value }),
        },
        text,
      ),
    ),
  );

function page(view) {
  const side = sideBySide(view);
  const owed = obligations(view);
  const invested = investments(view);
  return h(
    "div",
    { class: "finance" },
    head(view),
    h(
      "div",
      { class: "finance-top" },
      periods(view),
      h(
        "div",
        { class: "finance-side" },
        view.drawn("plan", planSpec(view.plan, view.result, view.by)),
        view.drawn("plans", plansSpec(view.plans, view.results, view.measure, view.by)),
      ),
    ),
    h(
      "div",
      { class: "finance-column" },
      panel("Side by side", side, "side-by-side", { text: `${side.unit}, ${lengths(view.results)}` }),
      charges(view),
    ),
    h(
      "div",
      { class: "finance-column" },
      invested
        ? panel(`Against ${view.plans[view.baseline].name}`, invested, "investment", {
            text: `of cash${taxed(view) ? " after tax" : ""}; no payback counts what the end settles`,
          })
        : null,
      panel("Obligations and lease liability", owed, "obligations", { text: owed.unit, below: cautions(view) }),
    ),
  );
}

const lengths = (results) =>
  new Set(results.map(({ months }) => months)).size === 1 ? count(results[0].months, "month") : "each over its own months";
const taxed = ({ results }) => results.some(({ total }) => total.npv !== total.npv_after_tax);

function head(view) {
  const { stored, plans, plan, result, at, changes: changed } = view;
  const overview = link(Object.fromEntries([...ownState, "page"].map((name) => [name, null])));
  const altered = Object.values(changed).reduce((sum, values) => sum + Object.keys(values).length, 0);
  return h(
    "section",
    { class: "finance-head", "aria-labelledby": "finance-title" },
    h(
      "div",
      { class: "crumbs" },
      h("a", { href: linkTo("decisions") }, "Decisions"),
      " / ",
      h("a", { href: overview }, stored.name),
      altered ? h("span", {}, count(altered, "changed assumption")) : null,
      h(
        "div",
        { class: "seg", role: "group", "aria-label": "Views of this decision" },
        h("a", { href: overview }, "Overview"),
        h("a", { href: link({}), "aria-current": "page" }, "Finance"),
      ),
    ),
    h("h1", { id: "finance-title" }, headline(view)),
    h("p", {}, subline(view)),
    h(
      "div",
      { class: "finance-tools" },
      segment(
        "Plan",
        "plan",
        plans.map((one) => ({ value: one.reference, text: [swatch(`var(--p${one.colour})`), one.name] })),
        plans[at].reference,
      ),
      h(
        "div",
        { class: "finance-files" },
        download("Ledger", `A bill to come, in the columns of FOCUS 1.4, of ${plan.name}`, "ledger", view, (ask) =>
          ask("/v1/evaluate", "ledger", true),
        ),
        download("Workbook", `Cost and cash of ${plan.name}, with formulas`, "workbook", view, (ask) => ask("/v1/evaluate", "", true)),
        plans.length > 1
          ? download("Ledgers of all", "The same of all plans", "ledgers", view, (ask) => ask("/v1/compare", "ledger", false))
          : null,
        plans.length > 1
          ? download("Workbook of all", "All plans, with formulas", "workbooks", view, (ask) =>
              ask("/v1/compare", "", false),
            )
          : null,
        download("Months of all", "Months of all plans, with all categories and pools", "months", view, (ask) =>
          ask("/v1/compare", "months", false),
        ),
      ),
    ),
  );
}

const brief = (value, currency) => minus(Math.abs(value) < 1e4 ? money(value, currency) : shortMoney(value, currency));

function headline(view) {
  const { answer, plans, results, plan, result, at, baseline, currency } = view;
  const tax = taxed(view);
  const worth = (one) => (tax ? one.total.npv_after_tax : one.total.npv);
  const said = `${plan.name}: ${brief(worth(result), currency)} present cost${tax ? " after tax" : ""}`;
  if (at === baseline || !answer.comparable || !result.feasible || !results[baseline].feasible) return said;
  const gap = worth(result) - worth(results[baseline]);
  if (Math.abs(gap) < 0.01 * Math.abs(worth(result))) return `${said}, the same within 1 % as ${plans[baseline].name}`;
  return `${said}, ${brief(Math.abs(gap), currency)} ${gap > 0 ? "more" : "less"} than ${plans[baseline].name}`;
}

function subline({ result, results, answer, plans, baseline }) {
  const { total, by_month: months, currency } = result;
  const last = month(months.at(-1).month);
  const { sale, book, obligations: owed } = total.terminal;
  const other = results[baseline];
  return [
    `${brief(months[0].cash, currency)} is paid in the first month, ${month(months[0].month)}`,
    sale
      ? `; ${brief(sale, currency)} comes back at the end of ${last} if servers sell ${Math.abs(sale - book) < 1 ? "at book value" : "by their resale curve"}`
      : "",
    owed ? `; ${brief(owed, currency)} is still owed then` : "",
    ". ",
    result.feasible ? "" : h("b", { class: "bad" }, `It can't serve: ${lack(result.infeasible_because)}. `),
    result === other || other.feasible ? "" : h("b", { class: "bad" }, `${plans[baseline].name}, the baseline, can't serve. `),
    answer.comparable
      ? ""
      : h(
          "b",
          { class: "bad" },
          "These plans don't do the same work: their figures stand side by side, but none is the better for being less.",
        ),
  ];
}

// A CSV or workbook that the API makes, saved as it comes.
function download(text, title, name, view, work) {
  const xlsx = name.startsWith("workbook");
  const ask = (path, table, one) => {
    const { scenarios, baseline, ...rest } = requestOf(view);
    const body = one ? { scenario: scenarios[view.at], ...rest } : { scenarios, baseline, ...rest };
    return table
      ? postForText(`${path}?format=csv&table=${table}`, body, view.signal)
      : postForText(`${path}?format=xlsx`, body, view.signal, "blob");
  };
  const whose = () => (name === "ledger" || name === "workbook" ? view.plan.reference : (view.stored.id ?? "plans"));
  const file = () => `${whose().replace(/^.*\/|\.json$/g, "")}-${name}.${xlsx ? "xlsx" : "csv"}`;
  const press = saver(file, () => work(ask), xlsx ? "" : "text/csv;charset=utf-8");
  return h(
    "button",
    { type: "button", class: "btn", title, "data-download": name, onclick: press },
    icon("download"),
    `${text}, ${xlsx ? "XLSX" : "CSV"}`,
  );
}

function periods({ plan, result, by, measure }) {
  const made = by === "year" ? yearTable(result, measure) : monthTable(result, measure);
  const name = `${plan.reference.replace(/^.*\/|\.json$/g, "")}-${measure}-by-${by}`;
  const tools = [
    segment(
      "Measure",
      "measure",
      Object.entries(measures).map(([value, { short }]) => ({ value, text: short })),
      measure,
      "cash",
    ),
    segment(
      "Periods",
      "by",
      [
        { value: "year", text: "Years" },
        { value: "month", text: "Months" },
      ],
      by,
      "year",
    ),
  ];
  return panel(`${measures[measure].short} by ${by}, ${plan.name}`, made, "periods", { text: `${made.unit}`, tools, name });
}

function charges({ plan, result, charge, keys }) {
  const made = chargeback(result, charge);
  const tools =
    keys.length > 1
      ? segment(
          "Divided by",
          "charge",
          keys.map((key) => ({ value: key, text: key })),
          charge,
          keys[0],
        )
      : null;
  const below =
    keys.length > 1
      ? null
      : h("p", { class: "foot" }, "No workload has tags, such as team or product: the cost is divided by workload alone.");
  const rest = result.unallocated_cost ? "idle stands apart" : "idle is spread over those who use the pool";
  return panel(`${made.title}, ${plan.name}`, made, "chargeback", { text: `${made.unit}; ${rest}`, tools, below });
}

// A table in its panel, with its CSV, and a word where its parts do not add up to the API's sum.
function panel(title, { table, adds }, id, { text = "", tools = null, below = null, name = id } = {}) {
  return h(
    "section",
    { class: `panel finance-${id}`, "aria-label": title, "data-figure": id },
    h(
      "div",
      { class: "panel-head" },
      h("h2", {}, title),
      h("span", { class: "small" }, text),
      h(
        "div",
        { class: "panel-tools" },
        tools,
        csvButton(name, () => table),
      ),
    ),
    tableOf(table),
    adds === false ? h("p", { class: "foot bad" }, "The parts do not add up to the whole: tell us of this plan.") : null,
    below,
  );
}
