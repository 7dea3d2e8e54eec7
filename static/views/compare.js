// Compare: scenarios side by side, what each costs a piece, by category, month by month, and why two of them differ.
import { post } from "../api.js";
import { scenarioColour } from "../colours.js";
import { choice, h, labelled, say } from "../dom.js";
import { money, percent } from "../format.js";
import { addScenario, energyText, heading, scenarioChip, unitCostList, unknownEnergy, warnings, why } from "../parts.js";
import { go, linkTo, whatIf, whatIfParameter } from "../router.js";
import { empty } from "../states.js";
import { asked, firstComparison, nameOf, scenarios } from "../store.js";
import { cashChart, categoryChart, carbonChart, energyChart, waterfallChart } from "./compare_charts.js";

export async function compare(params, place, { signal }) {
  const asOf = params.get("as_of");
  const set = whatIf(params);
  const list = await scenarios(asOf, signal);
  if (!list.length) {
    place.append(
      heading("Compare"),
      empty(
        "No scenarios yet",
        "Store one, and it can be compared with others.",
        h("a", { class: "button primary", href: linkTo("scenario") }, "Make a scenario"),
      ),
    );
    return;
  }
  const chosen = params.getAll("scenario").length ? params.getAll("scenario") : firstComparison(list);
  const baseline = Math.max(0, chosen.indexOf(params.get("baseline")));
  const question = {
    scenarios: chosen.map((reference) => asked(list, reference)),
    baseline,
    ...(asOf ? { as_of: asOf } : {}),
    ...(Object.keys(set).length ? { set } : {}),
  };
  const answer = await post("/v1/compare", question, signal);
  const entries = answer.scenarios.map((one, i) => ({ ...one, reference: chosen[i], name: one.name ?? nameOf(list, chosen[i]) }));
  const against = Math.max(
    0,
    answer.waterfalls.findIndex((bridge) => chosen[bridge.to] === params.get("against")),
  );
  const crossings = await breakEvens(entries, baseline, list, question, signal);

  place.append(
    heading("Compare", `${entries[0].result.months} months from ${entries[0].result.start}, in ${answer.currency}`),
    picker(list, chosen, baseline),
    Object.keys(set).length ? whatIfNote(set) : "",
    h("section", { class: "cards", "aria-label": "Unit costs" }, cards(entries, baseline, set)),
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
            params.get("by") === "category",
            choice(
              answer.waterfalls.map((bridge, i) => ({ value: String(i), text: entries[bridge.to].name })),
              String(against),
              (value) => go({ against: chosen[answer.waterfalls[Number(value)].to] }),
              { id: "against", "aria-label": "Compared with" },
            ),
            (by) => go({ by: by === "category" ? by : null }),
          )
        : "",
      energyChart(entries),
      carbonChart(entries),
      warnings(list, entries),
    ),
  );
  say(`${entries.length} scenarios are compared`);
}

// Where the cumulative cash of the baseline and of each other one cross.
async function breakEvens(entries, baseline, list, question, signal) {
  const { scenarios: sent, as_of, set } = question;
  const others = entries.map((_, i) => i).filter((i) => i !== baseline);
  const answers = await Promise.all(
    others.map((i) =>
      post("/v1/break-even", { a: sent[baseline], b: sent[i], ...(as_of ? { as_of } : {}), ...(set ? { set } : {}) }, signal).catch(
        (error) => {
          if (error.name === "AbortError") throw error;
          return null;
        },
      ),
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
  const remove = (reference) => () => go({ scenario: chosen.filter((one) => one !== reference) });
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
          "Held against",
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

const whatIfNote = (set) =>
  h(
    "p",
    { class: "box" },
    "What if: ",
    whatIfParameter(set).map((one) => h("code", {}, one, " ")),
    h("button", { type: "button", class: "quiet", onclick: () => go({ set: null }) }, "Drop it"),
  );

function cards(entries, baseline, set) {
  const least = Math.min(...entries.map((entry) => entry.result.total.cost));
  return entries.map((entry, i) => {
    const { result } = entry;
    const base = entries[baseline].result.total.cost;
    const difference = i === baseline ? null : result.total.cost / base - 1;
    const unknown = unknownEnergy(result);
    return h(
      "article",
      { class: "card edge", colour: scenarioColour(entry.reference), "data-card": entry.reference },
      h(
        "h2",
        {},
        h("a", { class: "why", href: linkTo("result", { scenario: entry.reference, set: whatIfParameter(set) }) }, entry.name),
      ),
      h("div", { class: "value" }, why(entry.reference, "/total/cost", money(result.total.cost, result.currency), set)),
      h(
        "div",
        { class: "badges" },
        result.total.cost === least ? h("span", { class: "badge good" }, "cheapest") : null,
        i === baseline && entries.length > 1 ? h("span", { class: "badge" }, "held against") : null,
        difference !== null && Number.isFinite(difference)
          ? h("span", { class: `badge ${difference > 0 ? "doubt" : "good"}` }, percent(difference, { signed: true }))
          : null,
      ),
      unitCostList(entry.reference, result, set),
      h(
        "dl",
        {},
        h("dt", {}, "net present value"),
        h("dd", {}, why(entry.reference, "/total/npv", money(result.total.npv, result.currency), set)),
        h("dt", {}, "energy"),
        h(
          "dd",
          { title: unknown.length ? `not known of ${unknown.join(", ")}` : null },
          unknown.length && unknown.length < Object.keys(result.by_pool).length ? "≥ " : "",
          energyText(result),
        ),
      ),
    );
  });
}
