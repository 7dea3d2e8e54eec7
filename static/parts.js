// Parts that several views show: a heading, unit costs with how well they are known, a choice of scenarios, warnings.
import { scenarioColour } from "./colours.js";
import { choice, h, swatch } from "./dom.js";
import { money, number, plural, pointerWords } from "./format.js";
import { linkTo, whatIfParameter } from "./router.js";

export const heading = (title, text, ...tools) =>
  h("div", { class: "view-head" }, h("div", {}, h("h1", {}, title), text ? h("p", { class: "muted" }, text) : null), tools);

const looks = { measured: "good", interpolated: "", extrapolated: "doubt", estimated: "doubt", assumed: "doubt" };
const meanings = {
  measured: "read at a measured point",
  interpolated: "between measured points",
  extrapolated: "beyond what was measured",
  estimated: "a roofline estimate: nobody measured it",
  assumed: "assumed",
};
export function evidence(word) {
  if (!word) return h("span", { class: "badge doubt", title: "nothing was served" }, "nothing served");
  return h("span", { class: `badge ${looks[word] ?? ""}`, title: meanings[word] ?? "" }, word);
}

// A figure that says where it comes from when it is followed.
export const why = (reference, figure, text, set = {}) =>
  h(
    "a",
    {
      class: "why",
      href: linkTo("result", { scenario: reference, figure, set: whatIfParameter(set) }),
      title: "Where is this from?",
    },
    text,
  );

// Rows of what a workload costs a piece: [{name, figure, value}].
export function unitCosts(id, workload) {
  const at = `/by_workload/${id}`;
  const rows =
    workload.kind === "training"
      ? [{ name: "per epoch", member: "cost_per_epoch" }]
      : [{ name: "per inference", member: "cost_per_inference" }];
  rows.push({ name: `per million ${plural(workload.unit)}`, member: "cost_per_million_units" });
  if ("cost_per_million_input_units" in workload) {
    rows.push(
      { name: "… million in", member: "cost_per_million_input_units" },
      { name: "… million out", member: "cost_per_million_output_units" },
    );
  }
  return rows.map((row) => ({ name: row.name, figure: `${at}/${row.member}`, value: workload[row.member] }));
}

export function unitCostList(reference, result, set) {
  return Object.entries(result.by_workload).map(([id, workload]) => [
    h("h3", {}, id, evidence(workload.evidence)),
    h(
      "dl",
      {},
      unitCosts(id, workload).map((row) => [
        h("dt", {}, row.name),
        h("dd", {}, why(reference, row.figure, money(row.value, result.currency), set)),
      ]),
    ),
  ]);
}

// A cloud pool without a site reports no energy: that is not known, not 0.
export function unknownEnergy(result) {
  return Object.entries(result.by_pool)
    .filter(([, pool]) => pool.kind !== "owned" && pool.energy_kwh === 0)
    .map(([id]) => id);
}
export function energyOf(result, member, scale) {
  return unknownEnergy(result).length === Object.keys(result.by_pool).length ? null : result.total[member] / scale;
}

export const energyText = (result) => `${number(energyOf(result, "energy_kwh", 1000), "MWh", 1)}`;

// Options of a list of scenarios, by their groups.
export const scenarioOptions = (list) => list.map((entry) => ({ value: entry.reference, text: entry.name, group: entry.group }));

export function scenarioChip(list, reference, remove) {
  const name = list.find((entry) => entry.reference === reference)?.name ?? reference;
  return h(
    "li",
    { class: "chip" },
    swatch(scenarioColour(reference)),
    h("span", {}, name),
    remove ? h("button", { type: "button", class: "bare", "aria-label": `Remove ${name}`, onclick: remove }, "×") : null,
  );
}

// Letters typed one after the other choose one scenario, not one each: it is added once they have ended.
const typing = 300; // ms
export function addScenario(list, chosen, add) {
  const rest = scenarioOptions(list).filter((option) => !chosen.includes(option.value));
  if (!rest.length) return null;
  const attributes = { id: "add-scenario", "aria-label": "Add a scenario" };
  let soon;
  const chosenAtLast = (reference) => {
    clearTimeout(soon);
    soon = setTimeout(() => add(reference), typing);
  };
  return choice([{ value: "", text: "Add a scenario…" }, ...rest], "", chosenAtLast, attributes);
}

// What a result warns of, each with the place it is about.
export function warnings(list, results) {
  const items = results.flatMap(({ reference, result }) =>
    result.warnings.map((warning) =>
      h(
        "li",
        {},
        swatch(scenarioColour(reference)),
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
