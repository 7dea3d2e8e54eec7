// What a decision asks the API, and the order of its plans.
import { post } from "../api.js";
import { present, reaching } from "./concepts.js";
import { seed } from "./start.js";
import { bestChance, mayRank, sure } from "./words.js";

const samples = 400;
const oneInTen = 0.1; // of the draws

// The bridge from one plan to another, by index.
export async function bridge(request, plans, [from, to], signal) {
  if (from === to || from === undefined || to === undefined) return null;
  const { scenarios: all, ...rest } = request;
  const of = reaching(rest, [plans[from], plans[to]]);
  const answer = await post("/v1/compare", { ...of, scenarios: [all[from], all[to]], baseline: 0 }, signal);
  return answer.waterfalls[0];
}

// The same bridge from its other end: a third of the time of an answer is saved where the sentence and the reasons are of one pair.
export function turned(waterfall) {
  if (!waterfall?.bridge) return waterfall;
  const steps = [...waterfall.bridge.steps].reverse().map((step) => ({ ...step, amount: -step.amount, a: step.b, b: step.a }));
  return { ...waterfall, bridge: { ...waterfall.bridge, steps } };
}

// Those that can do the work by the figure that decides, unknown ones behind them; then those that can't.
export function orderOf({ scenarios: all }) {
  const worth = ({ result }) => [mayRank(result) ? 0 : 1, result.decisive === null ? 1 : 0, result.decisive ?? 0];
  return all
    .map((_, i) => i)
    .sort((a, b) => {
      const [one, other] = [worth(all[a]), worth(all[b])];
      const at = one.findIndex((value, i) => value !== other[i]);
      return at < 0 ? a - b : one[at] - other[at];
    });
}

// The order, the pair that is explained and whose sentence is said: all that a compared answer and the address give.
export function choiceOf(compared, plans, from) {
  const order = orderOf(compared);
  const at = (name, other) => {
    const found = plans.findIndex((plan) => plan.reference === from.get(name));
    return found < 0 ? other : found;
  };
  const first = at("a", order[0]);
  return { order, pair: [first, at("b", order.find((i) => i !== first) ?? first)] };
}

// Draws of the assumptions within the ranges that are drawn, as multiples of what is stated. Who is the best is said as a ranking of the
// plans says it, unless the decision has ranges of its own.
export function drawsOf({ concepts, stored, answer, baseline, budget }, request) {
  const triangular = ({ low, high, absolute, base }) =>
    absolute
      ? { kind: "triangular", low: Math.min(low, base), mode: base, high: Math.max(high, base) }
      : { kind: "triangular", low: Math.min(low, 1), mode: 1, high: Math.max(high, 1), relative: true };
  const set = request.set ?? {};
  const inputs = concepts
    .filter((concept) => concept.low < concept.high && !(concept.absolute && set[concept.pointer] === 0)) // what is left out is not drawn
    .map((concept) => ({
      pointer: concept.pointer,
      distribution: triangular({ ...concept, base: set[concept.pointer] ?? concept.base }),
    }));
  return {
    ...request,
    inputs,
    samples,
    seed,
    ...(stored.ranges?.length ? {} : { sized_anew: true }),
    outputs: [`/total/${answer.decide_by}`],
    by_month: true,
    baseline,
    ...(budget
      ? {
          budgets: request.scenarios.map((_, scenario) => ({
            output: `/total/${answer.decide_by}`,
            scenario,
            amount: budget,
          })),
        }
      : {}),
  };
}

// The plans, by number, that are level with the cheapest: in more than one draw in ten they do the work for less than it, and, where they are
// not sized anew in each, they do it as surely. What the draws of all don't say is drawn against the cheapest alone.
export async function levelOf({ chances, answer, plans, concepts, ...view }, signal) {
  const first = answer.cheapest;
  const { scenarios, ...rest } = view.request;
  const drawn = (i) => chances.scenarios[i].outputs[`/total/${answer.decide_by}`];
  const chanceOf = async (i) => {
    const isDearer = !chances.uncertainty && drawn(i)?.p5 > drawn(first)?.p95; // one in twenty, twice
    if (isDearer || plans.length === 2 || bestChance(chances, i) > oneInTen) return bestChance(chances, i);
    const pair = [plans[first], plans[i]];
    const own = present(pair).map(({ pointer }) => pointer);
    const of = { ...view, answer, concepts: concepts.filter(({ pointer }) => own.includes(pointer)), baseline: 0, budget: null };
    const { by_month, ...request } = drawsOf(of, { ...reaching(rest, pair), scenarios: [scenarios[first], scenarios[i]] });
    const { scenarios: two } = await post("/v1/simulate", request, signal);
    return bestChance({ scenarios: two, uncertainty: chances.uncertainty }, 1); // by the same draws as those of all
  };
  const holds = (i) => chances.scenarios[i].probability_feasible ?? 0;
  const isAble = ({ result }, i) => mayRank(result) && result.decisive !== null && (chances.uncertainty || holds(i) >= Math.min(sure, holds(first)));
  const others = orderOf(answer).filter((i) => i !== first && isAble(answer.scenarios[i], i));
  const level = [];
  for (const i of others) if ((await chanceOf(i)) > oneInTen) level.push(i); // one after the other: they are long questions
  return level;
}
