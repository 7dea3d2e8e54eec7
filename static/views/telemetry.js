// Hourly telemetry, and plan against actual of a pool: from telemetry, bills or figures entered by hand.
import { get, getAll, post } from "../api.js";
import { categoryAxis, grid, line, moneyAxis, seriesLines, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { better, inTheme, neutral, pieceColour, worse } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { money, month, number, percent } from "../format.js";
import { takeNumber } from "../number_field.js";
import { scenarioPicker } from "../parts.js";
import { go, linkTo } from "../router.js";
import { when } from "../sources/parts.js";
import { empty, errorState } from "../states.js";
import { firstComparison, requestScenario, scenarios } from "../store.js";
import { section } from "../table.js";
import { runsInWords } from "./runs.js";

const units = {
  power_w: "W",
  utilization: "fraction",
  energy_j: "J",
  input_tokens: "tokens",
  output_tokens: "tokens",
  temperature_c: "°C",
  memory_used_gib: "GiB",
  units_per_s: "units/s",
  batch: "sequences",
};

export async function telemetry(params, place, { signal }) {
  const recent = await get("/v1/telemetry", { limit: 1000 }, signal);
  if (!recent.items.length) {
    place.append(
      empty(
        "No telemetry yet",
        "Send metrics to POST /v1/telemetry, as Prometheus text or JSON lines; hourly aggregates appear here.",
        h("a", { class: "button", href: "/docs" }, "How to send it"),
      ),
    );
    return;
  }
  const metrics = Object.keys(units).filter((metric) => recent.items.some((item) => item.metric === metric));
  const metric = metrics.includes(params.get("metric"))
    ? params.get("metric")
    : metrics.includes("utilization")
      ? "utilization"
      : metrics[0];
  const items = await getAll(
    "/v1/telemetry",
    { metric, source: params.get("source"), from: params.get("from"), to: params.get("to") },
    signal,
  );
  const sources = [...new Set(items.map((item) => item.source))].slice(0, 12);
  const isCounter = items.some((item) => (item.increase ?? null) !== null);
  const amount = (item) => (isCounter ? item.increase : item.mean);
  const series = sources.map((source) => ({ source, rows: items.filter((item) => item.source === source) }));
  const field = (name, label, type) =>
    labelled(
      label,
      h("input", { id: name, type, value: params.get(name) ?? "", onchange: (event) => go({ [name]: event.target.value }) }),
    );
  const title = `${metric.replaceAll("_", " ")} by hour`;
  place.append(
    h(
      "div",
      { class: "controls" },
      labelled(
        "Metric",
        choice(
          metrics.map((value) => ({ value, text: value.replaceAll("_", " ") })),
          metric,
          (value) => go({ metric: value }),
          { id: "metric" },
        ),
      ),
      field("source", "Source", "search"),
    ),
    h(
      "div",
      { class: "panels" },
      chart({
        title,
        name: "telemetry",
        wide: true,
        legend: series.map((curve) => ({ name: curve.source, colour: pieceColour(sources, curve.source) })),
        note: isCounter
          ? "Increase of the counter per hour; readings that span hours are spread evenly (interpolated)."
          : "Mean of the samples per hour.",
        option: (colours) => ({
          grid,
          tooltip: {
            trigger: "axis",
            formatter: (points) =>
              [
                when(points[0].value[0]),
                ...seriesLines(points, (value) => number(value, units[metric])),
              ].join("\n"),
          },
          xAxis: { ...categoryAxis("Hour", undefined, colours), type: "time" },
          yAxis: vertical(valueAxis(`${metric.replaceAll("_", " ")} (${units[metric]})`, colours)),
          series: series.map((curve) =>
            line(
              curve.source,
              curve.rows.map((row) => [row.hour, amount(row)]),
              pieceColour(sources, curve.source),
              { showSymbol: curve.rows.length < 60 },
            ),
          ),
        }),
        table: {
          columns: [
            { name: "hour", value: (row) => row.hour, text: true },
            { name: "source", value: (row) => row.source, text: true },
            { name: "device", value: (row) => row.device, text: true },
            ...["count", "mean", "sd", "minimum", "maximum", "increase"].map((name) => ({
              name,
              unit: name === "count" ? "samples" : units[metric],
              value: (row) => row[name],
              show: (value) => (value === null ? null : number(value)),
            })),
          ],
          rows: items,
        },
      }).element,
    ),
  );
}

// Plan against actual: the URL has the pool, the months and the figures entered by hand.
export async function actual(params, place, { signal }) {
  const list = await scenarios(params.get("as_of"), signal);
  if (!list.length) {
    place.append(
      empty(
        "No scenarios yet",
        "Create a scenario first.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "New scenario"),
      ),
    );
    return;
  }
  const reference = params.get("scenario") ?? firstComparison(list)[0];
  const document = list.find((entry) => entry.reference === reference)?.document;
  const pools = document.pools.filter((pool) => pool.kind !== "api").map((pool) => pool.id);
  const pool = pools.includes(params.get("pool")) ? params.get("pool") : pools[0];
  const entered = ["cost", "device_hours", "units", "energy_kwh", "utilization_fraction"];
  const [from, to] = [params.get("from") ?? document.start, params.get("to") ?? params.get("from") ?? document.start];
  const bases = params.getAll("basis").length ? params.getAll("basis") : ["telemetry", "bill"];
  const field = (name, label, value, more = {}) =>
    labelled(label, h("input", { id: name, value: value ?? "", onchange: (event) => go({ [name]: event.target.value }), ...more }));
  const check = (name, text) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        id: `basis-${name}`,
        checked: bases.includes(name),
        onchange: (event) =>
          go({ basis: event.target.checked ? [...bases, name] : [...bases.filter((basis) => basis !== name), "given"] }),
      }),
      ` ${text}`,
    );
  place.append(
    h(
      "div",
      { class: "controls" },
      labelled(
        "Scenario",
        scenarioPicker(list, reference, (value) => go({ scenario: value, pool: null, from: null, to: null }), {
          id: "scenario",
        }),
      ),
      pools.length
        ? labelled(
            "Pool",
            choice(
              pools.map((value) => ({ value, text: value })),
              pool,
              (value) => go({ pool: value }),
              { id: "pool" },
            ),
          )
        : null,
      field("from", "From", from, { placeholder: "YYYY-MM", size: 8 }),
      field("to", "To", to, { placeholder: "YYYY-MM", size: 8 }),
    ),
    h(
      "fieldset",
      { class: "list" },
      h("legend", {}, "Actual figures"),
      h(
        "div",
        { class: "controls" },
        check("telemetry", "from telemetry"),
        check("bill", "from imported bills"),
        ...entered.map((name) =>
          labelled(
            `${name.replaceAll("_", " ")} (optional)`,
            h("input", {
              id: name,
              inputmode: "decimal",
              size: 10,
              value: params.get(name) ?? "",
              onchange: ({ target }) => takeNumber(target, (value) => go({ [name]: value })),
            }),
          ),
        ),
      ),
    ),
  );
  if (from > new Date().toISOString().slice(0, 7))
    place.append(
      h("p", { class: "box", role: "note" }, `${month(from)} is still to come: what was measured or billed is of months before.`),
    );
  if (!pools.length) {
    place.append(empty("Nothing to compare", "This scenario has only API pools, which have no devices to measure."));
    return;
  }
  const device = deviceOf(document.pools.find((item) => item.id === pool));
  const facts = {
    ...(bases.includes("telemetry") && device ? { telemetry: { device } } : {}),
    ...(bases.includes("bill") ? { bill: {} } : {}),
    ...Object.fromEntries(entered.filter((name) => params.get(name)).map((name) => [name, Number(params.get(name))])),
  };
  if (!Object.keys(facts).length) {
    place.append(empty("No actual figures yet", "Select telemetry or bills, or enter a figure."));
    return;
  }
  try {
    place.append(
      comparison(
        await post(
          "/v1/variances",
          {
            scenario: requestScenario(list, reference),
            pool,
            from,
            to,
            actual: facts,
            ...(params.get("as_of") ? { as_of: params.get("as_of") } : {}),
          },
          signal,
        ),
      ),
      await runsInWords(
        { scenario: requestScenario(list, reference), ...(params.get("as_of") ? { as_of: params.get("as_of") } : {}) },
        { month: to, pool, telemetry: facts.telemetry, bill: facts.bill },
        signal,
      ),
    );
  } catch (error) {
    if (error.name === "AbortError") throw error;
    place.append(errorState(error));
  }
}

