// What a router does so that each size of request goes where the division has it: rules in order, the first that fits.
import { announce, h } from "../dom.js";
import { number, percent } from "../format.js";
import { ofWorkload } from "./division.js";

// Between two neighbouring sizes, two digits.
const between = (a, b) => Number(Math.sqrt(Math.max(a, 1) * b).toPrecision(2)) || 1;
function thresholds(points, name) {
  const sizes = [...new Set(points.map((point) => point[name]))].sort((a, b) => a - b);
  return sizes.slice(1).map((size, i) => {
    const at = between(sizes[i], size);
    return at >= sizes[i] && at < size ? at : sizes[i];
  });
}
const words = { input: "prompt", output: "answer" };
const sides = [
  { text: "over", fits: (value, at) => value > at },
  { text: "up to", fits: (value, at) => value <= at },
];
// What may be said of one of the two sizes: nothing, one side of a limit, or a range.
function conditionsOf(points, name) {
  const limits = thresholds(points, name);
  const side = ({ text, fits }, at) => ({ text: `${words[name]} ${text} ${number(at)} tokens`, fits: (point) => fits(point[name], at) });
  const single = limits.flatMap((at) => sides.map((one) => [side(one, at)]));
  const ranges = limits.flatMap((from, i) => limits.slice(i + 1).map((to) => [side(sides[0], from), side(sides[1], to)]));
  return [[], ...single, ...ranges];
}

// Each size once: {input, output, share, on: the groups that have it, by their part of it}.
function pointsOf(groups) {
  const all = new Map();
  for (const group of groups)
    for (const { input, output, share } of group.buckets) {
      const key = `${input},${output}`;
      const point = all.get(key) ?? { input, output, share: 0, parts: new Map() };
      point.share += share;
      point.parts.set(group, (point.parts.get(group) ?? 0) + share);
      all.set(key, point);
    }
  return [...all.values()].map((point) => {
    const parts = [...point.parts].sort(([, a], [, b]) => b - a);
    const on = parts.length === 1 ? parts[0][0].device : parts.map(([group, share]) => `${group.device} ${percent(share / point.share)}`).join(", ");
    return { ...point, on, group: parts[0][0] };
  });
}

// Of the conditions that cover sizes of one group alone, those that cover most of the requests; null where none do.
function best(candidates, points) {
  return candidates
    .map((conditions) => ({ conditions, covered: points.filter((point) => conditions.every(({ fits }) => fits(point))) }))
    .filter(({ covered }) => covered.length && new Set(covered.map(({ on }) => on)).size === 1)
    .map((one) => ({ ...one, share: one.covered.reduce((sum, { share }) => sum + share, 0) }))
    .reduce((a, b) => (!a || b.share > a.share ? b : a), null);
}

const mostRules = 60;
// [{text, on, group, share, fits(point)}]: each covers sizes of one group alone, as many requests as it can with as few conditions.
export function rulesOf(groups) {
  let left = pointsOf(groups);
  const rules = [];
  while (new Set(left.map(({ on }) => on)).size > 1 && rules.length < mostRules) {
    const [inputs, outputs] = ["input", "output"].map((name) => conditionsOf(left, name));
    const all = inputs.flatMap((a) => outputs.map((b) => [...a, ...b])).filter(({ length }) => length);
    const rule = [1, 2, 3, 4].reduce((found, length) => found ?? best(all.filter((one) => one.length === length), left), null);
    if (!rule) break;
    const [{ on, group }] = rule.covered;
    const text = rule.conditions.map((one) => one.text).join(" and ");
    rules.push({ text, on, group, share: rule.share, fits: (point) => rule.conditions.every(({ fits }) => fits(point)) });
    left = left.filter((point) => !rule.covered.includes(point));
  }
  if (!left.length) return rules;
  const last = left.reduce((a, b) => (b.share > a.share ? b : a));
  const share = left.reduce((sum, one) => sum + one.share, 0);
  return [...rules, { text: rules.length ? "any other" : "any request", on: last.on, group: last.group, share, fits: () => true }];
}

// Those of each workload, whose name stands in front where there are several; a run of training has a place of its own.
export function rulesOfAll(groups) {
  const ids = [...new Set(groups.flatMap(({ buckets }) => buckets.map(({ of }) => of)))];
  return ids.flatMap((id) => {
    const own = ofWorkload(groups, id);
    const isRun = own[0].buckets[0].isRun;
    return rulesOf(own).map((rule) => ({ ...rule, text: isRun ? "each run" : rule.text, of: ids.length > 1 ? id : "" }));
  });
}

export const rulesText = (rules) =>
  rules.map(({ text, on, group, of }, i) => `${i + 1}. ${of ? `${of}, ` : ""}${text}: ${on} (pool ${group.pool.id})`).join("\n");

export function routerPart(groups) {
  const rules = rulesOfAll(groups);
  const copy = h(
    "button",
    {
      type: "button",
      class: "btn bare",
      id: "copy-rules",
      onclick: async () => {
        await navigator.clipboard.writeText(rulesText(rules));
        announce("The rules are copied.");
        copy.textContent = "Copied";
      },
    },
    "Copy as text",
  );
  return h(
    "section",
    { class: "panel", "aria-labelledby": "router-title" },
    h("div", { class: "bar" }, h("h2", { id: "router-title" }, "What the router does"), h("div", { class: "tools" }, copy)),
    h(
      "ol",
      { class: "rules" },
      rules.map(({ text, on, group, share, of }) =>
        h(
          "li",
          {},
          h("span", {}, text, h("small", {}, of ? `${of}, ${percent(share)} of it` : `${percent(share)} of the requests`)),
          h("span", { class: "on", "--k": group.colour }, h("i", { class: "sw" }), on),
        ),
      ),
    ),
    h("p", { class: "foot" }, "The first rule that fits. Limits lie between neighbouring sizes of the table."),
  );
}
