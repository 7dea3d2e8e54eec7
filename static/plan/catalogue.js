// What a question can be made of: models, devices and facts of the catalogue, and the question that a decision was made of.
import { get, getAll } from "../api.js";
import { knownModels } from "../decision/start.js";
import { number } from "../format.js";
import { deviceName } from "../sources/parts.js";
import { modelWords } from "./names.js";

// Models, devices and facts that the strip offers and says.
export async function catalogue(asOf, signal) {
  const [known, models, devices] = await Promise.all([
    knownModels(signal),
    getAll("/v1/models", { as_of: asOf }, signal),
    getAll("/v1/devices", { as_of: asOf }, signal),
  ]);
  const byId = new Map(models.map((model) => [model.id, model]));
  const nameOf = (id) => byId.get(id)?.name ?? modelWords(id);
  const billions = (value) => `${number(Number((value / 1e9).toPrecision(3)))} B`;
  return {
    models: known.map((one) => ({ ...one, text: nameOf(one.value) })),
    devices: devices.filter(({ kind }) => kind !== "cpu").map(({ id }) => ({ value: id, text: deviceName(id), more: id })),
    nameOf,
    modelFacts: (id) => {
      const { parameters, active_parameters: active } = byId.get(id) ?? {};
      if (!parameters) return id ? "no facts, hosted alone" : "";
      return active && active < parameters
        ? `${billions(parameters)}, ${billions(active)} active`
        : `${billions(parameters)} parameters`;
    },
  };
}

// The question that the decision of the address was made of: what is changed is against it; else against what every field is by default.
export async function baseOf(params, signal) {
  const id = params.get("decision");
  if (!id) return { base: new URLSearchParams(), decision: null };
  const decision = await get(`/v1/decisions/${encodeURIComponent(id)}`, { as_of: params.get("as_of") }, signal);
  return { base: new URLSearchParams((decision.source ?? "").split("?")[1] ?? ""), decision };
}

// A plan keeps its colour while the page is open.
export function colours() {
  const given = new Map();
  return (key) => {
    if (!given.has(key)) given.set(key, (given.size % 8) + 1);
    return given.get(key);
  };
}
