// Plans: from a model and a request rate to every way that the catalogue offers, the best first, and why. The URL is the question.
import { getAll, postWithProgress, put } from "../api.js";
import { choice, h, labelled } from "../dom.js";
import { count, money, number, percent } from "../format.js";
import { evidence, heading } from "../parts.js";
import { go, goTo, linkTo } from "../router.js";
import { empty, errorState, fill } from "../states.js";
import { forget } from "../store.js";
import { section } from "../table.js";
import { progressBar } from "./question_parts.js";

// The fields of the question: a parameter of the URL each, with what it is where the URL says nothing.
const fields = [
  { name: "rps", label: "Requests a second, on average", value: 5, min: 0.000001 },
  { name: "input", label: "Tokens of a prompt", value: 500, min: 0 },
  { name: "output", label: "Tokens of an answer", value: 300, min: 0 },
  { name: "growth", label: "Growth a month (%)", value: 0, min: -100 },
  { name: "months", label: "Months", value: 36, min: 1, step: 1 },
  { name: "samples", label: "Samples of uncertain demand, rates and prices", value: 0, min: 0, step: 1 },
];

const reasons = {
  dearer_region: "sold for less in another region on the same terms",
  exceeds_context: "longer than the model's context",
  exceeds_memory: "too little memory in one host for the weights and one request",
  missing_exchange_rate: "priced in another currency",
  no_peak_at_precision: "no rate and no peak at a precision that the model has",
  no_performance: "no rate of this model and no facts to estimate one",
  no_rate_that_fits: "rates are of more devices than the host has",
  no_room_price: "sites that do not state what room costs",
  no_smaller_base: "hybrids whose base does all the work with one unit",
  old_price: "prices of more than two years ago",
  one_stage: "servers bought in stages that one stage covers",
  other_model: "hosted models other than this one",
  unserved: "can't serve all of it",
};

export async function plans(params, place, { signal }) {
  const [models, endpoints] = await Promise.all([getAll("/v1/models", {}, signal), getAll("/v1/endpoints", {}, signal)]);
  const known = [...new Set([...models.map((model) => model.id), ...endpoints.map((endpoint) => endpoint.model)])].sort();
  const model = params.get("model") ?? "";
  place.append(
    heading(
      "Plans",
      "Every way that the catalogue offers to serve a model, sized for its peak, evaluated whole, the cheapest first.",
    ),
    form(params, known, model),
  );
  if (!known.length) {
    place.append(empty("The catalogue is empty", "deploy/run stores it at its first start; an import stores it by hand."));
    return;
  }
  if (!model) return;
  const answerPlace = h("div", { class: "wide" });
  const bar = progressBar();
  place.append(answerPlace);
  answerPlace.append(bar.element);
  const request = requestOf(params, model);
  const answer = postWithProgress("/v1/rank", request, bar.update, signal);
  await fill(answerPlace, async () => ranking(await answer, request, signal), "Looking at the catalogue…");
}

const given = (params, field) => Number(params.get(field.name) ?? field.value);

function form(params, known, model) {
  const submit = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const changes = Object.fromEntries(
      fields.map(({ name, value }) => [name, data.get(name) === String(value) ? null : data.get(name)]),
    );
    go({ ...changes, model: data.get("model"), start: data.get("start"), measured: data.get("measured") });
  };
  return h(
    "form",
    { class: "controls wide", onsubmit: submit, "aria-label": "What is served" },
    labelled(
      "Model",
      choice([{ value: "", text: "choose one" }, ...known.map((id) => ({ value: id, text: id }))], model, () => {}, {
        name: "model",
        id: "model",
        required: true,
      }),
    ),
    fields.map((field) =>
      labelled(
        field.label,
        h("input", {
          type: "number",
          name: field.name,
          id: field.name,
          value: given(params, field),
          min: field.min,
          step: field.step ?? "any",
          required: true,
        }),
      ),
    ),
    labelled("From", h("input", { type: "month", name: "start", id: "start", value: startOf(params), required: true })),
    labelled(
      "Rates",
      choice(
        [
          { value: "", text: "measured and estimated" },
          { value: "measured", text: "measured alone" },
        ],
        params.get("measured") ?? "",
        () => {},
        { name: "measured", id: "measured" },
      ),
    ),
    h("button", { type: "submit" }, "Find plans"),
  );
}

const startOf = (params) => params.get("start") ?? new Date().toISOString().slice(0, 7);

function requestOf(params, model) {
  const value = Object.fromEntries(fields.map((field) => [field.name, given(params, field)]));
  return {
    start: startOf(params),
    months: value.months,
    workloads: [
      {
        id: "serve",
        kind: "inference",
        unit: "token",
        model,
        units_per_request: { input: value.input, output: value.output },
        demand: { mean_per_s: value.rps, growth_per_month: value.growth / 100 },
      },
    ],
    ...(value.samples && { samples: value.samples }),
    ...(params.get("measured") && { limits: { evidence: "measured" } }),
    ...(params.get("as_of") && { as_of: params.get("as_of") }),
  };
}

