// How well a rate is known, as a panel: its interval on an axis, and the measured runs that it was made of.
import { get } from "../api.js";
import { h } from "../dom.js";
import { date, number, percent } from "../format.js";
import { linkTo } from "../router.js";
import { evidenceMark } from "../parts.js";

const mostRuns = 4;
export const rounded = (value) => number(Number(value.toPrecision(3)));

// The measurements that moved a rate, each once, the weightiest first: {ids, runs}, a run null where it is gone.
export async function runsOf({ from }, signal) {
  const ids = [...new Set(from.map(({ measurement }) => measurement))].slice(0, mostRuns);
  const runs = await Promise.all(ids.map((id) => get(`/v1/measurements/${encodeURIComponent(id)}`, {}, signal).catch(() => null)));
  return { ids, runs };
}

export const rateBox = () => h("section", { class: "panel", id: "evidence", "aria-labelledby": "evidence-title", hidden: true });

export const rateHead = (evidence) =>
  h(
    "div",
    { class: "bar" },
    h("h2", { id: "evidence-title" }, "How well is the rate known?"),
    h("div", { class: "tools" }, evidenceMark(evidence)),
  );

// Where a rate and its 8 in 10 lie between 0 and a fifth more than the most; `measured` are numbered as in the list below.
export function rateAxis({ rate, low, high, measured, unit }) {
  const most = 1.2 * Math.max(rate, high ?? 0);
  const at = (value) => `${(100 * value) / most}%`;
  const text = `${rounded(rate)} ${unit}${low ? `, 8 in 10: ${rounded(low)} to ${rounded(high)}` : ""}`;
  return h(
    "div",
    { class: "rate-axis", role: "img", "aria-label": text, title: text },
    low ? h("i", { class: "iv", "--at": at(low), "--w": at(high - low) }) : "",
    h("i", { class: "pt", "--at": at(rate) }),
    measured.map((one, i) => (one > 0 && one <= most ? h("i", { class: "nr", "--at": at(one) }, number(i + 1)) : "")),
  );
}

// What was run, by whom, when, and how much it counts.
export function runLine({ i, run, text, rate, weight }) {
  const about = [run.publisher, run.framework, run.date && date(run.date), run.precision, `revision ${run.revision}`];
  return h(
    "li",
    {},
    h("b", {}, number(i + 1)),
    h(
      "span",
      {},
      h("a", { href: linkTo("data", { kind: "measurements", id: run.id }) }, text),
      h("small", {}, about.filter(Boolean).join(", ")),
    ),
    h("span", { class: "num" }, rate ? rounded(rate) : "", h("small", {}, `counts ${percent(weight)}`)),
  );
}
