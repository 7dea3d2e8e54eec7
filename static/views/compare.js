// Compare: scenarios side by side: unit costs, cost by category and month, and the cost difference between two of them.
import { post } from "../api.js";
import { scenarioTone, showTogether } from "../colours.js";
import { period } from "../decision/words.js";
import { announce, choice, h, labelled } from "../dom.js";
import { money, percent, plural } from "../format.js";
import {
  addScenario,
  explainLink,
  heading,
  hostedPrices,
  metered,
  scenarioChip,
  unitCostList,
  utilizationOf,
  warnings,
} from "../parts.js";
import { changesHere, go, linkTo } from "../router.js";
import { empty } from "../states.js";
import { firstComparison, nameOf, requestScenario, scenarios } from "../store.js";
import { term } from "../terms.js";
import { changesFor, changesNote } from "../what_if.js";
import { carbonChart, cashChart, categoryChart, energyChart, waterfallChart } from "./compare_charts.js";

export async function compare(params, place, { signal }) {
  const asOf = params.get("as_of");
  const list = await scenarios(asOf, signal);
  if (!list.length) {
    place.append(
      heading("Compare"),
      empty(
        "No scenarios yet",
        "Create a scenario to compare it with others.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "New scenario"),
      ),
    );
    return;
  }
  const chosen = params.getAll("scenario").length ? params.getAll("scenario") : firstComparison(list);
  showTogether(chosen);
  const changes = await changesFor(chosen, asOf, signal, params);
  const baseline = Math.max(0, chosen.indexOf(params.get("baseline")));
  const request = {
    scenarios: chosen.map((reference) => requestScenario(list, reference)),
    baseline,
    ...changes.rest(),
  };
  const [answer, crossings] = await Promise.all([post("/v1/compare", request, signal), breakEvens(request, chosen, changes, signal)]);
  const entries = answer.scenarios.map((scenario, i) => ({
    ...scenario,
    reference: chosen[i],
    name: scenario.name ?? nameOf(list, chosen[i]),
  }));
  const against = Math.max(
    0,
    answer.waterfalls.findIndex((waterfall) => chosen[waterfall.to] === params.get("against")),
  );

  place.append(
    heading("Compare", `${horizons(entries)}, in ${answer.currency}`),
    picker(list, chosen, baseline),
    changesNote(changes, params),
    h("section", { class: "cards", "aria-label": "Unit costs" }, cards(entries, answer)),
    differencesNote(answer, entries),
    h(
      "div",
      { class: "panels" },
      categoryChart(entries, answer.currency),
      cashChart(entries, answer.currency, crossings, baseline),
      answer.waterfalls.length
        ? waterfallChart(
            answer,
            entries,
            against,
            params.get("by"),
            choice(
              answer.waterfalls.map((waterfall, i) => ({ value: String(i), text: entries[waterfall.to].name })),
              String(against),
              (value) => go({ against: chosen[answer.waterfalls[Number(value)].to] }),
              { id: "against", "aria-label": "Compared with" },
            ),
            (by) => go({ by }),
          )
        : "",
      energyChart(entries),
      carbonChart(entries),
      warnings(list, entries),
    ),
  );
  announce(`${entries.length} scenarios compared`);
}

// Crossings of the cumulative cash of the baseline and each other scenario.
async function breakEvens({ scenarios: requested, baseline }, chosen, changes, signal) {
  const others = requested.map((_, i) => i).filter((i) => i !== baseline);
  const answers = await Promise.all(
    others.map((i) =>
      post(
        "/v1/break-even",
        { a: requested[baseline], b: requested[i], ...changes.rest([chosen[baseline], chosen[i]]) },
        signal,
      ).catch((error) => {
        if (error.name === "AbortError") throw error;
        return null;
      }),
    ),
  );
  return others.flatMap((other, i) =>
    (answers[i]?.cash.crossings ?? []).map((at, n) => ({
      other,
      month: at,
      cheaper: answers[i].cash.cheaper_after[n] === "a" ? baseline : other,
    })),
  );
}

function picker(list, chosen, baseline) {
  const remove = (reference) => () => go({ scenario: chosen.filter((item) => item !== reference) });
  return h(
    "section",
    { class: "controls", "aria-label": "Compared scenarios" },
    h(
      "ul",
      { class: "chips" },
      chosen.map((reference) => scenarioChip(list, reference, chosen.length > 1 ? remove(reference) : null)),
    ),
    addScenario(list, chosen, (reference) => go({ scenario: [...chosen, reference] })),
    chosen.length > 1
      ? labelled(
          "Baseline",
          choice(
            chosen.map((reference) => ({ value: reference, text: nameOf(list, reference) })),
            chosen[baseline],
            (reference) => go({ scenario: chosen, baseline: reference }),
            { id: "baseline" },
          ),
        )
      : null,
  );
}

// The time that the scenarios are over: of each where they differ.
const horizons = (entries) => [...new Set(entries.map((entry) => period(entry.result)))].join("; ");

// Why no scenario is called the cheapest.
const differencesNote = ({ comparable, differences, by_unit, currency }, entries) =>
  comparable
    ? ""
    : h(
        "p",
        { class: "box", role: "note" },
        "These do not do the same work, so none is called the cheapest: ",
        differences
          .slice(0, 3)
          .map(({ scenario, what, a, b }) => `${entries[scenario].name}: ${what} ${b} against ${a}`)
          .join("; "),
        differences.length > 3 ? ` and ${differences.length - 3} more.` : ".",
        by_unit
          ? ` A million ${plural(by_unit.unit)}, levelized: ${entries
              .map((entry, i) => `${entry.name} ${money(by_unit.levelized_cost_per_million_units[i], currency)}`)
              .join(", ")}.`
          : "",
      );

function cards(entries, { baseline, cheapest, decide_by, comparable }) {
  return entries.map((entry, i) => {
    const { result } = entry;
    const base = entries[baseline].result.total.cost;
    const difference = i === baseline || !comparable ? null : result.total.cost / base - 1;
    const energy = metered(result, "energy_kwh");
    return h(
      "article",
      { class: "card edge", colour: scenarioTone(entry.reference), "data-card": entry.reference },
      h(
        "h2",
        {},
        h("a", { class: "why", href: linkTo("result", { scenario: entry.reference, ...changesHere() }) }, entry.name),
      ),
      h("div", { class: "value" }, explainLink(entry.reference, "/total/cost", money(result.total.cost, result.currency))),
      h(
        "div",
        { class: "badges" },
        i === cheapest ? h("span", { class: "badge good", title: `by ${decide_by.replaceAll("_", " ")}` }, "cheapest") : null,
        result.feasible ? null : h("span", { class: "badge doubt" }, "infeasible"),
        i === baseline && entries.length > 1 ? h("span", { class: "badge" }, "baseline") : null,
        difference !== null && Number.isFinite(difference)
          ? h("span", { class: `badge ${difference > 0 ? "doubt" : "good"}` }, percent(difference, { signed: true }))
          : null,
      ),
      unitCostList(entry.reference, result),
      h(
        "dl",
        {},
        h("dt", {}, term("/total/npv", "present cost")),
        h("dd", {}, explainLink(entry.reference, "/total/npv", money(result.total.npv, result.currency))),
        h("dt", {}, term("utilization")),
        h("dd", {}, percent(utilizationOf(result))),
        h("dt", {}, term("energy")),
        h("dd", { title: energy.unknown.length ? `not known for ${energy.unknown.join(", ")}` : null }, energy.text),
        hostedPrices(result),
      ),
    );
  });
}