const deviceOf = (pool) => {
  const device = (pool?.server ?? pool?.offer)?.device;
  return typeof device === "object" ? device?.id : device;
};

const figures = [
  ["cost", (value, currency) => money(value, currency), "currency"],
  ["device_hours", (value) => number(value), "device-hours"],
  ["units", (value) => number(value), "units"],
  ["energy_kwh", (value) => number(value), "kWh"],
  ["device_energy_kwh", (value) => number(value), "kWh"],
  ["utilization_fraction", (value) => percent(value), "fraction"],
  ["price_per_device_hour", (value, currency) => money(value, currency), "currency/device-hour"],
];

function comparison(answer) {
  const { currency, predicted, measured, difference, cost_variance: parts } = answer;
  const steps = [
    ["planned", predicted.cost, neutral],
    ...["price", "volume", "efficiency"].map((name) => [name, parts[name], parts[name] > 0 ? worse : better]),
    ["actual", measured.cost, neutral],
  ];
  let sum = 0;
  const bars = steps
    .filter(([, value]) => value !== null)
    .map(([name, value, colour], i) => {
      const isWhole = i === 0 || name === "actual";
      const bar = { name, value, colour, low: isWhole ? 0 : Math.min(sum, sum + value), size: Math.abs(value) };
      sum = isWhole ? value : sum + value;
      return bar;
    });
  return h(
    "div",
    { class: "panels" },
    section(
      "Plan and actual",
      {
        caption: "Plan and actual, by figure",
        rows: figures,
        columns: [
          { name: "figure", value: (row) => row[0], show: (value) => value.replaceAll("_", " "), text: true },
          { name: "unit", value: (row) => row[2].replace("currency", currency), text: true },
          ...[
            ["planned", predicted],
            ["actual", measured],
            ["difference", difference],
          ].map(([name, from]) => ({
            name,
            value: (row) => from[row[0]] ?? null,
            text: false,
            show: (value, row) => (value === null ? null : row[1](value, currency)),
          })),
          { name: "source", value: (row) => measured.basis[row[0]] ?? null, text: true },
        ],
      },
      "variance",
    ),
    parts.total === null
      ? ""
      : chart({
          title: "Cost variance",
          name: "variance-bridge",
          note: "Price: cost per device-hour; volume: amount of work; efficiency: device-hours per unit of work.",
          option: (colours) => ({
            grid,
            tooltip: {
              trigger: "item",
              formatter: (point) => `${bars[point.dataIndex].name}: ${money(bars[point.dataIndex].value, currency)}`,
            },
            xAxis: categoryAxis(
              "",
              bars.map((bar) => bar.name),
              colours,
            ),
            yAxis: vertical(moneyAxis(currency, colours)),
            series: [
              {
                type: "bar",
                stack: "bridge",
                silent: true,
                data: bars.map((bar) => bar.low),
                itemStyle: { color: "transparent" },
                emphasis: { disabled: true },
              },
              {
                type: "bar",
                stack: "bridge",
                barMaxWidth: 48,
                data: bars.map((bar) => ({ value: bar.size, itemStyle: { color: inTheme(bar.colour) } })),
              },
            ],
          }),
          table: {
            columns: [
              { name: "step", value: (row) => row.name, text: true },
              { name: "amount", unit: currency, value: (row) => row.value, show: (value) => money(value, currency) },
            ],
            rows: bars,
          },
        }).element,
    answer.notes.length
      ? h(
          "section",
          { class: "panel", "aria-label": "Notes" },
          h("h2", {}, "Unknown"),
          h(
            "ul",
            {},
            answer.notes.map((note) => h("li", {}, note)),
          ),
        )
      : "",
  );
}
