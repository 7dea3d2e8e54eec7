// Where no plan holds: the changes of one field each that would make one hold, and what the first then costs.
import { post } from "../api.js";
import { amount } from "../decision/words.js";
import { step } from "../decision/state.js";
import { rankRequest } from "../decision/start.js";
import { h } from "../dom.js";
import { number } from "../format.js";
import { params } from "../router.js";
import { limited } from "../views/plan_limits.js";
import { planName } from "./names.js";

const assumed = { latency: 100, first: 2000 }; // ms, where the address says nothing
const lowered = { "": "fp8", bf16: "fp8", fp8: "fp4", int8: "int4" };
const doubled = (name, label) => ({
  change: (from) => ({ [name]: String(2 * (Number(from.get(name)) || assumed[name])) }),
  text: (to) => `${label} ${number(Number(to[name]))} ms`,
});
// What is changed, each alone; null where the question does not ask for it.
const tries = [
  doubled("latency", "Between tokens"),
  doubled("first", "First token"),
  {
    change: (from) => (lowered[from.get("precision") ?? ""] ? { precision: lowered[from.get("precision") ?? ""] } : null),
    text: (to) => `Weights at ${to.precision} or wider`,
  },
  { change: (from) => (from.get("region") ? { region: null } : null), text: () => "In any country" },
  { change: (from) => (from.get("where") ? { where: null } : null), text: () => "Any way: rented, owned or hosted" },
  { change: (from) => (from.get("measured") ? { measured: null } : null), text: () => "Estimated rates too" },
  { change: (from) => (from.has("device") ? { device: null } : null), text: () => "Any device" },
  {
    change: (from) => (Number(from.get("availability") ?? 99.9) > 99 ? { availability: "99" } : null),
    text: () => "Availability 99 %",
  },
];

function changed(from, change) {
  const next = new URLSearchParams(from);
  for (const [name, value] of Object.entries(change)) value === null ? next.delete(name) : next.set(name, value);
  return next;
}

export function relaxedPart() {
  const list = h("ul", { class: "rows ass" });
  const element = h(
    "section",
    { class: "panel", id: "relaxed", hidden: true, "aria-labelledby": "relaxed-title" },
    h("div", { class: "bar" }, h("h2", { id: "relaxed-title" }, "What would make one hold")),
    list,
  );
  let shown = "";
  return {
    element,
    async show(view, signal) {
      element.hidden = view.rows.length > 0;
      const key = JSON.stringify(view.request);
      if (element.hidden || key === shown || !view.isWhole) return;
      shown = key;
      list.replaceChildren(h("li", {}, h("span", { class: "small" }, "Trying one change at a time…")));
      const from = params();
      const found = [];
      for (const { change, text } of tries) {
        const to = change(from);
        if (!to) continue;
        const next = changed(from, to);
        const request = { ...limited(rankRequest(next), next), samples: 0, top: 1 };
        delete request.seed;
        const answer = await post("/v1/rank", request, signal).catch(() => null);
        if (signal.aborted) return;
        if (answer?.plans.length) found.push({ text: text(to), to, plan: answer.plans[0], answer });
      }
      const row = ({ text, to, plan, answer }) =>
        h(
          "li",
          {},
          h("b", {}, text),
          h(
            "span",
            {},
            `from ${amount(plan.decisive, { decide_by: answer.decide_by, currency: answer.unit }, true)}`,
            h("small", {}, planName(plan, view.modelName)),
          ),
          h("button", { type: "button", class: "lk", "aria-label": `Change: ${text}`, onclick: () => step(to) }, "change"),
        );
      list.replaceChildren(
        ...(found.length
          ? found.map(row)
          : [h("li", {}, h("span", { class: "small" }, "No change of one field makes a plan hold."))]),
      );
    },
  };
}
