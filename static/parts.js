// Parts shared by views: heading, unit costs with their evidence, selection of scenarios, warnings.
import { scenarioTone } from "./colours.js";
import { dots } from "./decision/words.js";
import { h, swatch } from "./dom.js";
import { count, date, money, number, percent, plural, pointerWords } from "./format.js";
import { picker } from "./pickers/picker.js";
import { changesHere, linkTo } from "./router.js";
import { term } from "./terms.js";

export const heading = (title, text, ...tools) =>
  h("div", { class: "view-head" }, h("div", {}, h("h1", {}, title), text ? h("p", { class: "muted" }, text) : null), tools);

// An unreadable document is listed as {id, revision, …, problem}.
const isUnreadable = (item) => typeof item.problem === "object" && item.problem !== null;
export const readable = (items) => items.filter((item) => !isUnreadable(item));

// A box that names the unreadable documents and their problems; null if there are none.
export function unreadable(kind, items) {
  const broken = items.filter(isUnreadable);
  if (!broken.length) return null;
  return h(
    "div",
    { class: "state wrong", role: "status", id: "unreadable" },
    h("h2", {}, `${count(broken.length, kind.replace(/s$/, ""))} can't be read`),
    h(
      "ul",
      {},
      broken.map((item) => h("li", {}, h("code", {}, item.id), ` ${item.problem.detail}`)),
    ),
  );
}

const evidenceStyles = { measured: "good", interpolated: "", extrapolated: "doubt", estimated: "doubt", assumed: "doubt" };
export const evidenceMeanings = {
  measured: "at or near a measured point",
  interpolated: "between measured points",
  extrapolated: "outside the measured range",
  estimated: "by the step model, not measured",
  assumed: "nothing measured is near and facts of the model or device are missing, or set by hand",
};
export function evidence({ evidence: word, units_served: served }) {
  if (!word && served > 0)
    return h("span", { class: "badge", title: "served by hosted models alone, which state no throughput" }, "hosted");
  if (!word) return h("span", { class: "badge doubt", title: "nothing was served" }, "nothing served");
  return h("span", { class: `badge ${evidenceStyles[word] ?? ""}`, title: evidenceMeanings[word] ?? "" }, word);
}

// How well a figure is known, as dots and a word.
export const evidenceMark = (word) => h("span", { class: `ev e${dots[word] ?? 0}` }, h("i", { "aria-hidden": "true" }, h("b", {})), word);

// A figure that links to its explanation.
export const explainLink = (reference, figure, text) =>
  h(
    "a",
    {
      class: "why",
      href: linkTo("result", { scenario: reference, figure, ...changesHere() }),
      title: "Show how this figure is calculated",
    },
    text,
  );

// Unit costs of a workload: [{name, figure, value}].
export function unitCosts(id, workload) {
  const at = `/by_workload/${id}`;
  const rows =
    workload.kind === "training"
      ? [{ name: "per epoch", member: "cost_per_epoch" }]
      : [{ name: "per inference", member: "cost_per_inference" }];
  rows.push({ name: `per million ${plural(workload.unit)}`, member: "cost_per_million_units" });
  const stated = rows.map((row) => ({ name: row.name, figure: `${at}/${row.member}`, value: workload[row.member] }));
  const byClass = Object.entries(workload.cost_by_class ?? {}).map(([name, cost]) => ({
    name: `per million ${name.replaceAll("_", " ")} ${plural(workload.unit)}`,
    figure: `${at}/cost_by_class/${name}/cost_per_million`,
    value: cost.cost_per_million,
  }));
  return [...stated, ...byClass];
}

export function unitCostList(reference, result) {
  return Object.entries(result.by_workload).map(([id, workload]) => [
    h("h3", {}, id, evidence(workload)),
    h(
      "dl",
      {},
      unitCosts(id, workload).map((row) => [
        h("dt", {}, row.name),
        h("dd", {}, explainLink(reference, row.figure, money(row.value, result.currency))),
      ]),
      workload.units_demanded
        ? [
            h("dt", {}, term("undone")),
            h("dd", { class: result.feasible ? null : "bad" }, percent(workload.units_unserved / workload.units_demanded)),
          ]
        : null,
    ),
  ]);
}

