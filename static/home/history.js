// What a decision cost over the last 90 days, and which plan was its answer: what the API answers as of those times, to the day where it
// changes.
import { get } from "../api.js";
import { h } from "../dom.js";
import { date } from "../format.js";
import { answerOf, decisive } from "./standing.js";

const hour = 3600000; // ms
const day = 24 * hour;
const span = 90; // days
const parts = 3; // of the span, each looked at
const mostAsked = 32; // times a decision

const timeOf = (at) => new Date(at).toISOString();
const isOneDay = (a, b) => timeOf(a.time).slice(0, 10) === timeOf(b.time).slice(0, 10);
const same = (a, b) => a?.name === b?.name && a?.value === b?.value;

// What the answer was: {at, name, reference, value}; null where nothing ranked, or the plans were not stored.
const pointOf = (at, answered, references) =>
  answered?.answer
    ? { at, name: answered.answer.scenarios[answered.first].name, reference: references[answered.first], value: decisive(answered, answered.first) }
    : null;

async function bornAt([reference], signal) {
  const { items } = await get(`/v1/scenarios/${encodeURIComponent(reference)}/revisions`, { limit: 1 }, signal);
  return Date.parse(items[0].recorded_at);
}

// [{at, name, reference, value}], the oldest first, one a change; empty where the decision is younger than a day. `now` is its answer.
export async function historyOf(decision, now, signal) {
  const references = decision.scenarios;
  const end = Date.now();
  const begin = Math.max(end - span * day, await bornAt(references, signal));
  if (end - begin < day || !now.answer) return [];
  let asked = 0;
  const at = async (time) => {
    asked += 1;
    const answered = await answerOf(decision, timeOf(time), signal).catch((error) => {
      if (error.name === "AbortError") throw error;
      return null;
    });
    return { time, point: pointOf(time, answered, references) };
  };
  // Between two times whose answers differ, the first of each later answer, to the day.
  async function between(a, b) {
    if (same(a.point, b.point)) return [];
    if (isOneDay(a, b) || b.time - a.time <= hour || asked >= mostAsked) return [b];
    const middle = await at((a.time + b.time) / 2);
    return [...(await between(a, middle)), ...(await between(middle, b))];
  }
  const found = [await at(begin)];
  let before = found[0];
  for (let n = 1; n <= parts; ++n) {
    const next = n === parts ? { time: end, point: pointOf(end, now, references) } : await at(begin + ((end - begin) * n) / parts);
    found.push(...(await between(before, next)));
    before = next;
  }
  return found.filter(({ point }) => point).map(({ time, point }) => ({ ...point, at: time }));
}

// The day on which the answer became another plan, the last one: {at, from}; null where it did not.
export function flipOf(history) {
  const last = history.findLastIndex((one, i) => i > 0 && one.name !== history[i - 1].name);
  return last < 0 ? null : { at: history[last].at, from: history[last - 1].name };
}

// The last change of what the same plan costs: {at, fraction}; null where there is none after the last flip.
export function moveOf(history) {
  const last = history.length - 1;
  if (last < 1 || history[last].name !== history[last - 1].name) return null;
  return { at: history[last].at, fraction: history[last].value / history[last - 1].value - 1 };
}

const [wide, high, room] = [104, 26, 4];
const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const dayOf = (at) => date(timeOf(at));

// The line: its height is the cost of the best plan, its colour the plan of that day. `colourOf(reference)`, `show(value)`.
export function lineOf(history, { colourOf, show }) {
  if (!history.length) return h("span", { class: "small", title: "Known for less than a day" }, "–");
  const end = Date.now();
  const values = history.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const begin = history[0].at;
  const x = (at) => (wide - room) * ((at - begin) / (end - begin || 1));
  const y = (value) => (most > least ? high - room - ((high - 2 * room) * (value - least)) / (most - least) : high / 2);
  const changes = history.slice(1).map(({ at, name, value }, i) => `${dayOf(at)}: ${name === history[i].name ? "" : `${name}, `}${show(value)}`);
  const text = `Since ${dayOf(begin)}: ${history[0].name}, ${show(values[0])}${changes.length ? `; ${changes.join("; ")}` : "; no change"}`;
  const picture = svg("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-label": text, class: "spark" });
  const title = svg("title", {});
  title.textContent = text;
  picture.append(title);
  history.forEach(({ at, value, reference }, i) => {
    const next = history[i + 1];
    const to = next ? ` H${x(next.at)} V${y(next.value)}` : ` H${x(end)}`;
    const step = svg("path", { d: `M${x(at)} ${y(value)}${to}` });
    step.style.setProperty("--k", colourOf(reference));
    picture.append(step);
  });
  const dot = svg("circle", { cx: x(end), cy: y(values.at(-1)), r: 2.5 });
  dot.style.setProperty("--k", colourOf(history.at(-1).reference));
  picture.append(dot);
  return picture;
}
