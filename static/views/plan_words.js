// What a ranking says in sentences.
import { number, quantity } from "../format.js";

export const sentence = (words) => (words ? `${words[0].toUpperCase()}${words.slice(1)}.` : "");

// Of several workloads, each one's first plan without the others: pools of their own may cost less.
export const apartWords = ({ apart, unit }) =>
  `Each by itself: ${apart.map(({ workload, name, decisive }) => `${workload} on ${name}, ${quantity(decisive, unit)}`).join("; ")}; ` +
  `together ${quantity(apart.reduce((sum, { decisive }) => sum + decisive, 0), unit)}.`;

// The device that comes nearest to objectives that none keeps.
export const nearestWords = ({ device, devices, precision, ttft_s: first, itl_s: between, times_over: times }) =>
  `Nearest to the objectives is ${number(devices)}× ${device} at ${precision}: a request that waits for no other takes ` +
  `${number(first)} s to its first token and ${number(between)} s between tokens, ${number(times)} times the objective.`;
