// The plans of a decision in their order: those that can do the work first, by the figure that decides; the rest below, not ranked.
import { h } from "../dom.js";
import { columnDigits, date, fixed, number, percent, plural, share, sign } from "../format.js";
import { drawing } from "../icons.js";
import { metered, pricesOf, utilizationOf } from "../parts.js";
import { sure } from "./answer.js";
import { csvButton } from "../table.js";
import { glossary } from "../terms.js";
import { bestChance, bestChances, figures, dots, lacked, mayRank, period, undone, weakest } from "./words.js";

const evidenceMark = (word) => h("span", { class: `ev e${dots[word] ?? 0}` }, h("i", { "aria-hidden": "true" }, h("b", {})), word);

const unknown = (title) => h("i", { class: "unknown", title }, "not known");

const perMillion = ({ by_workload: all }) => Object.values(all)[0]?.cost_per_million_units ?? null;

function spark({ by_month: months }, colour) {
  const top = Math.max(...months.map((one) => one.cost), 1e-9);
  const points = months.map(
    (one, i) => `${((46 * i) / Math.max(1, months.length - 1)).toFixed(1)},${(20 - (18 * one.cost) / top).toFixed(1)}`,
  );
  return drawing({ width: 46, height: 22, viewBox: "0 0 46 22", "aria-hidden": "true" }, [
    ["path", { d: "M0 21.5H46", class: "ax" }],
    ["polyline", { points: points.join(" "), fill: "none", stroke: `var(--p${colour})`, "stroke-width": 1.6 }],
  ]);
}

// Of which a line under the plan's name consists: what its pools are.
function made(plan) {
  const pools = plan.resolved.pools.map((pool) => {
    if (pool.kind === "api") return pool.endpoint?.model ?? pool.model ?? "hosted model";
    const device =
      (pool.offer?.devices ?? pool.server?.devices ?? "") +
      (pool.offer?.device || pool.server?.device ? `× ${short(pool.offer?.device ?? pool.server?.device)}` : "");
    if (pool.kind === "cloud")
      return [device, pool.offer?.provider, pool.offer?.purchase?.replace("_", " ")].filter(Boolean).join(", ");
    return `${(pool.purchases ?? []).reduce((sum, one) => sum + one.servers, 0)} servers of ${device}`;
  });
  return pools.join(" + ");
}
const short = (device) =>
  String(device?.id ?? device)
    .replace(/^[^.]*\./, "")
    .split("-")
    .slice(0, 2)
    .join(" ")
    .toUpperCase();

const negligible = 0.0005; // a share that is 0.0 % when it is written

const scaleOf = (values) => (Math.max(0, ...values.filter((value) => value !== null).map(Math.abs)) >= 1e5 ? 1000 : 1);

