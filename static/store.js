// The scenarios there are: those of the store as of a time, or, where it has none, the examples that the daemon carries.
import { all, get } from "./api.js";
import { knowScenarios } from "./colours.js";

let kept = null; // {asOf, list}

// What was written makes what was read old.
export function forget() {
  kept = null;
}

const groupOf = (reference) =>
  reference
    .replace(/^\/examples\//, "")
    .replace(/\.json$/, "")
    .split(/[./]/)[0]
    .replace(/[-_]/g, " ");

const entryOf = (reference, document) => ({
  reference,
  name: document.name ?? document.id ?? reference,
  group: groupOf(reference),
  document,
});

async function read(asOf, signal) {
  const stored = await all("/v1/scenarios", { as_of: asOf }, signal);
  if (stored.length) return stored.map((document) => entryOf(document.id, document));
  const paths = await get("/v1/examples", {}, signal);
  return Promise.all(paths.map(async (path) => entryOf(path, await get(path, {}, signal))));
}

// [{reference, name, group, document}]; a reference is an id, or the path of an example.
export async function scenarios(asOf, signal) {
  if (!kept || kept.asOf !== asOf) kept = { asOf, list: await read(asOf, signal) };
  knowScenarios(kept.list.map((entry) => entry.reference));
  return kept.list;
}

export const isExample = (reference) => reference.startsWith("/examples/");

// What a question is sent for a reference: the id of a stored scenario, or an example itself.
export function asked(list, reference) {
  return isExample(reference) ? (list.find((entry) => entry.reference === reference)?.document ?? reference) : reference;
}

export const nameOf = (list, reference) => list.find((entry) => entry.reference === reference)?.name ?? reference;

// The group with the most different kinds of pools says the most at first sight.
export function firstComparison(list) {
  const groups = Map.groupBy ? Map.groupBy(list, (entry) => entry.group) : new Map();
  const kinds = (members) => new Set(members.flatMap((entry) => entry.document.pools.map((pool) => pool.kind))).size;
  const best = [...groups.values()].sort((a, b) => kinds(b) - kinds(a) || b.length - a.length)[0] ?? list;
  return best.slice(0, 8).map((entry) => entry.reference);
}
