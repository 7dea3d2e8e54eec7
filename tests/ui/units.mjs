// Each figure of each view against the API's unit. What a page got is read by the units of the API's description; a column of a CSV must be
// headed by the unit of the figures in it, its table and its chart be of money where the column is, and of none where it is not.
import assert from "node:assert/strict";

const plans = ["hosted-api", "cloud-spot", "cloud-on-demand", "cloud-reserved", "hybrid", "owned", "tpu"].map(
  (name) => `serving-70b.${name}`,
);
const of = (names) => names.map((name) => `scenario=serving-70b.${name}`).join("&");
const pairs = ["owned", "hybrid", "hosted-api", "tpu"].map((name) => of([name, "cloud-on-demand"]));

// By view its addresses, and how many columns of CSVs, tables and charts they have at least of which a figure is the API's.
const views = {
  decision: { checks: 95, addresses: [plans.map((id) => `scenario=${id}`).join("&"), ...pairs].map((plan) => `/?view=decision&${plan}`) },
  finance: { checks: 45, addresses: pairs.slice(0, 2).map((pair) => `/?view=decision&page=finance&${pair}`) },
  result: { checks: 35, addresses: ["owned", "hosted-api"].map((name) => `/?view=result&scenario=serving-70b.${name}`) },
  sensitivity: { checks: 6, addresses: [`/?view=questions&question=sensitivity&${pairs[1]}`] },
  simulate: { checks: 14, addresses: [`/?view=questions&question=simulate&samples=200&${pairs[1]}`] },
  "break-even": { checks: 9, addresses: [`/?view=questions&question=break-even&${pairs[0]}`] },
  plans: { checks: 14, addresses: ["", "&currency=JPY&dollar=150"].map((more) => `/?view=plans&model=llama-3.1-8b&rps=20&start=2026-12&samples=20${more}`) },
  rates: { checks: 35, addresses: ["/?view=rates&model=llama-3.1-70b&device=nvidia.h100-sxm5-80gb&devices=4&precision=fp8&input=1024&output=1024"] },
  train: { checks: 10, addresses: ["", "&currency=JPY&dollar=150"].map((more) => `/?view=train&model=llama-3.1-70b&start=2026-12${more}`) },
  mix: { checks: 10, addresses: ["/?view=mix&model=llama-3.1-70b&rps=50&start=2026-12"] },
  pareto: { checks: 1, addresses: ["/?view=pareto&model=llama-3.1-70b"] },
};


// {number: units} of all figures in a value that a schema describes. Where the schema says none, that which stands beside them.
function figuresIn(value, schema, { schemas }, found, unit = null) {
  const at = schema?.$ref ? schemas[schema.$ref.split("/").at(-1)] : schema;
  const own = schema?.["x-unit"] ?? at?.["x-unit"] ?? unit;
  if (typeof value === "number") {
    if (own) (found[value] ??= new Set()).add(own);
    return;
  }
  if (value === null || typeof value !== "object") return;
  for (const choice of [...(at?.oneOf ?? []), ...(at?.anyOf ?? []), ...(at?.allOf ?? [])]) figuresIn(value, choice, { schemas }, found, own);
  if (Array.isArray(value)) return value.forEach((item) => figuresIn(item, at?.items, { schemas }, found, own));
  const beside = typeof value.unit === "string" && value.unit !== "token" ? value.unit : own; // a workload's is the unit of its work
  for (const [name, part] of Object.entries(value)) {
    // Of a sensitivity's input the unit beside is the input's own; shares of a plan's row have none of their figure.
    const isOther = /^(output|elasticity|change|probability|goodput)/.test(name);
    const additional = typeof at?.additionalProperties === "object" ? at.additionalProperties : null;
    figuresIn(part, at?.properties?.[name] ?? additional, { schemas }, found, isOther ? null : beside);
  }
}

// The page's words for units of the API.
const same = {
  "currency/million units": ["per million", "per million units", "per million tokens"],
  fraction: ["fraction", "fraction of work", "fraction of hours", "probability", "share"],
  "1/year": ["1/year", "fraction a year"],
  factor: ["× plan", "multiple", "factor", "× list", "× measured", "× curve"],
  token: ["tokens", "tokens/s"],
  units: ["tokens", "units"],
  "units/s": ["tokens/s"],
  "requests/s": ["req/s", "requests/s"],
  months: ["months", "month"],
};
// Units that the page has for thousands of the API's.
const thousands = { MWh: "kWh", "t CO2e": "kg" };

const isMoneyUnit = (unit, currency) => new RegExp(`^${currency}\\b`).test(unit);
// `name` may say of what the money is: a device-hour (USD).
const saysOf = { epoch: /epoch/, "million units": /million/, "device-hour": /device-hour/, year: /annual/ };
function fits(head, name, unit, currency) {
  const per = /^(?:scenario )?currency\/(.*)$/.exec(unit)?.[1];
  if (per && head === currency && saysOf[per]?.test(name)) return true;
  const full = unit.replace(/^(scenario )?currency\b/, currency);
  const said = [full, ...(same[unit] ?? []).map((word) => (unit.startsWith("currency/") ? `${currency} ${word}` : word))];
  return said.includes(head) || (thousands[head] && said.includes(thousands[head]));
}

// A head "name (unit)" of a CSV.
const partsOf = (head) => /^(.*?)(?: \(([^()]*(?:\([^()]*\))?[^()]*)\))?$/s.exec(head).slice(1);

// Figures of few digits are many things at once.
const isTelling = (value) => Number.isFinite(value) && String(Math.abs(value)).replace(/^0*\.?0*|\D/g, "").replace(/0+$/, "").length > 4;

