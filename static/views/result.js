// Result: one scenario by month, units by pool, hours of the week, the ledger, sources, and the explanation of a figure.
import { post, postForText } from "../api.js";
import { categoryLabel } from "../categories.js";
import { choice, h, labelled, toggle } from "../dom.js";
import { money, month, number, percent, plural } from "../format.js";
import { explainLink, heading, metered, meters, priceColumns, scenarioPicker, unitCostList, warnings } from "../parts.js";
import { go, linkTo } from "../router.js";
import { empty } from "../states.js";
import { firstComparison, nameOf, requestScenario, scenarios } from "../store.js";
import { saver, section } from "../table.js";
import { term } from "../terms.js";
import { changesFor, changesNote } from "../what_if.js";
import { explain } from "./explain.js";
import { monthlyChart, servedCharts, weekChart, weekFigures } from "./result_charts.js";

export async function result(params, place, { signal }) {
  const asOf = params.get("as_of");
  const list = await scenarios(asOf, signal);
  if (!list.length) {
    place.append(
      heading("Result"),
      empty(
        "No scenarios yet",
        "Create a scenario first.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "New scenario"),
      ),
    );
    return;
  }
  const reference = params.get("scenario") ?? firstComparison(list)[0];
  const entry = list.find((entry) => entry.reference === reference);
  const changes = await changesFor([reference], asOf, signal, params);
  const request = { scenario: requestScenario(list, reference), ...changes.rest() };
  const [answer, profile] = await Promise.all([
    post("/v1/evaluate", { ...request, ledger: true }, signal),
    post("/v1/profile", { ...request, ...(params.get("month") ? { month: params.get("month") } : {}) }, signal),
  ]);
  const shown = { reference, answer, profile, scenario: entry?.document };
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
          scenarioPicker(
            list,
            reference,
            (value) => go({ scenario: value, set: null, scale: null, figure: null, month: null, week: null }),
            { id: "scenario" },
          ),
        ),
        h("a", { class: "button", href: linkTo("scenario", { scenario: reference, set: params.getAll("set") }) }, "Edit"),
        h(
          "button",
          {
            type: "button",
            title: "Cost and cash with formulas",
            "data-download": "workbook",
            onclick: saver(
              () => `${reference.replace(/^.*\/|\.json$/g, "")}-workbook.xlsx`,
              () => postForText("/v1/evaluate?format=xlsx", request, signal, "blob"),
            ),
          },
          "Workbook, XLSX",
        ),
      ),
    ),
    changesNote(changes, params),
    h("section", { class: "cards", "aria-label": "Figures" }, cards(shown)),
    figure ? explain(request, figure, answer, signal) : "",
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

