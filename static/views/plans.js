// Plans: from a model and a request rate to every way that the catalogue offers, the best first, and why. The URL is the question.
import { post, postWithProgress, put } from "../api.js";
import { freeId, idOf, keepDecision } from "../decision/menu.js";
import { knownModels, rankRequest, startForm } from "../decision/start.js";
import { numbersOf } from "../colours.js";
import { period } from "../decision/words.js";
import { deviceWords } from "../document_facts.js";
import { h } from "../dom.js";
import { columnDigits, count, date as day, fixedMoney, money, number, percent } from "../format.js";
import { evidence, heading, priced } from "../parts.js";
import { go } from "../router.js";
import { daysSince } from "../sources/prices.js";
import { empty, errorState, fill } from "../states.js";
import { forget, ownPrefix } from "../store.js";
import { section } from "../table.js";
import { limitBar, limited } from "./plan_limits.js";
import { apartWords, nearestWords, sentence } from "./plan_words.js";
import { progressBar } from "./question_parts.js";
import { replicaLink } from "./rate_question.js";

const reasons = {
  availability: "lose more to outages than the availability leaves",
  dearer_region: "sold for less in another region on the same terms",
  estimate_only: "estimates of a price, at which nobody sells",
  paid_price: "prices that a bill says were paid, which nobody offers",
  exceeds_context: "longer than the model's context",
  exceeds_memory: "too little memory in one host for the weights and one request",
  currency_unknown: "priced by a curve that states no currency",
  ineligible_latency: "too slow for the stated objective at any load",
  latency_unknown: "not known to keep the stated objective",
  missing_exchange_rate: "priced in another currency",
  market_level: "levels of the market, at which nobody sells",
  no_peak_at_precision: "does not compute at the precision that the model is published in",
  no_performance: "no rate of this model and no facts to estimate one",
  no_rate_that_fits: "rates are of more devices than the host has",
  no_room_price: "sites that do not state what room costs",
  no_smaller_base: "hybrids whose base does all the work with one unit",
  old_price: "prices of more than two years ago",
  one_stage: "servers bought in stages that one stage covers",
  other_model: "hosted models other than this one",
  region: "not where the work may run, or nobody knows where",
  part_of_hybrids: "single ways, which hybrids and mixes are made of",
  outages: "lose above 0.1 % to outages",
  spares: "hybrids whose base serves without the spares that are asked for",
  spot: "spot, which the request leaves out",
  spot_alone: "spot with nothing below it that is not taken away",
  unknown_memory: "hosted models, which state no memory, and the work asks for some",
  unknown_precision: "hosted models, which state no precision, and one is asked for",
  unserved: "can't serve all of it",
};

export async function plans(params, place, { signal }) {
  const known = await knownModels(signal);
  place.append(
    heading(
      "Plans",
      "Every way that the catalogue offers to serve a model, sized for its peak, evaluated whole, the cheapest of what is known first.",
    ),
    h(
      "section",
      { class: "box start", "aria-label": "The work" },
      startForm(params, known, (next) => go(next)),
    ),
  );
  if (!known.length) {
    place.append(empty("The catalogue is empty", "deploy/run stores it at its first start; an import stores it by hand."));
    return;
  }
  place.append(await limitBar(params, signal));
  if (!params.get("model")) return;
  const answerPlace = h("div", { class: "wide" });
  const bar = progressBar();
  place.append(answerPlace);
  answerPlace.append(bar.element);
  const request = limited(rankRequest(params), params);
  const answer = postWithProgress("/v1/rank", request, bar.update, signal);
  await fill(
    answerPlace,
    async () => ranking(await withResults(await answer, signal), request, Number(params.get("budget")) || null, signal),
    "Looking at the catalogue…",
  );
}

// Each plan with its result: what its devices do and cost is a figure of that.
async function withResults(answer, signal) {
  if (!answer.plans.length) return answer;
  const { scenarios } = await post("/v1/compare", { scenarios: answer.plans.map((plan) => plan.scenario) }, signal);
  return { ...answer, plans: answer.plans.map((plan, i) => ({ ...plan, result: scenarios[i].result })) };
}