// `unit` is that of the API's figures, which the CSV has; `head` is what stands over the column, in which figures may be scaled.
function columnsOf(view) {
  const { answer, plans, baseline, chances } = view;
  const best = chances ? bestChances(chances) : null;
  const by = figures[answer.decide_by];
  const unit = scaleOf(answer.scenarios.map(({ result }) => result.decisive));
  const isThousand = unit === 1000;
  const currency = sign(answer.currency);
  const own = by.money ? answer.currency : by.unit;
  const what = by.money ? `${currency}${isThousand ? " thousand" : ""}` : `${isThousand ? "thousand " : ""}${by.unit}`;
  const digits = isThousand ? 0 : columnDigits(answer.scenarios.map(({ result }) => result.decisive));
  const figure = (value) => fixed(value / unit, digits);
  const most = Math.max(...answer.scenarios.map(({ result }) => result.decisive ?? 0), 1e-9);
  const base = answer.scenarios[baseline].result.decisive;
  const millionDigits = columnDigits(answer.scenarios.map(({ result }) => perMillion(result)));
  const work = Object.values(answer.scenarios[0].result.by_workload)[0];
  return [
    {
      name: by.name,
      unit: own,
      head: what,
      class: "cost",
      value: ({ result }) => result.decisive,
      show: (value, { result }) =>
        value === null
          ? unknown(`${by.name} is not known: a pool or a source doesn't state it. Not 0, and not ranked`)
          : [
              h("b", {}, figure(value)),
              h(
                "span",
                { class: "hb" },
                h("i", { "--w": `${(100 * Math.max(0, value)) / most}%`, class: mayRank(result) ? "" : "no" }),
              ),
            ],
    },
    {
      name: "To baseline",
      unit: own,
      head: what,
      class: "c-base",
      title: `${by.name} less that of the baseline, ${plans[baseline].name}`,
      value: ({ i, result }) =>
        i === baseline || base === null || result.decisive === null || !answer.comparable ? null : result.decisive - base,
      show: (value, { i, result }) => {
        if (!mayRank(result)) return h("span", { class: "bad", title: lacked(result) }, result.feasible ? "loses too much" : "can't serve");
        if (i === baseline) return "baseline";
        if (value === null) return "–";
        return [signed(figure(value), value), h("small", {}, percent(value / Math.abs(base), { signed: true }))];
      },
    },
    {
      name: work ? plural(work.unit[0].toUpperCase() + work.unit.slice(1)) : "Per million",
      unit: `${answer.currency} per million`,
      head: `${currency} per M`,
      title: `Cost over the horizon, not discounted, divided by million ${work?.unit ?? "unit"}s served`,
      class: "c-mtok",
      value: ({ result }) => perMillion(result),
      show: (value) => (value === null ? "–" : fixed(value, millionDigits)),
    },
    {
      name: "Undone",
      unit: "fraction of work",
      head: "of work",
      class: "c-undone",
      value: ({ result }) => undone(result),
      show: (value, { result }) =>
        value >= negligible ? h("span", { class: result.feasible ? "" : "bad" }, percent(value)) : value === null ? "–" : "none",
    },
    {
      name: "Utilization",
      unit: "fraction of hours",
      head: "of hours",
      class: "c-util",
      value: ({ result }) => utilizationOf(result),
      show: (value) =>
        value === null ? h("abbr", { title: "Paid by the unit of work: no device-hours of your own" }, "by token") : percent(value),
    },
    {
      name: "CO₂e",
      unit: "kg",
      head: "tonnes",
      class: "c-co2",
      value: ({ result }) => result.total.carbon_kg,
      show: (value, { result }) => {
        if (value !== null) return number(value / 1000, "", value < 10000 ? 1 : 0);
        const { value: known, text } = metered(result, "carbon_kg");
        return known === null && result.total.carbon_kg_at_least > 0
          ? text.replace(/ t CO2e.*/, "")
          : unknown(glossary["Not known"]);
      },
    },
    { name: "CO₂e at least", unit: "kg", inCsv: true, value: ({ result }) => result.total.carbon_kg_at_least },
    { name: "Oldest price", inCsv: true, value: ({ result }) => result.provenance.oldest_price },
    { name: "Prices", inCsv: true, value: ({ result }) => pricesOf(result) },
    {
      name: "Evidence",
      head: "oldest price",
      class: "c-ev text",
      value: ({ result }) => weakest(result),
      show: (word, { result }) => [
        evidenceMark(word),
        h("small", { class: result.provenance.oldest_price ? "" : "warn", title: pricesOf(result) }, result.provenance.oldest_price ? date(result.provenance.oldest_price) : "price not dated"),
      ],
    },
    {
      name: "Can serve",
      unit: "probability",
      head: "of draws",
      class: "c-serve",
      drawn: true,
      value: ({ i }) => chances?.scenarios[i].probability_feasible ?? null,
      show: (value, { result }) => [
        value === null ? "–" : h("span", { class: value < sure ? "bad" : "" }, share(value)),
        result.feasible ? "" : h("small", { class: "bad" }, "not as stated"),
      ],
    },
    {
      name: "Be best",
      unit: "probability",
      head: "chance to",
      class: "c-prob",
      drawn: true,
      value: ({ i }) => (chances ? bestChance(chances, i) : null),
      show: (value, { i }) => (value === null ? "–" : best[i]),
    },
    {
      name: "month",
      head: "cost by",
      class: "c-spark",
      value: () => null,
      show: (_, { result, plan }) => spark(result, plan.colour),
      plain: true,
    },
  ];
}
const signed = (text, value) => (value > 0 ? `+${text}` : text);

