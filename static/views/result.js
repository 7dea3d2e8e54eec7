// Result: one scenario month by month, which pool serves what, the hours of the week, every ledger row, and where a figure is from.
import { post } from "../api.js";
import { choice, h, labelled, toggle } from "../dom.js";
import { money, month, number, percent, plural } from "../format.js";
import { energyOf, energyText, heading, scenarioOptions, unitCostList, unknownEnergy, warnings, why } from "../parts.js";
import { go, linkTo, whatIf, whatIfParameter } from "../router.js";
import { empty } from "../states.js";
import { asked, firstComparison, nameOf, scenarios } from "../store.js";
import { csvButton, tableOf } from "../table.js";
import { explain } from "./explain.js";
import { monthlyChart, servedCharts, weekChart, weekFigures } from "./result_charts.js";

export async function result(params, place, { signal }) {
  const asOf = params.get("as_of");
  const set = whatIf(params);
  const list = await scenarios(asOf, signal);
  if (!list.length) {
    place.append(
      heading("Result"),
      empty(
        "No scenarios yet",
        "A result needs a scenario.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "Make a scenario"),
      ),
    );
    return;
  }
  const reference = params.get("scenario") ?? firstComparison(list)[0];
  const entry = list.find((one) => one.reference === reference);
  const question = { scenario: asked(list, reference), set, ...(asOf ? { as_of: asOf } : {}) };
  const [answer, profile] = await Promise.all([
    post("/v1/evaluate", { ...question, ledger: true }, signal),
    post("/v1/profile", { ...question, ...(params.get("month") ? { month: params.get("month") } : {}) }, signal),
  ]);
  const shown = { reference, set, answer, profile, scenario: entry?.document };
  const figure = params.get("figure");
  const measure = params.get("measure") === "cash" ? "cash" : "cost";
  const by = params.get("by") === "pool" ? "pool" : "category";
  place.append(
    heading(
      nameOf(list, reference),
      `${answer.months} months from ${month(`${answer.start}`)}, in ${answer.currency}`,
      h(
        "div",
        { class: "controls" },
        labelled(
          "Scenario",
          choice(
            scenarioOptions(list),
            reference,
            (value) => go({ scenario: value, set: null, figure: null, month: null, week: null }),
            { id: "scenario" },
          ),
        ),
        h("a", { class: "button", href: linkTo("scenario", { scenario: reference, set: whatIfParameter(set) }) }, "Change it"),
      ),
    ),
    Object.keys(set).length
      ? h(
          "p",
          { class: "box" },
          "What if: ",
          whatIfParameter(set).map((one) => h("code", {}, one, " ")),
          h("button", { type: "button", class: "quiet", onclick: () => go({ set: null }) }, "Drop it"),
        )
      : "",
    h("section", { class: "cards", "aria-label": "Figures" }, cards(shown)),
    figure ? explain(question, figure, answer, signal) : "",
    h(
      "div",
      { class: "panels" },
      monthlyChart(shown, measure, by, [
        toggle(
          "Figure",
          [
            { value: "cost", text: "Cost" },
            { value: "cash", text: "Cash" },
          ],
          measure,
          (value) => go({ measure: value }),
        ),
        toggle(
          "Parts",
          [
            { value: "category", text: "Category" },
            { value: "pool", text: "Pool" },
          ],
          by,
          (value) => go({ by: value }),
        ),
      ]),
      servedCharts(shown),
      weekChart(shown, weekFigure(params, profile), weekTools(params, profile)),
      pools(shown),
      ledger(shown),
      sources(shown),
      warnings(list, [{ reference, result: answer }]),
    ),
  );
}

function cards({ reference, set, answer }) {
  const { total, currency } = answer;
  const amount = (name, member) => [
    h("dt", {}, name),
    h("dd", {}, why(reference, `/total/${member}`, money(total[member], currency), set)),
  ];
  const unknown = unknownEnergy(answer);
  const known = energyOf(answer, "energy_kwh", 1) !== null;
  const least = unknown.length && known ? "≥ " : "";
  return [
    h(
      "article",
      { class: "card" },
      h("h2", {}, "Cost"),
      h("div", { class: "value" }, why(reference, "/total/cost", money(total.cost, currency), set)),
      h(
        "dl",
        {},
        amount("cash", "cash"),
        amount("net present value", "npv"),
        amount("… after tax", "npv_after_tax"),
        answer.unallocated_cost ? [h("dt", {}, "without a workload"), h("dd", {}, money(answer.unallocated_cost, currency))] : null,
      ),
    ),
    ...Object.entries(answer.by_workload).map(([id, workload]) =>
      h(
        "article",
        { class: "card" },
        unitCostList(reference, { ...answer, by_workload: { [id]: workload } }, set),
        h(
          "dl",
          {},
          h("dt", {}, "served"),
          h("dd", {}, number(workload.units_served, plural(workload.unit))),
          h("dt", {}, "not served"),
          h("dd", {}, percent(workload.units_demanded ? workload.units_unserved / workload.units_demanded : null)),
          workload.hours_per_epoch
            ? Object.entries(workload.hours_per_epoch).map(([pool, hours]) => [
                h("dt", {}, `hours an epoch, ${pool}`),
                h("dd", {}, number(hours, "h")),
              ])
            : null,
        ),
      ),
    ),
    h(
      "article",
      { class: "card" },
      h("h2", {}, "Energy and carbon"),
      h("div", { class: "value" }, least, energyText(answer)),
      h("dl", {}, h("dt", {}, "carbon"), h("dd", {}, least, number(energyOf(answer, "carbon_kg", 1000), "t CO2e", 1))),
      unknown.length ? h("p", { class: "muted" }, `Not known of ${unknown.join(", ")}: no site is given.`) : null,
    ),
  ];
}

