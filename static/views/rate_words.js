// A rate in words: what it is of, how sure it is, what limits it.
import { deviceWords } from "../document_facts.js";
import { count, date, latency, number, percent, quantity } from "../format.js";

const bounds = {
  reading: "reading weights and caches from memory",
  arithmetic: "the arithmetic of the tokens out",
  prompts: "the prompts of the requests that run",
  communication: "communication between the devices",
  overhead: "overhead by layer and by sequence",
};
export const boundWords = (bound) => bounds[bound] ?? bound;

export const rateOf = (value) => quantity(value, "tokens/s", { brief: true });
export const replicaWords = ({ devices, device }) => `${number(devices)}× ${deviceWords(device)}`;
export const lengthsWords = ({ input, output, cached_input: cached }) =>
  [
    `${count(Math.round(input), "token")} in`,
    cached ? `${number(Math.round(cached))} of them cached` : null,
    `${number(Math.round(output))} out`,
  ]
    .filter(Boolean)
    .join(", ");

// A measured point, with what it was measured on.
export const measuredWords = ({ measurement, ...point }) =>
  [
    `${replicaWords(measurement)} ${measurement.precision}${measurement.framework ? `, ${measurement.framework}` : ""}`,
    point.input === undefined ? null : lengthsWords(point),
    [measurement.publisher, measurement.date ? date(measurement.date) : null].filter(Boolean).join(", ") || null,
  ]
    .filter(Boolean)
    .join("\n");

export const rateSentence = (answer) =>
  `${answer.model} at ${answer.precision} on ${replicaWords(answer)}: ${rateOf(answer.output_per_s)} out ` +
  `with ${count(answer.concurrency, "request")} at a time`;

export const intervalSentence = ({ low, high }) =>
  `In 8 of 10 cases it is between ${quantity(low, "", { brief: true })} and ${rateOf(high)} (10th to 90th percentile).`;

// An answer of one token has no time between tokens.
const furtherWords = ({ output, itl_s: seconds }, by) => (output > 1 ? `, each further one ${by} ${latency(seconds)}` : "");
export const latencySentence = (answer) => {
  const of = answer.percentile ? `For ${number(answer.percentile)} of 100 requests the` : "The";
  const by = answer.percentile ? "within" : "after";
  return (
    `${of} first token comes ${by} ${latency(answer.ttft_s)}${furtherWords(answer, by)}; a request of ${lengthsWords(answer)} ` +
    `takes ${answer.percentile ? "at most " : ""}${latency(answer.e2e_s)}. ` +
    `That is ${quantity(answer.requests_per_s, "requests/s", { brief: true })}.`
  );
};

export const boundSentence = (answer) =>
  `Most of a step goes to ${boundWords(answer.bound)}; the rate is ${percent(answer.ceiling)} of what the device's ` +
  `${answer.ceiling_of} allows.`;

const wattsBy = {
  estimated: "by the device's power curve",
  assumed: "by the default shape of power over load, as nothing of it is measured",
};
export const powerSentence = ({ watts, joules_per_output: joules, watts_evidence: by }) =>
  `The devices draw ${quantity(watts, "W", { brief: true })}, ${quantity(joules, "J", { brief: true })} a token out, ` +
  `without hosts: ${wattsBy[by] ?? `${by}, by watts that were measured near it`}.`;

export const trainingSentence = (answer) =>
  `${answer.model} trained in ${answer.precision} on ${replicaWords(answer)}` +
  `${answer.method === "lora" ? " by low-rank adapters" : ""}: ${rateOf(answer.tokens_per_s)}`;

export const shareSentence = ({ tokens_per_s_device: device, mfu }) =>
  `That is ${rateOf(device)} a device, ${percent(mfu)} of its peak (model FLOPs utilization).`;

export const stepOfRunSentence = ({ sequence, tokens_per_step: tokens, tokens_per_s: rate }) =>
  `A step of ${number(tokens)} tokens in samples of ${count(sequence, "token")} takes ${latency(tokens / rate)}.`;

// Where the caches' memory is full, requests wait.
export const waitingSentence = ({ running, concurrency }) =>
  running < concurrency
    ? `The caches' memory holds ${count(Math.floor(running), "request")} at a time: ` +
      `the other ${number(concurrency - Math.floor(running))} wait, and the first token takes as much longer.`
    : null;

export const stepSentence = ({ step }) =>
  `A step of ${latency(step.total_s)}: reading ${latency(step.reading_s)}, arithmetic ${latency(step.arithmetic_s)}, ` +
  `prompts ${latency(step.prompts_s)}, communication ${latency(step.communication_s)}, overhead ${latency(step.overhead_s)}.`;
