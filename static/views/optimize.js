// What to buy: the numbers of servers and instances that come to the least, the bound no plan can pass, and the next best.
import { ask } from "../api.js";
import { categoryAxis, grid, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { better, neutral } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { number, percent, pointerWords, quantity, short, shortMoney } from "../format.js";
import { go, linkTo, whatIfParameter } from "../router.js";
import { empty, fill } from "../states.js";
import { section } from "./result.js";

// What there is to decide: servers of purchases, instances of pools.
function decidable(document) {
  return document.pools.flatMap((pool, p) => [
    ...(pool.purchases ?? []).map((purchase, i) => ({ pointer: `/pools/${p}/purchases/${i}/servers`, now: purchase.servers })),
    ...(pool.kind === "cloud"
      ? [{ pointer: `/pools/${p}/min_instances`, now: pool.min_instances ?? 0, max: pool.max_instances }]
      : []),
  ]);
}

// decide=/pointer:min:max, repeated.
const read = (params) =>
  params
    .getAll("decide")
    .map((entry) => {
      const [, pointer, min, max] = /^(.*):(\d+):(\d+)$/.exec(entry) ?? [];
      return { pointer, min: Number(min), max: Number(max) };
    })
    .filter((one) => one.pointer);
const written = (decide) => decide.map(({ pointer, min, max }) => `${pointer}:${min}:${max}`);

export async function optimize(params, place, of) {
  const document = of.document(of.first);
  const options = decidable(document);
  if (!options.length) {
    place.append(
      h("div", { class: "wide" }, empty("Nothing to decide", "This scenario has neither servers to buy nor instances to keep.")),
    );
    return;
  }
  const most = ({ now, max }) => Math.min(max ?? Infinity, Math.max(2 * now, 8));
  const decide = read(params).length
    ? read(params)
    : options.slice(0, 2).map((one) => ({ pointer: one.pointer, min: 0, max: most(one) }));
  const minimize = params.get("minimize") ?? "cost";
  const unserved = params.get("unserved") ?? "0";
  const change = (next) => go({ decide: written(next) });
  const bound = (one, i, name) =>
    h("input", {
      inputmode: "numeric",
      size: 4,
      value: String(one[name]),
      id: `${name}-${i}`,
      "aria-label": `${name === "min" ? "Least" : "Most"} ${pointerWords(one.pointer, document)}`,
      onchange: (event) =>
        change(
          decide.map((other, n) =>
            n === i ? { ...other, [name]: Math.max(0, Math.round(Number(event.target.value) || 0)) } : other,
          ),
        ),
    });
  const rest = options.filter((option) => !decide.some((one) => one.pointer === option.pointer));
  place.append(
    h(
      "div",
      { class: "panel wide" },
      h("h2", {}, "To decide"),
      h(
        "ul",
        { class: "plain" },
        decide.map((one, i) =>
          h(
            "li",
            { class: "controls" },
            h("span", {}, pointerWords(one.pointer, document)),
            "from",
            bound(one, i, "min"),
            "to",
            bound(one, i, "max"),
            decide.length > 1
              ? h(
                  "button",
                  {
                    type: "button",
                    class: "bare",
                    "aria-label": `Don't decide ${pointerWords(one.pointer, document)}`,
                    onclick: () => change(decide.filter((_, n) => n !== i)),
                  },
                  "×",
                )
              : null,
          ),
        ),
      ),
      h(
        "div",
        { class: "controls" },
        rest.length
          ? labelled(
              "Also decide",
              choice(
                [
                  { value: "", text: "…" },
                  ...rest.map((one) => ({ value: one.pointer, text: pointerWords(one.pointer, document) })),
                ],
                "",
                (value) => change([...decide, { pointer: value, min: 0, max: most(rest.find((one) => one.pointer === value)) }]),
                { id: "decide" },
              ),
            )
          : null,
        labelled(
          "Least",
          choice(
            ["cost", "npv", "carbon"].map((value) => ({ value, text: value === "npv" ? "net present value" : value })),
            minimize,
            (value) => go({ minimize: value }),
            { id: "minimize" },
          ),
        ),
        labelled(
          "Left unserved, at most",
          choice(
            ["0", "0.01", "0.05", "1"].map((value) => ({ value, text: percent(Number(value)) })),
            unserved,
            (value) => go({ unserved: value }),
            { id: "unserved" },
          ),
        ),
      ),
    ),
  );
  const answerPlace = h("div", { class: "wide panels" });
  place.append(answerPlace);
  const question = {
    scenario: of.send(of.first),
    decide,
    minimize,
    subject_to: { max_unserved_fraction: Number(unserved) },
    ...of.rest,
  };
  await fill(
    answerPlace,
    async () => plan(await ask("/v1/optimize", question, () => {}, of.signal), of, document),
    "Looking for the best plan…",
  );
}

function plan(answer, of, document) {
  const plans = [
    { name: "best", decisions: answer.decisions, objective: answer.objective },
    ...answer.runners_up.map((one, i) => ({ name: `next ${i + 1}`, ...one })),
  ];
  const show = (value) => quantity(value, answer.unit);
  const tick = (value) => (/^[A-Z]{3}$/.test(answer.unit) ? shortMoney(value, answer.unit) : short(value));
  const proof =
    answer.proof === "exhaustive"
      ? `All ${number(answer.evaluations)} plans were evaluated: none is better.`
      : `No plan can come to less than ${show(answer.bound)}: the best is at most ${percent(answer.gap_fraction)} above that.`;
  const rows = Object.keys(answer.decisions);
  return [
    h(
      "article",
      { class: "card" },
      h("h2", {}, "The best plan"),
      h("div", { class: "value" }, show(answer.objective)),
      h(
        "dl",
        {},
        Object.entries(answer.decisions).map(([pointer, value]) => [
          h("dt", {}, pointerWords(pointer, document)),
          h("dd", {}, number(value)),
        ]),
        h("dt", {}, "bound"),
        h("dd", {}, show(answer.bound)),
        h("dt", {}, "gap"),
        h("dd", {}, percent(answer.gap_fraction)),
        (answer.limits ?? []).map((limit) => [
          h("dt", {}, limit.name.replaceAll("_", " ")),
          h("dd", {}, `${quantity(limit.taken, limit.unit)} of ${quantity(limit.limit, limit.unit)}`),
        ]),
      ),
      h("p", { class: "muted" }, proof),
      h(
        "p",
        {},
        h(
          "a",
          { class: "button", href: linkTo("scenario", { scenario: of.first, set: whatIfParameter(answer.decisions) }) },
          "Take it to the form",
        ),
      ),
    ),
    chart({
      title: "The best and the next",
      name: "plans",
      size: "small",
      note: `The line is the bound. ${proof}`,
      option: (colours) => ({
        grid,
        tooltip: {
          trigger: "item",
          formatter: (point) =>
            [
              plans[point.dataIndex].name,
              show(plans[point.dataIndex].objective),
              ...Object.entries(plans[point.dataIndex].decisions).map(
                ([pointer, value]) => `${pointerWords(pointer, document)}: ${value}`,
              ),
            ].join("\n"),
        },
        xAxis: categoryAxis(
          "",
          plans.map((one) => one.name),
          colours,
        ),
        yAxis: vertical(valueAxis(`${answer.minimize} (${answer.unit})`, colours, tick)),
        series: [
          {
            type: "bar",
            barMaxWidth: 40,
            data: plans.map((one, i) => ({ value: one.objective, itemStyle: { color: i === 0 ? better : neutral } })),
            markLine: {
              symbol: "none",
              data: [{ yAxis: answer.bound, label: { formatter: "bound", color: colours.text, position: "insideEndTop" } }],
              lineStyle: { color: colours.text, type: "dashed" },
            },
          },
        ],
      }),
      table: {
        columns: [
          { name: "plan", of: (row) => row.name, text: true },
          ...rows.map((pointer) => ({ name: pointerWords(pointer, document), of: (row) => row.decisions[pointer] })),
          { name: answer.minimize, unit: answer.unit, of: (row) => row.objective, show },
          { name: "above the best", of: (row) => row.objective / answer.objective - 1, show: percent },
        ],
        rows: plans,
      },
    }).element,
    section(
      "Cost of the plan by pool",
      {
        caption: "Cost of the plan by pool",
        rows: Object.entries(answer.result.by_pool).map(([id, pool]) => ({ id, ...pool })),
        columns: [
          { name: "pool", of: (row) => row.id, text: true },
          {
            name: "cost",
            unit: answer.result.currency,
            of: (row) => row.cost,
            show: (value) => quantity(value, answer.result.currency),
          },
          { name: "utilization", of: (row) => row.utilization_fraction ?? null, text: false, show: percent },
        ],
      },
      "plan",
    ),
  ];
}