function cards({ reference, answer }) {
  const { total, currency } = answer;
  const amount = (name, member) => [
    h("dt", {}, name),
    h("dd", {}, explainLink(reference, `/total/${member}`, money(total[member], currency))),
  ];
  const energy = metered(answer, "energy_kwh");
  const carbon = metered(answer, "carbon_kg");
  return [
    h(
      "article",
      { class: "card" },
      h("h2", {}, "Cost"),
      h("div", { class: "value" }, explainLink(reference, "/total/cost", money(total.cost, currency))),
      h(
        "dl",
        {},
        amount("cash", "cash"),
        amount(term("/total/npv", "present cost"), "npv"),
        amount("… after tax", "npv_after_tax"),
        answer.unallocated_cost ? [h("dt", {}, "unallocated"), h("dd", {}, money(answer.unallocated_cost, currency))] : null,
      ),
    ),
    ...Object.entries(answer.by_workload).map(([id, workload]) =>
      h(
        "article",
        { class: "card" },
        unitCostList(reference, { ...answer, by_workload: { [id]: workload } }),
        h(
          "dl",
          {},
          h("dt", {}, "served"),
          h("dd", {}, number(workload.units_served, plural(workload.unit))),
          workload.hours_per_epoch
            ? Object.entries(workload.hours_per_epoch).map(([pool, hours]) => [
                h("dt", {}, `hours per epoch, ${pool}`),
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
      h("div", { class: "value" }, energy.text),
      h("dl", {}, h("dt", {}, "carbon"), h("dd", {}, carbon.text)),
      energy.unknown.length ? h("p", { class: "muted" }, `Energy is not known of ${energy.unknown.join(", ")}.`) : null,
      carbon.unknown.length ? h("p", { class: "muted" }, `Carbon is not known of ${carbon.unknown.join(", ")}.`) : null,
    ),
  ];
}

function weekFigure(params, profile) {
  const figures = weekFigures(profile);
  return figures.find((figure) => figure.key === params.get("week")) ?? figures[0];
}

const weekTools = (params, profile) => [
  choice(
    weekFigures(profile).map((item) => ({ value: item.key, text: item.name })),
    weekFigure(params, profile)?.key ?? "",
    (value) => go({ week: value }),
    { id: "week", "aria-label": "Quantity by hour of the week" },
  ),
  choice(
    profile.months.map((item) => ({ value: item, text: month(item) })),
    profile.month,
    (value) => go({ month: value }),
    { id: "month", "aria-label": "Month" },
  ),
];

function pools({ reference, set, answer }) {
  const { currency } = answer;
  const rows = Object.entries(answer.by_pool).map(([id, pool]) => ({ id, ...pool }));
  const figure = (member, show) => ({
    value: (row) => row[member] ?? null,
    text: false,
    show: (value, row) =>
      value === null || value === undefined ? null : explainLink(reference, `/by_pool/${row.id}/${member}`, show(value)),
  });
  const meter = (member) => ({
    name: meters[member].title.toLowerCase(),
    unit: meters[member].unit,
    value: (row) => (row[member] === null ? null : row[member] / meters[member].scale),
    text: false,
    show: (value) => (value === null ? null : number(value, "", 1)),
  });
  const table = {
    caption: "Pools",
    rows,
    columns: [
      { name: "pool", value: (row) => row.id, text: true },
      { name: "kind", value: (row) => row.kind, text: true },
      { name: "cost", unit: currency, ...figure("cost", (value) => money(value, currency)) },
      { name: "cash", unit: currency, ...figure("cash", (value) => money(value, currency)) },
      { name: "utilization", unit: "fraction", ...figure("utilization_fraction", percent) },
      ...(rows.some((row) => row.unit_utilization !== undefined)
        ? [{ name: "use of units", unit: "fraction", ...figure("unit_utilization", percent) }]
        : []),
      { name: "paid", unit: "device-hours", ...figure("available_device_hours", (value) => number(value, "", 0)) },
      { name: "reserved", unit: "device-hours", ...figure("reserved_device_hours", (value) => number(value, "", 0)) },
      {
        name: "cost per reserved hour",
        unit: `${currency}/device-hour`,
        ...figure("cost_per_reserved_device_hour", (value) => money(value, currency)),
      },
      meter("energy_kwh"),
      meter("carbon_kg"),
      { name: "racks", value: (row) => row.racks ?? null, text: false },
      ...priceColumns,
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
      { name: "month", value: (row) => row.month, text: true },
      { name: "pool", value: (row) => row.pool, text: true },
      { name: "workload", value: (row) => row.workload, text: true },
      { name: "category", value: (row) => row.category, show: categoryLabel, text: true },
      { name: "cost", unit: currency, value: (row) => row.cost, show: (value) => money(value, currency) },
      { name: "cash", unit: currency, value: (row) => row.cash, show: (value) => money(value, currency) },
    ],
  };
  return section(
    "Ledger",
    table,
    "ledger",
    `${answer.ledger.length} rows: cost and cash by month, pool, workload and category.`,
    20,
  );
}

function sources({ answer }) {
  const { documents, model_version, inputs_hash } = answer.provenance;
  const table = {
    caption: "Sources",
    rows: documents,
    columns: [
      { name: "document", value: (row) => `${row.kind} ${row.id ?? ""}`, text: true },
      { name: "revision", value: (row) => row.revision, text: false, show: (value) => value ?? "inline" },
      { name: "source", value: (row) => row.source, text: true },
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