// Money of a column, each with as many decimals as the others.
const moneys = (currency) => (values) => {
  const digits = columnDigits(values);
  return (value) => (value === null ? "–" : fixedMoney(value, currency, digits));
};

function ranking(answer, request, budget, signal) {
  const excluded = answer.excluded.reduce((sum, { count: one }) => sum + one, 0);
  const considered = `${count(answer.considered, "way")} considered: ${number(answer.ranked)} ranked, ${number(excluded)} left out.`;
  if (!answer.plans.length) {
    const apart = answer.apart.length ? ` ${apartWords(answer)}` : "";
    const nearest = answer.nearest ? ` ${nearestWords(answer.nearest)}` : "";
    return [empty("Nothing in the catalogue can do this", considered + nearest + apart), leftOut(answer)];
  }
  const currency = answer.plans[0].scenario.currency;
  const chosen = new Set(firstChosen(answer.plans, request.limits?.devices ?? []).map((plan) => plan.rank));
  const columns = [
    {
      name: "plan",
      value: (plan) => `${plan.rank} ${plan.name}`,
      show: (text, plan) => h("label", {}, chooser(plan, chosen), ` ${text}`),
      text: true,
    },
    {
      name: answer.decide_by,
      unit: answer.unit,
      value: (plan) => plan.decisive,
      show: (value) => [number(Math.round(value)), budget && value > budget ? h("small", { class: "bad" }, " over budget") : ""],
    },
    {
      name: "a million tokens",
      unit: currency,
      value: (plan) => plan.summary["cost_per_million_units of serve"],
      showAll: moneys(currency),
    },
    { name: "devices", value: (plan) => `${devicesOf(plan)}, ${sizeOf(plan)}`, text: true },
    {
      name: "replica",
      value: replicasOf,
      show: (_, plan) => replicaLinks(plan, request.workloads),
      text: true,
    },
    { name: "at the peak", value: peakOf, text: true },
    {
      name: "busy device",
      unit: "tokens/s",
      value: (plan) => rateOf(plan.result),
      show: (value) => (value === null ? "–" : number(Math.round(value))),
    },
    {
      name: "device-hour",
      unit: currency,
      value: (plan) => hourOf(plan.result),
      showAll: moneys(currency),
    },
    {
      name: "evidence",
      value: (plan) => plan.evidence ?? "hosted",
      show: (_, plan) => evidence({ evidence: plan.evidence, units_served: 1 }),
      text: true,
    },
    ...(answer.uncertainty
      ? [
          {
            name: "p10 to p90",
            unit: currency,
            value: (plan) => plan.row.low,
            show: (low, { row, tied }) => (low === null ? "–" : `${money(low, currency)} to ${money(row.high, currency)}${tied ? ", level" : ""}`),
          },
          { name: "probability best", value: (plan) => plan.probability_best, show: (value) => percent(value) },
          { name: "holds", value: (plan) => plan.row.probability_feasible, show: (value) => percent(value) },
        ]
      : []),
    { name: "oldest price", value: (plan) => plan.oldest_price, show: priceAge, text: true },
    { name: "prices", value: (plan) => plan.prices.map((one) => `${one.pool}: ${priced(one)}`).join("; ") || null, text: true },
    { name: "why", value: (plan) => plan.why, text: true },
    { name: "warnings", value: (plan) => plan.row.warnings.map((code) => code.replaceAll("_", " ")).join(", ") || null, text: true },
    { name: "would come first at", value: (plan) => winsAt(plan, currency), text: true },
  ];
  return [
    useBar(answer, { request, budget, chosen }, signal),
    section(
      "Plans",
      { columns, rows: answer.plans, caption: `plans by ${answer.decide_by}` },
      "plans",
      `Ranked by ${answer.decide_by}. ${considered} Each plan is a whole scenario. ${sentence(answer.level)}`.trim(),
    ),
    answer.apart.length ? h("p", { class: "wide small" }, apartWords(answer)) : null,
    answer.nearest ? h("p", { class: "wide small" }, nearestWords(answer.nearest)) : null,
    uncertainties(answer),
    assumptions(answer),
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

// What plans take for granted of outages.
function assumptions(answer) {
  const columns = [
    { name: "assumed", value: (row) => row.what.replaceAll("_", " "), text: true },
    { name: "value", value: (row) => `${row.value} ${row.unit}`.trim(), text: true },
    { name: "why", value: (row) => row.why, text: true },
    { name: "to change it", value: (row) => row.change, text: true },
  ];
  return answer.assumptions.length
    ? section("Assumptions", { columns, rows: answer.assumptions, caption: "what the catalogue and the request do not state" }, "assumptions")
    : null;
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

// Stores a decision of the chosen plans, with their scenarios under its id: they are its own, and no other decision changes them.
async function useChosen(answer, { request, budget, chosen }, signal) {
  const { model, demand } = request.workloads[0];
  const { mean_per_s: rate, growth_per_month: growth } = demand;
  const plans = answer.plans.filter((plan) => chosen.has(plan.rank));
  const asked = `${model}, ${number(rate)} requests/s${growth ? ` growing ${percent(growth)} a month` : ""}, ${period(request)}`;
  const name = `Serve ${model} at ${number(rate)} requests/s, ${period(request)}`;
  const decision = await freeId(name);
  const ids = [];
  for (const plan of plans) ids.push(await create(plan.scenario, cutId(`${ownPrefix(decision)}${idOf(plan.name)}`), signal));
  forget();
  await keepDecision({
    id: decision,
    name,
    question: `How do we serve ${asked}?`,
    scenarios: ids,
    baseline: ids[0],
    colours: Object.fromEntries(numbersOf(ids, {})),
    ...(budget && { budget }),
  });
}

const cutId = (id) => id.slice(0, 120).replace(/[-._]+$/, ""); // an id has at most 128 characters
const exists = 412; // of a PUT with If-None-Match

// Stores a scenario under an id, or, where it is taken, under the first with a number behind it that is not.
async function create(scenario, base, signal) {
  for (let n = 1; ; ++n) {
    const id = n === 1 ? base : `${base}-${n}`;
    try {
      await put(`/v1/scenarios/${id}`, { ...scenario, id }, { "If-None-Match": "*" }, signal);
      return id;
    } catch (error) {
      if (error.status !== exists) throw error;
    }
  }
}

function useBar(answer, { request, budget, chosen }, signal) {
  const wrong = h("div", {});
  return h(
    "div",
    { class: "wide use" },
    h(
      "button",
      {
        type: "button",
        class: "btn first",
        id: "use-plans",
        onclick: ({ currentTarget: button }) => {
          button.disabled = true; // a second click would be a second decision
          useChosen(answer, { request, budget, chosen }, signal).catch((error) => {
            button.disabled = false;
            if (error.name !== "AbortError") wrong.replaceChildren(errorState(error));
          });
        },
      },
      "Decide between the chosen plans",
    ),
    h("span", { class: "small" }, " Each is kept as a scenario; the decision has sliders, chances, a map and reasons."),
    wrong,
  );
}

const chooser = (plan, chosen) =>
  h("input", {
    type: "checkbox",
    checked: chosen.has(plan.rank),
    "aria-label": `Use plan ${plan.rank}`,
    onchange: (event) => (event.target.checked ? chosen.add(plan.rank) : chosen.delete(plan.rank)),
  });

// What a plan's devices are, of several pools one after another.
const devicesOf = (plan) =>
  plan.scenario.pools
    .map((pool) => {
      const part = pool.offer ?? pool.server;
      return part ? `${part.devices}× ${deviceWords(part.device)}` : (pool.endpoint?.model ?? "hosted model");
    })
    .join(" + ");

// The replicas of a plan's pools: devices, precision, cache, the requests that each holds at a time, the share of what the device can do
// at most, and how many are spare.
const replicaText = ({ devices, precision, kv_bits: bits, ceiling, ceiling_of: of, concurrency, spares }) =>
  [
    `${number(devices)}× ${precision}`.trim(),
    bits ? `${number(bits)}-bit cache` : null,
    concurrency ? `${count(concurrency, "request")} at a time` : null,
    ceiling ? `${percent(ceiling)} of what its ${of} allows` : null,
    spares ? `${number(spares)} spare` : null,
  ]
    .filter(Boolean)
    .join(", ");
// What each does in the highest hour: how busy it is, and what its requests take, waiting included.
const peakText = ({ utilization, ttft_s: first, itl_s: between }) =>
  [
    `${percent(utilization)} busy`,
    first === null ? null : `${number(Math.round(first * 1000))} ms to the first token`,
    between === null ? null : `${number(Math.round(between * 1000))} ms between`,
  ]
    .filter(Boolean)
    .join(", ");
const peakOf = (plan) =>
  plan.replicas
    .filter((replica) => replica.at_peak)
    .map((replica) => peakText(replica.at_peak))
    .join(" + ") || null;
const replicasOf = (plan) => plan.replicas.map(replicaText).join(" + ") || null;
// Tokens of the mean request, of which rates are.
const meanOf = ({ units_per_request: units, token_mix: mix }) => {
  const mean = (name) => mix.reduce((sum, bucket) => sum + bucket.share * (bucket[name] ?? 0), 0);
  return mix?.length ? { input: mean("input"), output: mean("output") } : (units ?? {});
};
const replicaLinks = (plan, workloads) =>
  plan.replicas.flatMap((replica, i) => {
    const workload = workloads.find(({ id }) => id === replica.workload);
    return [i ? " + " : "", replicaLink({ ...replica, model: workload.model }, meanOf(workload), replicaText(replica))];
  });

const ofDevices = (result) => Object.values(result.by_pool).filter((pool) => pool.kind !== "api");
const sumOf = (pools, member) => pools.reduce((sum, pool) => sum + pool[member], 0);

// Tokens that a device does in a second at work; null where hosted models serve a part, as that is not known apart.
function rateOf(result) {
  const pools = ofDevices(result);
  const isWhole = pools.length > 0 && pools.length === Object.keys(result.by_pool).length;
  return isWhole ? result.by_workload.serve.units_served / sumOf(pools, "busy_device_hours") / 3600 : null;
}

// What an hour of a device costs, used or not.
function hourOf(result) {
  const pools = ofDevices(result);
  return pools.length ? sumOf(pools, "cost") / sumOf(pools, "available_device_hours") : null;
}

const priceAge = (date) => (date ? `${day(date)}, ${count(daysSince(date), "day")} old` : "not dated");

// The plans that are ticked at first: the best ones, or, of several devices that were asked for, the best of each: of that device alone,
// where there is one.
const mostTicked = 5;
function firstChosen(plans, devices) {
  const has = (pool, device) => [pool.offer, pool.server].some((part) => (part?.device?.id ?? part?.device) === device);
  const best = (device) =>
    plans.find(({ scenario }) => scenario.pools.every((pool) => has(pool, device))) ??
    plans.find(({ scenario }) => scenario.pools.some((pool) => has(pool, device)));
  return devices.length > 1
    ? devices.map(best).filter(Boolean)
    : plans.slice(0, mostTicked);
}

function leftOut(answer) {
  const columns = [
    { name: "reason", value: (row) => reasons[row.reason] ?? row.reason.replaceAll("_", " "), text: true },
    { name: "ways", value: (row) => row.count, show: (value) => number(value) },
    { name: "such as", value: (row) => [row.note, ...row.examples].filter(Boolean).join("; "), text: true },
  ];
  return answer.excluded.length
    ? section("Left out", { columns, rows: answer.excluded, caption: "ways left out, by reason" }, "left-out")
    : null;
}
