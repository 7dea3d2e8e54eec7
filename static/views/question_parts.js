// Shared by the forms of several questions: selection of an input and of an output figure.
import { post } from "../api.js";
import { present } from "../decision/concepts.js";
import { plansOf } from "../decision/plans.js";
import { choice, labelled } from "../dom.js";
import { quantity, unitOf } from "../format.js";
import { go } from "../router.js";

// The numeric inputs of a scenario that move the output, the largest first: {pointer, base, unit}. Requested once per scenario.
const inputsByScenario = new Map();
export async function inputsOf(context, reference, output = "") {
  const key = JSON.stringify([reference, output, context.rest]);
  if (!inputsByScenario.has(key)) {
    const request = { scenario: context.scenario(reference), decisions: true, ...context.restOf([reference]) };
    const { inputs } = await post("/v1/sensitivity", { ...request, ...(output && { output }) }, context.signal);
    inputsByScenario.set(key, inputs);
  }
  return inputsByScenario.get(key);
}

// The inputs of all scenarios, each once, as the first that has it states it.
export async function inputsOfAll(context, output = "") {
  const lists = await Promise.all(context.references.map((one) => inputsOf(context, one, output)));
  return [...new Map(lists.reverse().flatMap((list) => list.map((input) => [input.pointer, input]))).values()];
}

// The assumptions that hold for all scenarios at once, as factors of what each states; `base` is what all of them state alike.
export async function sharedInputs({ references, asOf, rest, signal }) {
  return present(await plansOf(references, {}, asOf, signal))
    .filter((concept) => !concept.absolute)
    .map(({ pointer, unit: stated, base, currency, most, to }) => {
      const unit = unitOf(stated, currency);
      const isStated = base !== null && !/^[×/%]/.test(unit);
      const now = (isStated ? base : 1) * (rest.scale?.[pointer] ?? 1);
      return { pointer, unit: isStated ? unit : "factor", base: now, isFactor: true, most: most ? to : Infinity };
    });
}

// A select of inputs; a curve is varied by a factor.
export function inputChoice(inputs, value, context, onchange, attributes) {
  const unset = inputs.some((input) => input.pointer === value) ? [] : [{ value: "", text: "…" }];
  return choice(
    [
      ...unset,
      ...inputs.map((input) => ({
        value: input.pointer,
        text: `${context.words(input.pointer)} (${input.unit === "factor" ? "times" : quantity(input.base, input.unit)})`,
      })),
    ],
    value,
    onchange,
    attributes,
  );
}

// Figures of the result that can be an output; "" is the one that decides, which the answer names.
export function outputs(context) {
  const document = context.document(context.first);
  const workloads = (document?.workloads ?? []).flatMap(({ id, kind }) => [
    { value: `/by_workload/${id}/cost_per_million_units`, text: `${id}: cost per million units` },
    {
      value: `/by_workload/${id}/${kind === "training" ? "cost_per_epoch" : "cost_per_inference"}`,
      text: `${id}: cost per ${kind === "training" ? "epoch" : "inference"}`,
    },
  ]);
  return [
    { value: "", text: "the figure that decides" },
    { value: "/total/cost", text: "cost" },
    { value: "/total/cash", text: "cash" },
    { value: "/total/npv", text: "present cost" },
    { value: "/total/npv_after_tax", text: "present cost after tax" },
    { value: "/total/carbon_kg", text: "carbon" },
    ...workloads,
  ];
}

export const outputChoice = (context, value) =>
  labelled(
    "Figure",
    choice(outputs(context), value, (next) => go({ output: next }), { id: "output" }),
  );
