// What was left out, with counts that add up, and what is assumed, each with the field that changes it.
import { questionChoices } from "../decision/start.js";
import { h } from "../dom.js";
import { isMoney, number, percent, quantity } from "../format.js";
import { csvButton } from "../table.js";
import { capital, words } from "../terms.js";
import { assumedFlips, flipTone } from "./assumed_flips.js";

export const reasons = {
  availability: "lose more to outages than the availability leaves",
  dearer_region: "sold for less in another region on the same terms",
  block_of_days: "blocks of days, which end before the horizon does",
  estimate_only: "estimates of a price, at which nobody sells",
  paid_price: "prices that a bill says were paid, which nobody offers",
  exceeds_context: "longer than the model's context",
  exceeds_memory: "too little memory in one host for the weights and one request",
  currency_unknown: "priced by a curve that states no currency",
  ineligible_latency: "too slow for the stated objective at any load",
  latency_unknown: "not known to keep the stated objective",
  missing_exchange_rate: "priced in another currency",
  market_level: "levels of the market, at which nobody sells",
  no_peak_at_precision: "does not compute at the precision that the model is published in",
  no_performance: "no rate of this model and no facts to estimate one",
  no_rate_that_fits: "rates are of more devices than the host has",
  no_room_price: "sites that do not state what room costs",
  no_smaller_base: "hybrids whose base does all the work with one unit",
  old_price: "prices of more than two years ago",
  one_stage: "servers bought in stages that one stage covers",
  other_model: "hosted models other than this one",
  region: "not where the work may run, or nobody knows where",
  part_of_hybrids: "single ways, which hybrids, mixes and pairs are made of",
  outages: "lose above 0.1 % to outages",
  serves_one_workload: "units of a hosted model, which serve one workload",
  spares: "hybrids whose base serves without the spares that are asked for",
  spot: "spot, which the request leaves out",
  spot_alone: "spot with nothing below it that is not taken away",
  unknown_memory: "hosted models, which state no memory, and the work asks for some",
  unknown_unit_rate: "units of a hosted model, and nobody states what one serves",
  unknown_precision: "hosted models, which state no precision, and one is asked for",
  unknown_carbon_kg: "what they emit is not known",
  unknown_energy_kwh: "what energy they take is not known",
  unserved: "can't serve all of it",
};
const reasonText = ({ reason }) => reasons[reason] ?? reason.replaceAll("_", " ");

// The ways that are not shown, by reason: those that the API left out, and those that are in the ranking behind what is shown.
export function leftOut(answer) {
  const behind = answer.ranked - answer.plans.length;
  const dearer =
    behind > 0 ? [{ reason: "not_shown", text: "in the ranking, behind those shown", count: behind, examples: [] }] : [];
  const list = [...dearer, ...answer.excluded.map((one) => ({ ...one, text: reasonText(one) }))];
  return { list, total: list.reduce((sum, { count }) => sum + count, 0) };
}

export function leftOutPart(actions) {
  const element = h("section", {
    class: "panel",
    "aria-labelledby": "left-out-title",
    "data-figure": "left-out",
    id: "left-out",
  });
  const open = new Set();
  return {
    element,
    show(view) {
      const { answer } = view;
      const { list, total } = leftOut(answer);
      const columns = [
        { name: "reason", value: reasonText },
        { name: "ways", value: (row) => row.count },
        { name: "such as", value: (row) => [row.note, ...row.examples].filter(Boolean).join("; ") },
      ];
      const item = (one) => {
        const note = h("small", {}, one.note ?? one.examples[0] ?? "");
        const all = h(
          "ul",
          { class: "ways" },
          [one.note, ...one.examples].filter(Boolean).map((text) => h("li", {}, text)),
          one.examples.length && one.count > one.examples.length
            ? h("li", {}, `and ${number(one.count - one.examples.length)} more`)
            : "",
        );
        const see = h(
          "button",
          {
            type: "button",
            class: "lk",
            "aria-expanded": String(open.has(one.reason)),
            "aria-label": `See the ${number(one.count)} left out: ${one.text}`,
          },
          "see",
        );
        const turn = () => {
          const isOpen = open.has(one.reason);
          see.setAttribute("aria-expanded", String(isOpen));
          see.textContent = isOpen ? "close" : "see";
          note.hidden = isOpen;
          all.hidden = !isOpen;
        };
        see.onclick = () => {
          if (one.reason === "not_shown") return actions.more();
          open.has(one.reason) ? open.delete(one.reason) : open.add(one.reason);
          return turn();
        };
        turn();
        return h("li", {}, h("b", {}, number(one.count)), h("span", {}, capital(one.text), note, all), see);
      };
      element.replaceChildren(
        h(
          "div",
          { class: "bar" },
          h(
            "h2",
            { id: "left-out-title" },
            "What was left out ",
            h("span", { class: "n" }, `${number(total)} of ${number(answer.considered)}`),
          ),
          h(
            "div",
            { class: "tools" },
            answer.excluded.length ? csvButton("left-out", () => ({ columns, rows: answer.excluded })) : "",
          ),
        ),
        h("ul", { class: "rows out" }, list.map(item)),
      );
    },
  };
}

