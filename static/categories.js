// The categories of cost as charts show them: order, label and colour come from the API. An answer may have a category that the
// list lacks: it follows the others, under its own name.
import { get } from "./api.js";
import { neutral } from "./colours.js";

let styles = new Map(); // by name: {name, label, colour: {light, dark}, group}
let request = null;

// Loads the list once; after a failure, the next call tries again.
export function loadCategories() {
  request ??= get("/v1/categories").then(
    (list) => {
      styles = new Map(list.map((style) => [style.name, style]));
    },
    (error) => {
      request = null;
      throw error;
    },
  );
  return request;
}

// {name, label, colour} of each category with an amount in any of the breakdowns {name: {cost, cash}}, in the order of the list.
export function categoriesOf(breakdowns, measure = "cost") {
  const found = new Set(breakdowns.flatMap((breakdown) => Object.keys(breakdown).filter((name) => breakdown[name][measure])));
  const listed = [...styles.keys()].filter((name) => found.has(name));
  return [...listed, ...[...found].filter((name) => !styles.has(name))].map(
    (name) => styles.get(name) ?? { name, label: categoryLabel(name), colour: neutral },
  );
}

export const categoryLabel = (name) => styles.get(name)?.label ?? name.replaceAll("_", " ");

// {name, cost} of each group, in the order of the list; `cost` adds up one breakdown {name: {cost}}. What the list lacks is in the
// last group.
export function costGroups() {
  const names = [...new Set([...styles.values()].map(({ group }) => group))];
  const groupOf = (category) => styles.get(category)?.group ?? names.at(-1);
  return names.map((name) => ({
    name,
    cost: (breakdown) =>
      Object.entries(breakdown).reduce((sum, [category, { cost }]) => sum + (groupOf(category) === name ? cost : 0), 0),
  }));
}