// Chances come in while one is at a plan: gives what focuses the same control again after the table is made anew.
function focusIn(element) {
  const controls = () => [...element.querySelectorAll("button, input, select")];
  const at = controls().indexOf(document.activeElement);
  const plan = document.activeElement.closest("#ranking tr")?.dataset.plan;
  const same = () => (plan ? element.querySelector(`tr[data-plan="${CSS.escape(plan)}"] .name`) : controls()[at]);
  return () => at >= 0 && same()?.focus({ preventScroll: true });
}

// `actions` are {pick(i), sort(name), menu(plan)}; the pair is marked A and B.
export function rankingPart(actions) {
  const element = h("section", {
    class: "panel flush",
    id: "ranking",
    "aria-labelledby": "ranking-title",
    "data-figure": "ranking",
  });
  return {
    element,
    show(view) {
      const { answer, chances, order, plans, pair, sort } = view;
      const all = columnsOf(view);
      const columns = all.filter((column) => !column.inCsv);
      const rows = order.map((i) => ({ i, plan: plans[i], result: answer.scenarios[i].result }));
      const [sortName, isDown] = [sort?.replace(/^-/, ""), sort?.startsWith("-")];
      const sorted = sort
        ? sortedBy(
            rows,
            columns.find((column) => column.name === sortName),
            isDown ? -1 : 1,
          )
        : rows;
      const by = figures[answer.decide_by];
      const able = rows.filter(({ result }) => mayRank(result)).length;
      let rank = 0;
      const table = {
        columns: [
          { name: "plan", value: ({ plan }) => plan.name },
          ...all.filter((column) => !column.plain).map(({ name, unit, value }) => ({ name, unit, value })),
        ],
        rows,
      };
      const head = h(
        "div",
        { class: "bar" },
        h("h2", { id: "ranking-title" }, `Plans by ${by.name.toLowerCase()}`),
        h("span", { class: "small" }, `${able} of ${rows.length} can serve as stated · ${period(rows[0].result)}`),
        h(
          "div",
          { class: "tools" },
          actions.without ? outside(view.left.length > 0, actions.without) : "",
          actions.add,
          csvButton("ranking", () => table),
        ),
      );
      const ranked = new Map(
        rows.map((row) => [row.i, answer.comparable && mayRank(row.result) && row.result.decisive !== null ? ++rank : null]),
      );
      const body = sorted.map((row) => {
        const letter = pair[0] === row.i ? "A" : pair[1] === row.i ? "B" : "";
        const className = [!mayRank(row.result) ? "no" : "", answer.cheapest === row.i ? "first" : ""].join(" ").trim();
        return h(
          "tr",
          {
            class: className || null,
            "aria-selected": letter ? "true" : null,
            "--k": `var(--p${row.plan.colour})`,
            "data-plan": row.plan.reference,
            onclick: (event) => event.target.closest("button, a, summary") || actions.pick(row.i),
          },
          h(
            "th",
            { scope: "row" },
            h(
              "span",
              { class: "who" },
              h("span", { class: "n" }, ranked.get(row.i) ?? "–"),
              h("i", { class: "sw" }),
              h(
                "span",
                { class: "named" },
                h(
                  "button",
                  { type: "button", class: "name", title: row.plan.name, onclick: () => actions.pick(row.i) },
                  row.plan.name,
                ),
                letter ? h("span", { class: "pick" }, letter) : "",
              ),
              h("small", { title: made(row.plan) }, made(row.plan)),
            ),
          ),
          columns.map((column) =>
            h(
              "td",
              {
                class:
                  `${column.class ?? ""} ${column.class?.includes("text") ? "" : "num"} ${column.drawn && chances && view.stale.has("chances") ? "stale" : ""}`.trim(),
              },
              column.show ? column.show(column.value(row), row) : column.value(row),
            ),
          ),
        );
      });
      const refocus = focusIn(element);
      element.replaceChildren(
        head,
        h(
          "div",
          { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "ranking-title" },
          h(
            "table",
            { class: "rank" },
            h("caption", { class: "unseen" }, `Plans by ${by.name.toLowerCase()}`),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, "Plan"),
                columns.map((column) => {
                  const chosen = (sortName ?? by.name) === column.name;
                  const first = column.name === by.name ? null : column.name;
                  return h(
                    "th",
                    {
                      scope: "col",
                      class: `${column.class ?? ""} ${column.class?.includes("text") ? "" : "num"}`.trim(),
                      "aria-sort": chosen ? (isDown ? "descending" : "ascending") : null,
                    },
                    h("small", {}, column.head),
                    column.plain
                      ? column.name
                      : h(
                          "button",
                          {
                            type: "button",
                            class: "sort",
                            title: column.title ?? glossary[column.name] ?? null,
                            onclick: () => actions.sort(chosen && !isDown ? `-${column.name}` : first),
                          },
                          column.name,
                        ),
                  );
                }),
              ),
            ),
            h(
              "tbody",
              {},
              body,
              view.left.map((plan) => leftOut(plan, columns.length)),
            ),
          ),
        ),
        h("p", { class: "foot" }, footnote(view)),
      );
      refocus();
    },
  };
}

