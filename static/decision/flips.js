// Where the answer changes: the value of an assumption at which another plan becomes the cheapest, or the cheapest can't serve any more.
import { textOf, unitOf } from "./assumptions.js";
import { valueOf } from "./state.js";

// A question for /v1/sensitivity: each assumption over its slider, one at a time.
export function flipRequest({ concepts, answer }, request) {
  const { scenarios, ...rest } = request;
  const first = answer.cheapest;
  const inputs = concepts.map((concept) => {
    const now = concept.absolute ? 1 : valueOf(concept);
    return {
      pointer: concept.pointer,
      low: Math.max(concept.from / now, concept.absolute ? concept.from : 0.001),
      high: concept.to / now,
    };
  });
  return {
    ...rest,
    scenario: scenarios[first],
    against: scenarios.filter((_, i) => i !== first),
    inputs,
    output: `/total/${answer.decide_by}`,
  };
}

// [{concept, now, flips: {value, text} or null}]
export function flipsOf(sensitivity, { concepts, plans, answer }) {
  const others = plans.filter((_, i) => i !== answer.cheapest);
  return concepts.map((concept) => {
    const input = sensitivity.inputs.find((one) => one.pointer === concept.pointer);
    const now = valueOf(concept);
    const said = { concept, now: textOf(concept, now), flips: null };
    if (!input?.flips_at) return said;
    const value = concept.absolute ? input.flips_at.value : input.flips_at.value * now;
    const side = value > now ? "over" : "below";
    const why = input.flips_at.infeasible ? " (can't serve)" : "";
    const next = input.flips_at.cheapest > 0 ? others[input.flips_at.cheapest - 1]?.name : null;
    const at = textOf(concept, value);
    const flips = { value, next, text: `${side} ${at}${why}`, said: `${side} ${at} ${unitOf(concept, answer.currency)}${why}` };
    return { ...said, flips };
  });
}
