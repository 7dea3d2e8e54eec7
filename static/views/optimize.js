// Optimization: the numbers of servers and instances that minimize an objective, the lower bound, and the runners-up.
import { get, postWithProgress } from "../api.js";
import { categoryAxis, grid, valueAxis, vertical } from "../axes.js";
import { chart } from "../chart.js";
import { better, inTheme, neutral } from "../colours.js";
import { choice, h, labelled } from "../dom.js";
import { missing, number, percent, pointerWords, quantity, short, shortMoney } from "../format.js";
import { takeNumber } from "../number_field.js";
import { priceColumns } from "../parts.js";
import { go, linkTo, whatIfParameter } from "../router.js";
import { empty, fill } from "../states.js";
import { section } from "../table.js";

// Decision variables: servers of purchases, minimum instances of cloud pools.
function decidable(document) {
  return document.pools.flatMap((pool, p) => [
    ...(pool.purchases ?? []).map((purchase, i) => ({ pointer: `/pools/${p}/purchases/${i}/servers`, now: purchase.servers })),
    ...(pool.kind === "cloud"
      ? [{ pointer: `/pools/${p}/min_instances`, now: pool.min_instances ?? 0, max: pool.max_instances }]
      : []),
  ]);
}

// decide=/pointer:min:max, repeated.
const fromParameters = (params) =>
  params
    .getAll("decide")
    .map((entry) => {
      const [, pointer, min, max] = /^(.*):(\d+):(\d+)$/.exec(entry) ?? [];
      return { pointer, min: Number(min), max: Number(max) };
    })
    .filter((item) => item.pointer);
const toParameter = (decide) => decide.map(({ pointer, min, max }) => `${pointer}:${min}:${max}`);

