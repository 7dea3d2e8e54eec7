// The charts of a decision, over the plans of a ranking: what is paid by month, where the cheapest changes, and what the cost consists of.
import { post } from "../api.js";
import { cashPart } from "../decision/cash.js";
import { present } from "../decision/concepts.js";
import { axesOf, mapPart, mapRequest } from "../decision/map.js";
import { stackPart } from "../decision/stack.js";
import { step } from "../decision/state.js";
import { h } from "../dom.js";
import { params } from "../router.js";

const xFirst = ["hour-price", "server-price", "token-price"]; // not demand: a map's plans keep their size
const most = 8; // plans in a chart: the pair, those that are kept, then the first

// What the charts of a decision are drawn of.
function viewOf({ rows, pair, kept, compared }, from) {
  const wanted = [...pair.filter(Boolean), ...rows.filter((row) => kept.has(row.key)), ...rows];
  const shown = [...new Set(wanted)].slice(0, most).sort((a, b) => a.i - b.i);
  const plans = shown.map((row) => ({
    name: row.short,
    colour: row.colour,
    reference: row.key,
    request: row.plan.scenario,
    resolved: row.plan.scenario,
    document: row.plan.scenario,
  }));
  const concepts = present(plans);
  return {
    answer: { ...compared, scenarios: shown.map((row) => compared.scenarios[row.at ?? row.i]) },
    plans,
    order: shown.map((_, i) => i),
    pair: pair.filter(Boolean).map((row) => shown.indexOf(row)),
    chances: null,
    stale: new Set(["chances"]),
    concepts,
    axes: axesOf(concepts, from, xFirst),
    request: { scenarios: plans.map((plan) => plan.request) },
    map: null,
  };
}

export function chartsPart() {
  const element = h("div", { class: "charts", hidden: true });
  const map = mapPart({ axes: step });
  const parts = [cashPart(), map, stackPart()];
  let asked = ""; // the request that the map answers
  let found = null;
  return {
    element,
    // Resolves when the map is drawn.
    async show(view, from = params(), signal = undefined) {
      element.hidden = !view.rows.length;
      if (element.hidden) return;
      const drawn = viewOf(view, from);
      const request = drawn.axes && mapRequest(drawn, drawn.axes);
      const isKnown = JSON.stringify(request) === asked;
      for (const part of parts) part.show({ ...drawn, map: isKnown ? found : null });
      if (!element.children.length) element.append(...parts.map((part) => part.element).filter(Boolean));
      if (!request || isKnown) return;
      found = await post("/v1/map", request, signal);
      asked = JSON.stringify(request);
      map.show({ ...drawn, map: found });
    },
  };
}
