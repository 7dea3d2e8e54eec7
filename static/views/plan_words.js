// What a ranking says in sentences.
import { latency, number, quantity } from "../format.js";
import { deviceShort } from "../plan/names.js";

// Of several workloads, each one's first plan without the others: pools of their own may cost less.
export const apartWords = ({ apart, unit }) =>
  `Each by itself: ${apart.map(({ workload, name, decisive }) => `${workload} on ${name}, ${quantity(decisive, unit)}`).join("; ")}; ` +
  `together ${quantity(
    apart.reduce((sum, { decisive }) => sum + decisive, 0),
    unit,
  )}.`;

// The device that comes nearest to objectives that none keeps.
export const nearestWords = ({ device, devices, precision, ttft_s: first, itl_s: between, times_over: times }) =>
  `Nearest to the objectives is ${number(devices)} ${deviceShort(device)} at ${precision}: a request that waits for no other takes ` +
  `${latency(first)} to its first token and ${latency(between)} between tokens, ${number(times, "", 1)} times the objective.`;

// What stands below a sentence that no plan holds.
export const belowNone = (answer) =>
  answer?.nearest
    ? [nearestWords(answer.nearest)]
    : answer
      ? [`${number(answer.considered)} ways were considered; below is why each was left out.`]
      : [];

// What the chances rest on.
export function drawsOf({ uncertainty }) {
  if (!uncertainty) return "";
  const factors = uncertainty.factors.map(
    ({ factor, p5, p95 }) => `${factor.replaceAll("_", " ")} ${number(p5, "", 2)} to ${number(p95, "", 2)}`,
  );
  return `${number(uncertainty.samples)} draws of ${number(uncertainty.in_running)} plans in the running, 5th to 95th percentile: ${factors.join(", ")}.`;
}