function ranking(answer, request, signal) {
  const excluded = answer.excluded.reduce((sum, { count: one }) => sum + one, 0);
  const considered = `${count(answer.considered, "way")} considered, ${number(excluded)} left out.`;
  if (!answer.plans.length) {
    return [empty("Nothing in the catalogue can do this", considered), leftOut(answer)];
  }
  const currency = answer.plans[0].scenario.currency;
  const columns = [
    { name: "plan", value: (plan) => `${plan.rank} ${plan.name}`, text: true },
    { name: answer.decide_by, unit: answer.unit, value: (plan) => plan.decisive, show: (value) => number(Math.round(value)) },
    {
      name: "a million tokens",
      unit: currency,
      value: (plan) => plan.summary["cost_per_million_units of serve"],
      show: (value) => money(value, currency),
    },
    { name: "size", value: sizeOf, text: true },
    {
      name: "evidence",
      value: (plan) => plan.evidence ?? "hosted",
      show: (_, plan) => evidence({ evidence: plan.evidence, units_served: 1 }),
      text: true,
    },
    ...(answer.uncertainty
      ? [{ name: "probability best", value: (plan) => plan.probability_best, show: (value) => percent(value) }]
      : []),
    { name: "oldest price", value: (plan) => plan.oldest_price, text: true },
    { name: "why", value: (plan) => plan.why, text: true },
    { name: "would come first at", value: (plan) => winsAt(plan, currency), text: true },
    { name: "", value: () => "", show: (_, plan) => keep(plan, request, signal), text: true },
  ];
  return [
    section(
      "Plans",
      { columns, rows: answer.plans, caption: `plans by ${answer.decide_by}` },
      "plans",
      `Ranked by ${answer.decide_by}. ${considered} Each plan is a whole scenario: keep it to change it or to compare it.`,
    ),
    uncertainties(answer),
    leftOut(answer),
  ];
}

// What the probabilities rest on.
function uncertainties({ uncertainty }) {
  if (!uncertainty) return null;
  const columns = [
    { name: "factor", value: (row) => row.factor.replaceAll("_", " "), text: true },
    { name: "multiplies", value: (row) => row.multiplies, text: true },
    { name: "5th percentile", value: (row) => row.p5, show: (value) => number(value) },
    { name: "95th percentile", value: (row) => row.p95, show: (value) => number(value) },
  ];
  return section(
    "Uncertainties",
    { columns, rows: uncertainty.factors, caption: "factors drawn in each sample" },
    "uncertainties",
    `${count(uncertainty.samples, "sample")}, ${count(uncertainty.in_running, "plan")} in the running. ` +
      `Another plan is the best in ${percent(uncertainty.probability_others)}, none in ${percent(uncertainty.probability_none)}. ` +
      `Assumed: ${uncertainty.assumption}.`,
  );
}

function sizeOf(plan) {
  return plan.scenario.pools
    .map((pool) => {
      if (pool.kind === "api") return "hosted";
      const units = pool.kind === "owned" ? pool.purchases.reduce((sum, { servers }) => sum + servers, 0) : pool.max_instances;
      const bound = pool.kind === "cloud" && pool.min_instances !== pool.max_instances ? "up to " : "";
      return bound + count(units, pool.kind === "owned" ? "server" : "instance");
    })
    .join(" + ");
}

function winsAt(plan, currency) {
  if (!plan.wins_at) return null;
  const { pointer, value } = plan.wins_at;
  if (pointer.endsWith("discount_fraction")) return `${percent(value)} off`;
  return `${money(value, currency)} ${pointer.endsWith("hourly_price") ? "an instance-hour" : "a server"}`;
}

// Stores the plan's scenario and shows its result.
function keep(plan, request, signal) {
  const id = `${request.workloads[0].model}.${plan.name}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .slice(0, 120)
    .replace(/[-._]+$/, "");
  const place = h("span", {});
  place.append(
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: async () => {
          try {
            await put(`/v1/scenarios/${id}`, { ...plan.scenario, id }, {}, signal);
            forget();
            goTo(linkTo("result", { scenario: id }));
          } catch (error) {
            if (error.name !== "AbortError") place.replaceChildren(errorState(error));
          }
        },
      },
      "Keep",
      h("span", { class: "unseen" }, ` plan ${plan.rank}`),
    ),
  );
  return place;
}

function leftOut(answer) {
  const columns = [
    { name: "reason", value: (row) => reasons[row.reason] ?? row.reason.replaceAll("_", " "), text: true },
    { name: "ways", value: (row) => row.count, show: (value) => number(value) },
    { name: "such as", value: (row) => row.examples.join("; "), text: true },
  ];
  return answer.excluded.length
    ? section("Left out", { columns, rows: answer.excluded, caption: "ways left out, by reason" }, "left-out")
    : null;
}
