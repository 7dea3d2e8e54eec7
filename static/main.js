// The first page: posts an example to the API and shows unit costs, the cost stack, pools and warnings.
import { money, number, percent } from "./format.js";

// Okabe and Ito's palette, safe for colour-blind readers; a category has the same colour everywhere.
const colours = {
  compute: "#0072b2", usage: "#56b4e9", commitment: "#3b6ea5", hardware: "#d55e00", facility: "#e69f00", energy: "#f0e442",
  demand_charge: "#b5a642", maintenance: "#cc79a7", software: "#8f5a86", staff: "#009e73", network: "#6fbf9f", storage: "#a3d9c3",
  egress: "#999999", engineering: "#7f5539", carbon: "#444444", unserved: "#bb0000",
};

const $ = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function row(tag, cells) {
  return element("tr", {}, ...cells.map((cell, i) => {
    const made = element(i === 0 ? "th" : tag, {}, cell);
    if (tag === "th") made.scope = "col"; else if (i === 0) made.scope = "row";
    return made;
  }));
}

function card(title, value, ...notes) {
  return element("div", { className: "card" }, element("div", { textContent: title, className: "muted" }),
    element("div", { textContent: value, className: "value" }), ...notes);
}

function showCards(result) {
  const currency = result.currency;
  const cards = [];
  for (const [id, workload] of Object.entries(result.by_workload)) {
    const badge = element("span", { className: "badge", textContent: workload.evidence ?? "nothing served" });
    const headline = workload.kind === "training"
      ? ["per epoch", workload.cost_per_epoch] : ["per inference", workload.cost_per_inference];
    cards.push(card(`${id}: ${headline[0]}`, money(headline[1], currency), badge));
    cards.push(card(`${id}: per million ${workload.unit}s`, money(workload.cost_per_million_units, currency), badge.cloneNode(true)));
  }
  cards.push(card(`total, ${result.months} months`, money(result.total.cost, currency),
    element("span", { className: "muted", textContent: `NPV ${money(result.total.npv, currency)}` })));
  cards.push(card("energy", number(result.total.energy_kwh / 1000, "MWh", 1),
    element("span", { className: "muted", textContent: `${number(result.total.carbon_kg / 1000, "t CO2e", 1)}` })));
  $("cards").replaceChildren(...cards);
}

function showStack(result) {
  const costs = Object.entries(result.by_category).filter(([, amount]) => amount.cost !== 0);
  const positive = costs.filter(([, amount]) => amount.cost > 0);
  const total = positive.reduce((sum, [, amount]) => sum + amount.cost, 0);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 10");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Cost by category in ${result.currency}; the table below has the figures`);
  let x = 0;
  for (const [category, amount] of positive) {
    const rect = document.createElementNS(svg.namespaceURI, "rect");
    const width = 100 * amount.cost / total;
    for (const [name, value] of Object.entries({ x, y: 0, width, height: 10, fill: colours[category] })) rect.setAttribute(name, value);
    const title = document.createElementNS(svg.namespaceURI, "title");
    title.textContent = `${category}: ${money(amount.cost, result.currency)}`;
    rect.append(title);
    svg.append(rect);
    x += width;
  }
  $("chart").replaceChildren(svg);
  const rows = costs.map(([category, amount]) => {
    const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    swatch.setAttribute("class", "swatch");
    swatch.setAttribute("aria-hidden", "true");
    const rect = document.createElementNS(swatch.namespaceURI, "rect");
    for (const [name, value] of Object.entries({ width: 100, height: 100, fill: colours[category] })) rect.setAttribute(name, value);
    swatch.append(rect);
    return row("td", [element("span", {}, swatch, category), money(amount.cost, result.currency), percent(amount.cost / result.total.cost),
      money(amount.cash, result.currency)]);
  });
  $("stack").replaceChildren(element("thead", {}, row("th", ["category", `cost (${result.currency})`, "share", `cash (${result.currency})`])),
    element("tbody", {}, ...rows), element("tfoot", {}, row("td", ["total", money(result.total.cost, result.currency), "",
      money(result.total.cash, result.currency)])));
}

function showPools(result) {
  const rows = Object.entries(result.by_pool).map(([id, pool]) => row("td", [id, pool.kind, money(pool.cost, result.currency),
    percent(pool.utilization_fraction), pool.kind === "api" ? "" : number(pool.available_device_hours, "h"),
    number(pool.energy_kwh / 1000, "MWh", 1)]));
  $("pools").replaceChildren(element("thead", {}, row("th", ["pool", "kind", `cost (${result.currency})`, "utilization",
    "device-hours paid", "energy"])), element("tbody", {}, ...rows));
}

function showWarnings(result) {
  const items = result.warnings.map((w) => element("li", { textContent: `${w.pointer} ${w.code}: ${w.message}` }));
  $("warnings").replaceChildren(...(items.length ? items : [element("li", { textContent: "none", className: "muted" })]));
}

function say(text, isError = false) {
  $("status").textContent = text;
  $("status").className = isError ? "error" : "muted";
}

async function show(path) {
  say("Evaluating…");
  try {
    const scenario = await (await fetch(path)).json();
    const response = await fetch("/v1/evaluate", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ scenario }),
    });
    const result = await response.json();
    if (!response.ok) {
      say([result.detail, ...result.errors.map((e) => `${e.pointer}: ${e.message}`)].join(" · "), true);
      return;
    }
    showCards(result);
    showStack(result);
    showPools(result);
    showWarnings(result);
    say(`${result.name ?? path}: ${result.months} months from ${result.start}, in ${result.currency}`);
  } catch (error) {
    say(`The service does not answer: ${error.message}. Is costcurve serve running?`, true);
  }
}

// The page's state is in the URL: ?example=/examples/….json
async function start() {
  const select = $("example");
  const examples = await (await fetch("/v1/examples")).json();
  select.replaceChildren(...examples.map((path) => element("option", { value: path, textContent: path.slice("/examples/".length, -".json".length) })));
  const wanted = new URLSearchParams(location.search).get("example");
  select.value = examples.includes(wanted) ? wanted : examples.find((path) => path.endsWith("serving_70b/hybrid.json")) ?? examples[0];
  select.addEventListener("change", () => {
    history.replaceState(null, "", `?example=${encodeURIComponent(select.value)}`);
    show(select.value);
  });
  await show(select.value);
}

start().catch((error) => say(`The service does not answer: ${error.message}`, true));