// Energy and carbon of a result, each for itself: null where not known, beside what is known at least, and of which pools it is not.
export const meters = {
  energy_kwh: { title: "Energy", unit: "MWh", scale: 1000 },
  carbon_kg: { title: "Carbon", unit: "t CO2e", scale: 1000 },
};
export function metered(result, member) {
  const { unit, scale } = meters[member];
  const known = result.total[member];
  const atLeast = result.total[`${member}_at_least`];
  const pools = Object.entries(result.by_pool).filter(([, pool]) => pool[member] === null);
  return {
    value: known === null ? null : known / scale,
    text:
      known === null && atLeast > 0
        ? `≥ ${number(atLeast / scale, unit, 1)}`
        : number(known === null ? null : known / scale, unit, 1),
    unknown: pools.map(([id]) => id),
  };
}

// Of which day what is rented or hosted is priced, and who states it.
export const priced = ({ price_day: day, price_source: source }) =>
  `${day ? date(day) : "day unknown"}, ${source ?? "source unknown"}`;
// The same of all pools of a result, in a line; null where all are owned.
export const pricesOf = (result) =>
  Object.entries(result.by_pool)
    .filter(([, pool]) => pool.kind !== "owned")
    .map(([id, pool]) => `${id}: ${priced(pool)}`)
    .join("; ") || null;
// The same as columns of a table of pools; of what is owned there is none.
export const priceColumns = [
  {
    name: "price day",
    value: (row) => row.price_day,
    show: (day, row) => (day ? date(day) : row.kind === "owned" ? null : "day unknown"),
    text: true,
  },
  {
    name: "price source",
    value: (row) => row.price_source,
    show: (source, row) => source ?? (row.kind === "owned" ? null : "source unknown"),
    text: true,
  },
];
// The same of a result's hosted models, as pairs of a list.
export const hostedPrices = (result) =>
  Object.entries(result.by_pool)
    .filter(([, pool]) => pool.kind === "api")
    .map(([id, pool]) => [h("dt", {}, `prices of ${id}`), h("dd", {}, priced(pool))]);

// Busy device-hours by those paid; null where there are none.
export function utilizationOf({ by_pool: pools }) {
  const all = Object.values(pools).filter((pool) => pool.available_device_hours > 0);
  const sum = (name) => all.reduce((total, pool) => total + pool[name], 0);
  return all.length ? sum("busy_device_hours") / sum("available_device_hours") : null;
}

// Scenarios to choose from, by group.
const scenarioOptions = (list) => list.map(({ reference, name, group }) => ({ value: reference, text: name, more: reference, group }));
export const scenarioPicker = (list, value, onchange, attributes) =>
  picker("scenario", scenarioOptions(list), value, onchange, { "aria-label": "Scenario", ...attributes });

export function scenarioChip(list, reference, remove) {
  const name = list.find((entry) => entry.reference === reference)?.name ?? reference;
  return h(
    "li",
    { class: "chip" },
    swatch(scenarioTone(reference)),
    h("span", {}, name),
    remove ? h("button", { type: "button", class: "bare", "aria-label": `Remove ${name}`, onclick: remove }, "×") : null,
  );
}

export function addScenario(list, chosen, add) {
  const rest = list.filter(({ reference }) => !chosen.includes(reference));
  if (!rest.length) return null;
  return scenarioPicker(rest, "", add, { id: "add-scenario", "aria-label": "Add a scenario", placeholder: "Add a scenario…" });
}

// Warnings of results, each with a link to its field.
export function warnings(list, results) {
  const items = results.flatMap(({ reference, result, colour = scenarioTone(reference) }) =>
    result.warnings.map((warning) =>
      h(
        "li",
        {},
        swatch(colour),
        " ",
        h("strong", {}, result.name ?? reference),
        ": ",
        warning.message,
        " ",
        h(
          "a",
          { href: linkTo("scenario", { scenario: reference, at: warning.pointer }) },
          pointerWords(warning.pointer, list.find((entry) => entry.reference === reference)?.document),
        ),
      ),
    ),
  );
  return h(
    "section",
    { class: "panel", "aria-labelledby": "warnings-title" },
    h("h2", { id: "warnings-title" }, "Warnings"),
    items.length ? h("ul", { class: "plain" }, items) : h("p", { class: "muted" }, "None."),
  );
}
