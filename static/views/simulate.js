// Monte Carlo simulation over uncertain inputs: its form and its request.
import { post, postWithProgress } from "../api.js";
import { choice, h, labelled } from "../dom.js";
import { number, percent } from "../format.js";
import { takeNumber } from "../number_field.js";
import { go } from "../router.js";
import { fill } from "../states.js";
import { inputChoice, inputsOfAll, outputChoice, sharedInputs } from "./question_parts.js";
import { pictures } from "./simulate_charts.js";

// An uncertain input in the URL: vary=/pointer:spread, a triangular distribution from 1 - spread to 1 + spread times the stated value.
const fromParameters = (params) =>
  params.getAll("vary").map((entry) => {
    const at = entry.lastIndexOf(":");
    return { pointer: entry.slice(0, at), spread: Number(entry.slice(at + 1)) };
  });
const toParameter = (varied) => varied.map(({ pointer, spread }) => `${pointer}:${spread}`);

export async function simulate(params, place, context) {
  const output = params.get("output") ?? "";
  const known = (await Promise.all([sharedInputs(context), inputsOfAll(context, output)])).flat();
  const wholeUnits = ["servers", "instances", "months", "devices", "sequences"];
  const inputs = known.filter((input) => input.base !== 0 && !wholeUnits.some((word) => input.unit.startsWith(word)));
  const preferred = [/demand\/mean_per_s$/, /server\/price$/, /hourly_price$/, /price_per_million_units$/, /epochs/];
  const defaults = preferred
    .map((pattern) => inputs.find((input) => pattern.test(input.pointer)))
    .filter(Boolean)
    .map(({ pointer }) => ({ pointer, spread: 0.3 }));
  const named = fromParameters(params).filter(({ pointer }) => known.some((input) => input.pointer === pointer));
  const varied = named.length
    ? named
    : defaults.length
      ? defaults
      : inputs.slice(0, 2).map(({ pointer }) => ({ pointer, spread: 0.2 }));
  const samples = Number(params.get("samples") ?? 1000);
  const budget = params.get("budget") ? Number(params.get("budget")) : null;
  place.append(controls(inputs, varied, context, output, samples, budget));
  const answerPlace = h("div", { class: "wide panels" });
  place.append(answerPlace);
  const at = (reference) => context.references.indexOf(reference);
  const request = {
    scenarios: context.references.map(context.scenario),
    ...(output && { outputs: [output] }),
    samples,
    seed: Number(params.get("seed") ?? 1),
    by_month: true,
    ...(context.other && { break_even: { a: at(context.pair[0]), b: at(context.pair[1]) } }),
    ...(Number.isFinite(budget) && budget !== null && { budgets: [{ amount: budget }] }),
    ...context.rest,
    inputs: varied.map(({ pointer, spread }) => ({ pointer, distribution: distribution(pointer, spread, inputs) })),
  };
  const progressText = h("p", { class: "muted" });
  const drawn = (progress) => postWithProgress("/v1/simulate", request, progress, context.signal);
  await fill(
    answerPlace,
    async () => {
      const [answer, settled] = await Promise.all([
        drawn(({ done, total }) => (progressText.textContent = `${done} of ${total}`)),
        settlements(request, context),
      ]);
      return pictures(answer, settled, context, varied, samples);
    },
    `Drawing ${number(samples)} samples…`,
  );
}

// Whether the last month of each scenario's cash has what the horizon's end settles, such as sales of servers.
async function settlements({ scenarios }, { rest, signal }) {
  const answer = await post("/v1/compare", { scenarios, ...rest }, signal);
  return answer.scenarios.map(({ result }) => Boolean(result.total.terminal?.sale));
}

// Fractions are limited to 1.
function distribution(pointer, spread, inputs) {
  const input = inputs.find((input) => input.pointer === pointer);
  const most = input.most ?? (input.unit === "fraction" ? 1 / input.base : Infinity);
  const high = Math.min(1 + spread, most);
  return { kind: "triangular", low: Math.max(0, 1 - spread), mode: Math.min(1, high), high, relative: true };
}

function controls(inputs, varied, context, output, samples, budget) {
  const spreads = [0.05, 0.1, 0.2, 0.3, 0.5].map((value) => ({ value: String(value), text: `± ${percent(value)}` }));
  const change = (next) => go({ vary: toParameter(next) });
  return h(
    "div",
    { class: "panel wide" },
    h("h2", {}, "Uncertain inputs"),
    h(
      "ul",
      { class: "plain" },
      varied.map(({ pointer, spread }, i) =>
        h(
          "li",
          { class: "controls" },
          h("span", {}, context.words(pointer)),
          choice(
            spreads,
            String(spread),
            (value) => change(varied.map((input, n) => (n === i ? { ...input, spread: Number(value) } : input))),
            { id: `spread-${i}`, "aria-label": `Spread of ${context.words(pointer)}` },
          ),
          varied.length > 1
            ? h(
                "button",
                {
                  type: "button",
                  class: "bare",
                  "aria-label": `Remove ${context.words(pointer)}`,
                  onclick: () => change(varied.filter((_, n) => n !== i)),
                },
                "×",
              )
            : null,
        ),
      ),
    ),
    h(
      "p",
      { class: "muted" },
      "Each has a triangular distribution around its stated value (assumed), independent of the others; all scenarios share the same samples.",
    ),
    h(
      "div",
      { class: "controls" },
      labelled(
        "Another input",
        inputChoice(
          inputs.filter((input) => !varied.some((item) => item.pointer === input.pointer)),
          "",
          context,
          (value) => value && change([...varied, { pointer: value, spread: 0.2 }]),
          { id: "vary" },
        ),
      ),
      outputChoice(context, output),
      labelled(
        "Samples",
        choice(
          [500, 1000, 10000].map((value) => ({ value: String(value), text: number(value) })),
          String(samples),
          (value) => go({ samples: value }),
          { id: "samples" },
        ),
      ),
      labelled(
        "Budget for the output",
        h("input", {
          id: "budget",
          inputmode: "decimal",
          value: budget === null ? "" : String(budget),
          onchange: ({ target }) => takeNumber(target, (amount) => go({ budget: amount }), { min: 0 }),
        }),
      ),
    ),
  );
}