// A value that a field of the strip offers is said in its words: the first of a list is what holds where nothing is stated.
const chosen = (what, value) =>
  questionChoices[what] ? (questionChoices[what].find((one) => one.value === value) ?? questionChoices[what][0]).text : value;

// To which field of the strip an assumption belongs.
const fields = {
  shape: "shape",
  slo: "latency",
  spares: "spares",
  availability: "availability",
  spot: "spot",
  porting: "ported",
  engineer_week: "week",
  hosts: "where",
  precision: "precision",
  bursts: "burst",
  price_age: "start",
};
const labels = {
  shape: "Shape of the week",
  slo: "Latency",
  spares: "Spare",
  failures: "Failures of a host",
  replacement: "Another instance",
  repair: "Repair of a server",
  restart: "Restart of a replica",
  server_price: "Server prices",
  resale: "Resale of servers",
  engineer_week: "An engineer's week",
  hosts: "Hosted models",
};

export function assumedText({ what, value, unit }) {
  const figure = Number(value);
  if (value === "" || Number.isNaN(figure)) return `${chosen(what, value)} ${unit}`.trim();
  if (unit === "fraction") return percent(figure);
  if (figure === 1) return number(figure, unit.replace(/s$/, ""));
  return isMoney(unit) ? quantity(figure, unit) : number(figure, unit);
}

export function assumedPart(actions) {
  const element = h("section", {
    class: "panel",
    "aria-labelledby": "assumed-title",
    "data-figure": "assumptions",
    id: "assumed",
  });
  let flips = {};
  let asked = null; // of which plans they are
  return {
    element,
    // Where each flips, once all is ranked.
    async flips(view, signal) {
      if (asked === view.ranked) return;
      flips = await assumedFlips(view, signal);
      signal.throwIfAborted();
      asked = view.ranked;
      this.show(view);
    },
    show({ answer, ranked }) {
      const list = answer.assumptions;
      const flip = ({ what }) => (asked === ranked ? flips[what] : null);
      const columns = [
        { name: "assumed", value: (row) => words(row.what) },
        { name: "value", value: (row) => row.value },
        { name: "unit", value: (row) => row.unit },
        { name: "why", value: (row) => row.why },
        { name: "to change it", value: (row) => row.change },
        { name: "flips at", value: flip },
      ];
      element.hidden = !list.length;
      element.replaceChildren(
        h(
          "div",
          { class: "bar" },
          h("h2", { id: "assumed-title" }, "What is assumed ", h("span", { class: "n" }, number(list.length))),
          h(
            "div",
            { class: "tools" },
            csvButton("assumptions", () => ({ columns, rows: list })),
          ),
        ),
        h(
          "ul",
          { class: "rows ass" },
          list.map((one) => {
            const label = labels[one.what] ?? capital(words(one.what));
            const name = fields[one.what];
            return h(
              "li",
              {},
              h("b", {}, label),
              h(
                "span",
                {},
                assumedText(one),
                h("small", { title: one.change }, one.why, name ? "" : `; to change it: ${one.change}`),
                flip(one) ? h("small", { class: flipTone(flip(one)) }, capital(flip(one))) : "",
              ),
              name
                ? h(
                    "button",
                    { type: "button", class: "lk", "aria-label": `Change: ${label}`, onclick: () => actions.change(name) },
                    "change",
                  )
                : h("span", {}),
            );
          }),
        ),
      );
    },
  };
}
