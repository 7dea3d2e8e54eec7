// How a decision stands: its answer now, what it was at the last visit, and its chances, by the draws of its page.
import { post } from "../api.js";
import { present } from "../decision/concepts.js";
import { plansOf } from "../decision/plans.js";
import { drawsOf, levelOf, orderOf } from "../decision/requests.js";
import { bestChance, lacked, mayRank } from "../decision/words.js";
import { date, percent } from "../format.js";

const moved = 0.005; // of the figure: less is no move
const recent = 30 * 86400000; // ms

const compared = (references, asOf, signal) =>
  post("/v1/compare", { scenarios: references, ...(asOf ? { as_of: asOf } : {}) }, signal);

// {answer, first, second}: plans by number, or {why} where nothing ranks.
export async function answerOf({ scenarios: references }, asOf, signal) {
  const answer = await compared(references, asOf, signal);
  if (!answer.comparable) return { why: "the plans don't do the same work" };
  if (answer.cheapest === null) {
    const { result } = answer.scenarios[0];
    return { why: (mayRank(result) ? "" : lacked(result)) || "the figure that decides is not known", holds: false };
  }
  const able = orderOf(answer).filter((i) => mayRank(answer.scenarios[i].result) && answer.scenarios[i].result.decisive !== null);
  return { answer, first: able[0], second: able[1], able: able.length };
}

export const decisive = ({ answer }, i) => answer.scenarios[i].result.decisive;

// The states, in the order in which they need a look.
export const states = ["flipped", "none", "moved", "level", "unknown", "asked", "fresh"];

const dayMonth = (at) => date(new Date(at).toISOString()).replace(/ \d{4}$/, "");

// {state, word, cause, tone}: of an answer now, that of the last visit, the last flip of its history {at, from}, and which plans are level
// with the first, where that is known. A flip is one since the last visit; of somebody who has marked nothing as seen, one of the last 90
// days. `isPrices`: the plans are as they were, so that what moved is prices. `move` is the last of its figure's moves {at, fraction}; where
// nothing was marked as seen, one of the last 30 days counts.
export function stateOf({ now, then, seen, flip, move, level = [], isPrices = true }) {
  const since = seen ? `since ${date(seen)}` : "";
  if (now.why)
    return { state: "none", word: now.holds === false ? "no plan holds" : "not comparable", cause: now.why, tone: "bad" };
  const nameOf = ({ answer, first }) => answer.scenarios[first].name;
  const isNew = flip && (!seen || flip.at > Date.parse(seen));
  if (isNew || (then?.answer && nameOf(then) !== nameOf(now))) {
    const was = isNew ? flip.from : nameOf(then);
    const word = `answer flipped ${isNew ? dayMonth(flip.at) : ""}`.trim();
    return { state: "flipped", word, cause: `was ${was} ${isNew ? "" : since}`.trim(), tone: "bad" };
  }
  if (then?.why) return { state: "flipped", word: "holds again", cause: `${then.why} ${since}`.trim(), tone: "warn" };
  const change = then?.answer ? decisive(now, now.first) / decisive(then, then.first) - 1 : 0;
  if (Math.abs(change) > moved)
    return { state: "moved", word: `${isPrices ? "prices" : "plans"} moved ${percent(change, { signed: true })}`, cause: since, tone: "warn" };
  if (!seen && move && Math.abs(move.fraction) > moved && Date.now() - move.at < recent)
    return { state: "moved", word: `prices moved ${percent(move.fraction, { signed: true })}`, cause: `on ${dayMonth(move.at)}`, tone: "warn" };
  if (level.length) {
    const names = level.map((i) => now.answer.scenarios[i].name);
    const cause = `${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""} may be the cheapest as well: in more than 1 draw in 10`;
    return { state: "level", word: "level", cause, tone: "warn" };
  }
  return { state: "fresh", word: "up to date", cause: "", tone: "good" };
}

// {best: the chance of each plan, low, high: of the first plan, level: those that are level with it} by the page's own draws; null of one
// plan.
export async function chancesOf(decision, now, asOf, signal) {
  if (decision.scenarios.length < 2 || !now.answer) return null;
  const plans = await plansOf(decision.scenarios, decision.colours ?? {}, asOf, signal);
  if (plans.length !== decision.scenarios.length) return null;
  const ranged = (concept) => ({ ...concept, ...decision.ranges?.find(({ pointer }) => pointer === concept.pointer) });
  const baseline = Math.max(0, decision.scenarios.indexOf(decision.baseline));
  const view = { concepts: present(plans).map(ranged), stored: decision, answer: now.answer, baseline, budget: null };
  const request = { scenarios: plans.map(({ request: one }) => one), ...(asOf ? { as_of: asOf } : {}) };
  const { by_month, ...rest } = drawsOf(view, request);
  const answer = await post("/v1/simulate", rest, signal);
  const output = `/total/${now.answer.decide_by}`;
  const { p10, p90 } = answer.scenarios[now.first].outputs[output] ?? {};
  const best = answer.scenarios.map((_, i) => bestChance(answer, i));
  const level = await levelOf({ ...view, plans, request, chances: answer }, signal);
  return { best, low: p10 ?? null, high: p90 ?? null, level };
}