function weekFigure(params, profile) {
  const all = weekFigures(profile);
  return all.find((one) => one.key === params.get("week")) ?? all[0];
}

const weekTools = (params, profile) => [
  choice(
    weekFigures(profile).map((one) => ({ value: one.key, text: one.name })),
    weekFigure(params, profile)?.key ?? "",
    (value) => go({ week: value }),
    { id: "week", "aria-label": "What is shown by the hour of the week" },
  ),
  choice(
    profile.months.map((one) => ({ value: one, text: month(one) })),
    profile.month,
    (value) => go({ month: value }),
    { id: "month", "aria-label": "Month" },
  ),
];

function pools({ reference, set, answer }) {
  const { currency } = answer;
  const rows = Object.entries(answer.by_pool).map(([id, pool]) => ({ id, ...pool }));
  const figure = (member, show) => ({
    of: (row) => row[member],
    text: false,
    show: (value, row) =>
      value === null || value === undefined ? null : why(reference, `/by_pool/${row.id}/${member}`, show(value), set),
  });
  const known = (member, scale) => ({
    of: (row) => (row.kind !== "owned" && row[member] === 0 ? null : row[member] / scale),
    text: false,
    show: (value) => (value === null ? null : number(value, "", 1)),
  });
  const table = {
    caption: "Pools",
    rows,
    columns: [
      { name: "pool", of: (row) => row.id, text: true },
      { name: "kind", of: (row) => row.kind, text: true },
      { name: "cost", unit: currency, ...figure("cost", (value) => money(value, currency)) },
      { name: "cash", unit: currency, ...figure("cash", (value) => money(value, currency)) },
      { name: "utilization", unit: "fraction", ...figure("utilization_fraction", percent) },
      { name: "paid", unit: "device-hours", ...figure("available_device_hours", (value) => number(value, "", 0)) },
      { name: "reserved", unit: "device-hours", ...figure("reserved_device_hours", (value) => number(value, "", 0)) },
      {
        name: "a reserved hour",
        unit: `${currency}/device-hour`,
        ...figure("cost_per_reserved_device_hour", (value) => money(value, currency)),
      },
      { name: "energy", unit: "MWh", ...known("energy_kwh", 1000) },
      { name: "carbon", unit: "t CO2e", ...known("carbon_kg", 1000) },
      { name: "racks", of: (row) => row.racks ?? null, text: false },
    ],
  };
  return section("Pools", table, "pools");
}

function ledger({ answer }) {
  const { currency } = answer;
  const table = {
    caption: "Ledger",
    rows: answer.ledger,
    columns: [
      { name: "month", of: (row) => row.month, text: true },
      { name: "pool", of: (row) => row.pool, text: true },
      { name: "workload", of: (row) => row.workload, text: true },
      { name: "category", of: (row) => row.category, text: true },
      { name: "cost", unit: currency, of: (row) => row.cost, show: (value) => money(value, currency) },
      { name: "cash", unit: currency, of: (row) => row.cash, show: (value) => money(value, currency) },
    ],
  };
  return section("Ledger", table, "ledger", `${answer.ledger.length} rows: what every pool costs and pays, for whom and why.`, 20);
}

function sources({ answer }) {
  const { documents, model_version, inputs_hash } = answer.provenance;
  const table = {
    caption: "Sources",
    rows: documents,
    columns: [
      { name: "document", of: (row) => `${row.kind} ${row.id ?? ""}`, text: true },
      { name: "revision", of: (row) => row.revision, text: false, show: (value) => value ?? "inline" },
      { name: "source", of: (row) => row.source, text: true },
    ],
  };
  return section(
    "Sources",
    table,
    "sources",
    h("span", {}, `Model ${model_version}, inputs `, h("code", {}, inputs_hash.slice(0, 16)), "."),
    8,
  );
}

// A table as a panel of its own, with its CSV.
export function section(title, table, name, note = null, most = 200) {
  return h(
    "section",
    { class: "panel wide", "aria-label": title, "data-figure": name },
    h(
      "div",
      { class: "panel-head" },
      h("h2", {}, title),
      h(
        "div",
        { class: "panel-tools" },
        csvButton(name, () => table),
      ),
    ),
    note ? h("p", { class: "muted" }, note) : null,
    tableOf(table, most),
  );
}