export async function optimize(params, place, context) {
  const document = context.document(context.first);
  const options = decidable(document);
  if (!options.length) {
    place.append(
      h(
        "div",
        { class: "wide" },
        empty("No decision variables", "This scenario has neither purchases of servers nor cloud pools."),
      ),
    );
    return;
  }
  const defaultMax = ({ now, max }) => Math.min(max ?? Infinity, Math.max(2 * now, 8));
  const decide = fromParameters(params).length
    ? fromParameters(params)
    : options.slice(0, 2).map((option) => ({ pointer: option.pointer, min: 0, max: defaultMax(option) }));
  // What a bound is where its field is empty.
  const standard = ({ pointer }) => ({ min: 0, max: defaultMax(options.find((option) => option.pointer === pointer)) });
  const finance = (await get("/v1/fields", {}, context.signal)).find((table) => table.document === "finance");
  const objectives = finance.fields.find((field) => field.name === "decide_by").choices;
  const minimize = params.get("minimize") ?? "";
  const unserved = params.get("unserved") ?? "0";
  const change = (next) => go({ decide: toParameter(next) });
  const bound = (item, i, name) =>
    h("input", {
      inputmode: "numeric",
      size: 4,
      value: String(item[name]),
      id: `${name}-${i}`,
      "aria-label": `${name === "min" ? "Minimum" : "Maximum"} ${pointerWords(item.pointer, document)}`,
      onchange: ({ target }) =>
        takeNumber(
          target,
          (value) => change(decide.map((other, n) => (n === i ? { ...other, [name]: value ?? standard(item)[name] } : other))),
          { min: 0, isWhole: true },
        ),
    });
  const rest = options.filter((option) => !decide.some((decision) => decision.pointer === option.pointer));
  place.append(
    h(
      "div",
      { class: "panel wide" },
      h("h2", {}, "Decision variables"),
      h(
        "ul",
        { class: "plain" },
        decide.map((decision, i) =>
          h(
            "li",
            { class: "controls" },
            h("span", {}, pointerWords(decision.pointer, document)),
            "from",
            bound(decision, i, "min"),
            "to",
            bound(decision, i, "max"),
            decide.length > 1
              ? h(
                  "button",
                  {
                    type: "button",
                    class: "bare",
                    "aria-label": `Remove ${pointerWords(decision.pointer, document)}`,
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
              "Another decision variable",
              choice(
                [
                  { value: "", text: "…" },
                  ...rest.map((item) => ({ value: item.pointer, text: pointerWords(item.pointer, document) })),
                ],
                "",
                (value) =>
                  change([...decide, { pointer: value, min: 0, max: defaultMax(rest.find((item) => item.pointer === value)) }]),
                { id: "decide" },
              ),
            )
          : null,
        labelled(
          "Minimize",
          choice(
            [
              { value: "", text: "the figure that decides" },
              ...objectives.map((value) => ({ value, text: value.replaceAll("_", " ") })),
            ],
            minimize,
            (value) => go({ minimize: value || null }),
            { id: "minimize" },
          ),
        ),
        labelled(
          "Undone work that is allowed",
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
  const request = {
    scenario: context.scenario(context.first),
    decide,
    ...(minimize ? { minimize } : {}),
    subject_to: { max_unserved_fraction: Number(unserved) },
    ...context.rest,
  };
  await fill(
    answerPlace,
    async () => plan(await postWithProgress("/v1/optimize", request, () => {}, context.signal), context, document),
    "Searching for the optimal plan…",
  );
}

function plan(answer, context, document) {
  const plans = [
    { name: "optimum", decisions: answer.decisions, objective: answer.objective },
    ...answer.runners_up.map((plan, i) => ({ name: `rank ${i + 2}`, ...plan })),
  ];
  const show = (value) => quantity(value, answer.unit);
  const tick = (value) => (/^[A-Z]{3}$/.test(answer.unit) ? shortMoney(value, answer.unit) : short(value));
  const proof =
    answer.proof === "exhaustive"
      ? `Exhaustive: all ${number(answer.evaluations)} plans were evaluated.`
      : answer.bound === null
        ? `No bound is known: this is the best of ${number(answer.evaluations)} plans that were tried.`
        : `No plan is below the lower bound ${show(answer.bound)}: this one is at most ${percent(answer.gap_fraction)} above it.`;
  const rows = Object.keys(answer.decisions);
  return [
    h(
      "article",
      { class: "card" },
      h("h2", {}, "Optimal plan"),
      h("div", { class: "value" }, show(answer.objective)),
      h(
        "dl",
        {},
        Object.entries(answer.decisions).map(([pointer, value]) => [
          h("dt", {}, pointerWords(pointer, document)),
          h("dd", {}, number(value)),
        ]),
        h("dt", {}, "lower bound"),
        h("dd", {}, answer.bound === null ? missing : show(answer.bound)),
        h("dt", {}, "gap"),
        h("dd", {}, answer.gap_fraction === null ? missing : percent(answer.gap_fraction)),
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
          { class: "button", href: linkTo("scenario", { scenario: context.first, set: whatIfParameter(answer.decisions) }) },
          "Open in the form",
        ),
      ),
    ),
    chart({
      title: "Optimal plan and runners-up",
      name: "plans",
      size: "small",
      note: answer.bound === null ? proof : `The line is the lower bound. ${proof}`,
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
          plans.map((plan) => plan.name),
          colours,
        ),
        yAxis: vertical(valueAxis(`${answer.minimize} (${answer.unit})`, colours, tick)),
        series: [
          {
            type: "bar",
            barMaxWidth: 40,
            data: plans.map((plan, i) => ({ value: plan.objective, itemStyle: { color: inTheme(i === 0 ? better : neutral) } })),
            markLine: {
              symbol: "none",
              data:
                answer.bound === null
                  ? []
                  : [{ yAxis: answer.bound, label: { formatter: "bound", color: colours.text, position: "insideEndTop" } }],
              lineStyle: { color: colours.text, type: "dashed" },
            },
          },
        ],
      }),
      table: {
        columns: [
          { name: "plan", value: (row) => row.name, text: true },
          ...rows.map((pointer) => ({ name: pointerWords(pointer, document), value: (row) => row.decisions[pointer] })),
          { name: answer.minimize, unit: answer.unit, value: (row) => row.objective, show },
          { name: "above the optimum", value: (row) => row.objective / answer.objective - 1, show: percent },
        ],
        rows: plans,
      },
    }).element,
    section(
      "Cost of the optimal plan by pool",
      {
        caption: "Cost of the optimal plan by pool",
        rows: Object.entries(answer.result.by_pool).map(([id, pool]) => ({ id, ...pool })),
        columns: [
          { name: "pool", value: (row) => row.id, text: true },
          {
            name: "cost",
            unit: answer.result.currency,
            value: (row) => row.cost,
            show: (value) => quantity(value, answer.result.currency),
          },
          { name: "utilization", value: (row) => row.utilization_fraction ?? null, text: false, show: percent },
          ...priceColumns,
        ],
      },
      "plan",
    ),
  ];
}
