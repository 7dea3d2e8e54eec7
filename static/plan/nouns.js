// Why one plan costs more than another, in four nouns, each in its own unit: the work of an hour, hours idle, the price of an hour, and
// everything else.
import { clause } from "../decision/words.js";
import { fromTo, money, unitOf } from "../format.js";
import { utilizationOf } from "../parts.js";
import { capital } from "../terms.js";

const cancels = 0.1; // of the gap: two that are against each other and come to less stand grey
const counts = 0.02; // of the gap: less than this is nothing to cancel

const sum = (steps) => steps.reduce((total, { amount }) => total + amount, 0);

function idleText(steps, results) {
  const [share] = steps.filter(({ driver }) => driver === "utilization");
  const [a, b] = share ? [1 - share.a, 1 - share.b] : results.map(utilizationOf).map((use) => (use === null ? null : 1 - use));
  return fromTo(a, b, "fraction").replace(/^–|–$/g, "no hours");
}
const hourText = ([step], _, currency) =>
  step.unit.startsWith("currency/")
    ? `${[step.a, step.b].map((value) => (value ? money(value, currency) : "–")).join(" → ")} a device-hour`
    : fromTo(step.a, step.b, unitOf(step.unit, currency), { brief: true });
const restText = (steps) => {
  const names = [...steps]
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
    .map(({ driver }) => (driver === "usage" ? "tokens bought" : driver === "work" ? "work on devices" : driver));
  return names.slice(0, 3).join(", ") + (names.length > 3 ? " and others" : "");
};

const nouns = [
  {
    name: "Work of an hour",
    is: (driver) => driver === "throughput",
    text: ([step], _, currency) => `${fromTo(step.a, step.b, unitOf(step.unit, currency), { brief: true })} a device`,
  },
  { name: "Hours idle", is: (driver) => driver === "utilization" || driver === "idle device-hours", text: idleText },
  { name: "Price of an hour", is: (driver) => /of a device-hour$/.test(driver), text: hourText },
  { name: "Everything else", is: () => true, text: restText },
];

// [{name, text, amount, isOff}] from the first of the pair to the second; those that cancel are off, and stand together.
export function nounsOf({ steps }, results, currency) {
  const left = [...steps].filter(({ amount }) => amount !== 0);
  const found = nouns.map(({ name, is, text }) => {
    const own = left.filter(({ driver }) => is(driver));
    for (const step of own) left.splice(left.indexOf(step), 1);
    return own.length ? { name, steps: own, amount: sum(own), text: text(own, results, currency), isOff: false } : null;
  });
  const list = found.filter(Boolean);
  const gap = Math.abs(sum(list));
  const large = (one) => Math.abs(one.amount) > counts * gap;
  for (const one of list)
    for (const other of list)
      if (
        one !== other &&
        one.amount * other.amount < 0 &&
        large(one) &&
        large(other) &&
        Math.abs(one.amount + other.amount) < cancels * gap
      )
        one.isOff = other.isOff = true;
  return list;
}

// Figures rounded so that they add up to the rounded difference: what is missing goes to those that lost most by rounding.
export function addingUp(first, amounts, last) {
  const rounded = amounts.map(Math.round);
  let missing = Math.round(last) - Math.round(first) - rounded.reduce((total, one) => total + one, 0);
  const byLoss = amounts
    .map((one, i) => i)
    .sort((a, b) => Math.sign(missing) * (amounts[b] - rounded[b] - (amounts[a] - rounded[a])));
  for (const i of byLoss) {
    if (!missing) break;
    rounded[i] += Math.sign(missing);
    missing -= Math.sign(missing);
  }
  return rounded;
}

const sentences = {
  "Hours idle": (one) => {
    const [a, b] = one.text.split(" → ");
    return `Its devices idle ${b} of the hours paid against ${a}`;
  },
};
const said = (one, currency) =>
  sentences[one.name]?.(one) ??
  capital(clause([...one.steps].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))[0], currency));

// Two sentences at most: what moves the difference most, and what adds to it or takes back.
export function becauseOf(list, currency, show) {
  const standing = list.filter(({ isOff }) => !isOff).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const gap = sum(list);
  const first = standing.find(({ amount }) => amount * gap > 0);
  if (!first) return { first: "They cost the same.", rest: "" };
  const others = standing.filter((one) => one !== first).slice(0, 2);
  const rest = others.map((one) => `${one.name} ${one.amount * gap > 0 ? "adds" : "takes back"} ${show(Math.abs(one.amount))}`);
  const reason = said(first, currency);
  const isAlike = / (\S.*) against \1$/.test(reason); // to the digits that are said
  return { first: `${isAlike ? `${first.name} makes ${show(Math.abs(first.amount))} of it` : reason}.`, rest: rest.length ? `${rest.join("; ")}.` : "" };
}
