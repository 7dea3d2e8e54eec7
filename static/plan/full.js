// Where each plan is full: the demand at which its size just does the work, beside the peak that is asked for and 8 in 10 draws of it.
import { post } from "../api.js";
import { step } from "../decision/state.js";
import { h } from "../dom.js";
import { number, percent, quantity } from "../format.js";
import { csvButton } from "../table.js";
import { axisOf, at } from "./axis.js";
import { weekOf } from "./question.js";

const most = 8; // plans that have a bar
const [least, reach] = [0.5, 4]; // times the demand, between which it is looked for
const normal = 1.2816; // standard deviations from the median to the 10th and the 90th percentile
const pointer = "/workloads/0/demand/mean_per_s";

// The mean demand at which a plan's size no longer does the work, where it is within reach; else null.
async function fullAt({ plan }, mean, signal) {
  const inputs = [{ pointer, low: least * mean, high: reach * mean }];
  const { inputs: found } = await post("/v1/sensitivity", { scenario: plan.scenario, inputs }, signal);
  const flip = found[0]?.flips_at;
  return flip?.infeasible && flip.value > mean ? flip.value : null;
}

const rounded = (value) => quantity(value, "", { brief: true });
const drawnOf = ({ uncertainty }) => uncertainty?.factors.find(({ factor }) => factor === "demand") ?? null;

export function fullPart() {
  const element = h("section", { class: "panel", id: "full", "aria-labelledby": "full-title", "data-figure": "full", hidden: true });
  let asked = "";
  let found = [];

  function draw(view, rows) {
    const { peak, mean, band, axis } = view.load;
    const ratio = peak / mean;
    const pill = h("b", {}, `peak ${rounded(peak)}`);
    const slider = h("input", {
      type: "range",
      id: "full-peak",
      min: 0,
      max: axis.to,
      step: peak / 100,
      value: peak,
      "aria-label": "Requests a second at the peak",
      "aria-valuetext": `${rounded(peak)} requests/s`,
      oninput: ({ target }) => {
        pill.textContent = `peak ${rounded(Number(target.value))}`;
        target.setAttribute("aria-valuetext", `${rounded(Number(target.value))} requests/s`);
        plot.style.setProperty("--peak", at(Number(target.value), axis));
      },
      onchange: ({ target }) => Number(target.value) > 0 && step({ rps: String(Number((Number(target.value) / ratio).toPrecision(4))) }),
    });
    const text = (full) => (full === null ? `not full at ${number(reach)} times it` : `full at ${rounded(full * ratio)}`);
    const bar = (row, i) => {
      const full = found[i];
      const room = full === null ? "" : percent(full / mean - 1, { signed: true });
      return [
        h("span", { class: "who-full", "--k": `var(--p${row.colour})` }, h("i", { class: "sw" }), row.short),
        h(
          "span",
          { class: "load", "--k": `var(--p${row.colour})` },
          h("i", { class: full === null || full * ratio > axis.to ? "on beyond" : "on", "--w": full === null ? "100%" : at(full * ratio, axis) }),
        ),
        h("span", { class: "room" }, text(full), room ? h("b", {}, ` ${room}`) : ""),
      ];
    };
    const plot = h(
      "div",
      { class: "fulls", "--peak": at(peak, axis), "--mean": at(mean, axis), "--lo": band ? at(band[0], axis) : at(peak, axis), "--hi": band ? at(band[1], axis) : at(peak, axis) },
      h("span", {}),
      h("span", { class: "peak-line" }, pill, slider),
      h("span", {}),
      rows.map(bar),
      h("span", {}),
      h("span", { class: "rax", "aria-hidden": "true" }, axis.ticks.map((tick) => h("i", { "--at": at(tick, axis) }, number(tick)))),
      h("span", {}),
    );
    const columns = [
      { name: "plan", value: ([row]) => `${row.rank} ${row.plan.name}` },
      { name: "mean at which it is full", unit: "requests/s", value: ([, full]) => full },
      { name: "peak at which it is full", unit: "requests/s", value: ([, full]) => (full === null ? null : full * ratio) },
    ];
    element.replaceChildren(
      h(
        "div",
        { class: "bar" },
        h("h2", { id: "full-title" }, "Where each plan is full"),
        h("span", { class: "small" }, "Requests a second in the busiest hour of the first month. Drag the peak"),
        h("div", { class: "tools" }, csvButton("full", () => ({ columns, rows: rows.map((row, i) => [row, found[i]]) }))),
      ),
      plot,
      h(
        "p",
        { class: "foot" },
        `Dotted: the mean, ${number(mean)}. ${band ? `Band: 8 in 10 draws of the peak, ${rounded(band[0])} to ${rounded(band[1])}. ` : ""}`,
        "A bar that ends inside the band is a plan that is too small in some draws.",
      ),
    );
  }

  return {
    element,
    // Of one workload of inference by requests a second; resolves when it is drawn.
    async show(view, signal) {
      const demand = view.rows[0]?.plan.scenario.workloads[0].demand;
      element.hidden = !demand?.mean_per_s || view.rows[0].plan.scenario.workloads.length > 1;
      if (element.hidden) return;
      const rows = [...new Set([...view.pair.filter(Boolean), ...view.rows])].slice(0, most).sort((a, b) => a.i - b.i);
      const mean = demand.mean_per_s;
      const key = JSON.stringify([view.request, rows.map((row) => row.key)]);
      if (key !== asked) {
        found = await Promise.all(rows.map((row) => fullAt(row, mean, signal)));
        asked = key;
      }
      const peak = mean * Math.max(...(weekOf(view.answer) ?? [1]));
      const sigma = drawnOf(view.answer)?.sigma;
      const band = sigma ? [-normal, normal].map((by) => peak * Math.exp(by * sigma)) : null;
      const ends = found.filter((full) => full !== null).map((full) => (full * peak) / mean);
      const axis = axisOf([peak, ...(band ?? []), ...ends].map((cost) => ({ cost: Math.min(cost, 2.5 * peak), low: 0, high: null })));
      draw({ load: { peak, mean, band, axis } }, rows);
    },
  };
}