// What is wrong with the columns of a figure; `checked` counts those of which a figure is known.
function wrongIn(figure, [head, ...rows], found, currency, checked) {
  const units = head.map((text) => partsOf(text)[1] ?? null);
  const beside = head.indexOf("unit");
  const wrong = [];
  head.forEach((text, c) => {
    const unitOf = (row) => units[c] ?? (beside >= 0 ? row[beside] : null);
    const cells = rows
      .map((row) => [Number(row[c] || NaN), unitOf(row), `${text} ${row[0]}`])
      .map(([value, unit, name]) => [value * (thousands[unit] ? 1000 : 1), unit, name])
      .filter(([value, unit]) => unit && isTelling(value) && found[value]);
    if (!cells.length) return;
    checked.push(`${figure}: ${text}`);
    const bad = cells.find(([value, unit, name]) => ![...found[value]].some((own) => fits(unit, name, own, currency)));
    if (bad) wrong.push(`${figure}: "${text}" has ${bad[0]}, of the API in ${[...found[bad[0]]].join(" or ")}`);
  });
  return wrong;
}

// What stands on the page for a figure: the heads and cells of its table, the texts of its chart.
const shownOf = (page, figure) =>
  page.$eval(`[data-csv="${figure}"]`, (button) => {
    const within = (selector) => {
      for (let one = button.parentElement; one && !one.matches("main"); one = one.parentElement)
        if (one.querySelectorAll("[data-csv]").length === 1 && one.querySelector(selector)) return one.querySelector(selector);
      return null;
    };
    const table = within("table");
    const rows = table ? [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)) : [];
    const bar = table?.closest("section, figure")?.querySelector(".bar, .panel-head, figcaption")?.textContent ?? "";
    return { rows, bar, chart: [...(within(".chart svg")?.querySelectorAll("text") ?? [])].map((text) => text.textContent) };
  });

const sign = (currency) => ({ USD: "$", JPY: "¥" })[currency];
// Tables and axes are of money where the CSV is, and of none where it is not.
function wrongOnPage(figure, [head], { rows, bar, chart }, currency, checked) {
  const wrong = [];
  const isMoney = (text) => text.includes(sign(currency)) || new RegExp(`\\b${currency}\\b`).test(text);
  const [heads = [], ...body] = rows;
  head.forEach((text, c) => {
    const [name, unit] = partsOf(text);
    const column = heads.length === head.length && heads[c].includes(name) ? c : heads.findIndex((one) => one.replace(/[↑↓]/g, "").trim().endsWith(name));
    if (!unit || column < 0 || !body.some((row) => /\d/.test(row[column] ?? ""))) return;
    checked.push(`table ${figure}: ${text}`);
    const texts = [heads[column], ...body.map((row) => row[column] ?? "")];
    const isShown = texts.some(isMoney) || (isMoneyUnit(unit, currency) && isMoney(bar));
    if (isShown !== isMoneyUnit(unit, currency)) wrong.push(`table ${figure}: "${text}" is shown as ${texts.slice(0, 3).join(" | ")}`);
  });
  const units = head.map((text) => partsOf(text)[1]).filter(Boolean);
  if (figure === "map") return wrong; // its money is the cells' colours
  if (chart.length && units.length) {
    checked.push(`chart ${figure}`);
    const some = units.some((unit) => isMoneyUnit(unit, currency));
    if (chart.some(isMoney) !== some) wrong.push(`chart ${figure}: of ${units.join(", ")}, says ${chart.slice(0, 12).join(" | ")}`);
  }
  return wrong;
}

async function checkView(view, { open, site }, addresses = views[view].addresses) {
  const description = await site.ask("GET", "/openapi.json");
  const { page, visit, csv } = await open({ width: 1440 });
  const asked = new Map();
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/v1/")) asked.set(`${request.method()} ${pathname}${search} ${request.postData()}`, [request.method(), pathname, search, request.postData()]);
  });
  const schemaOf = (method, path) => {
    const route = Object.keys(description.paths).find((one) => new RegExp(`^${one.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path));
    return description.paths[route]?.[method.toLowerCase()]?.responses?.["200"]?.content?.["application/json"]?.schema;
  };
  const [wrong, checked] = [[], []];
  for (const address of addresses) {
    asked.clear();
    await visit(address);
    if (view === "decision") await page.waitForSelector('.pp[data-settled="true"]', { timeout: 60000 });
    if (["train", "mix"].includes(view))
      await page.waitForFunction(() => /%/.test(document.querySelector(".ranked tbody tr td:last-child")?.textContent ?? ""), null, { timeout: 120000 });
    const currency = /currency=([A-Z]{3})/.exec(address)?.[1] ?? "USD";
    const found = {};
    for (const [method, path, query, body] of [...asked.values()]) // again, as the browser keeps no stream
      figuresIn(await site.ask(method, path + query, body ? JSON.parse(body) : undefined), schemaOf(method, path), description.components, found);
    for (const figure of await page.$$eval("[data-csv]", (all) => all.map((button) => button.dataset.csv))) {
      const table = await csv(figure);
      wrong.push(...wrongIn(figure, table, found, currency, checked));
      wrong.push(...wrongOnPage(figure, table, await shownOf(page, figure), currency, checked));
    }
  }
  assert.deepEqual(wrong, [], `${view}: of ${checked.length} columns, tables and charts`);
  return checked.length;
}

export const main = {
  async "the decision's figures have the API's units, in CSVs, tables and charts"(run) {
    assert.ok((await checkView("decision", run, views.decision.addresses.slice(0, 1))) >= 20);
  },
};

export const rest = Object.fromEntries(
  Object.entries(views).map(([view, { checks }]) => [
    `figures of ${view} have the API's units: ${checks} columns, tables and charts or more`,
    async (run) => {
      const found = await checkView(view, run);
      assert.ok(found >= checks, `${found}`);
    },
  ]),
);