// Hosted models of others: in the running, or left out.
const outside = (isLeft, turn) =>
  h(
    "label",
    { class: "small check" },
    h("input", { type: "checkbox", id: "without-api", checked: isLeft, onchange: (event) => turn(event.target.checked) }),
    " without outside API",
  );
const leftOut = (plan, columns) =>
  h(
    "tr",
    { class: "out", "--k": `var(--p${plan.colour})`, "data-left": plan.reference },
    h(
      "th",
      { scope: "row" },
      h(
        "span",
        { class: "who" },
        h("span", { class: "n" }, "–"),
        h("i", { class: "sw" }),
        h("span", {}, plan.name),
        h("small", {}, made(plan)),
      ),
    ),
    h("td", { colspan: columns, class: "text" }, "left out: it buys tokens of others"),
  );

// What can't serve is last either way, and what is not known behind what is.
function sortedBy(rows, column, sign) {
  if (!column) return rows;
  const gone = (value) => value === null || value === undefined;
  const order = (a, b) => gone(a) - gone(b) || (gone(a) ? 0 : sign * (a < b ? -1 : a > b ? 1 : 0));
  return [...rows].sort((a, b) => mayRank(b.result) - mayRank(a.result) || order(column.value(a), column.value(b)));
}

function footnote({ chances, answer, rows }) {
  const ranges = `Of ${chances?.samples} draws of the assumptions, within the ranges drawn at the left: in which a plan can serve`;
  const drawn = !chances
    ? ""
    : chances.uncertainty
      ? `${ranges} as it is. Chance to be best: as of a ranking of these plans, each sized anew in each draw of its demand, rates and prices. `
      : `${ranges}, and in which it is the cheapest of those that can. `;
  const hatched = answer.scenarios.some(({ result }) => !mayRank(result))
    ? "Hatched: leaves more work undone than is allowed, so it is shown and not ranked. "
    : "";
  return drawn + hatched + (rows ?? "");
}
