// The available scenarios: those of the store, or, if it has none today, the built-in examples; as of a time, those of then.
import { get, getAll } from "./api.js";
import { knowScenarios } from "./colours.js";

let cached = null; // {asOf, list, decisions}

// Drops the cache, after a write.
export function forget() {
  cached = null;
}

// What the ids of a decision's own scenarios begin with: its group, in lists.
export const ownPrefix = (id) => `${id.replaceAll(".", "-")}.`;

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
  const stored = await getAll("/v1/scenarios", { as_of: asOf }, signal);
  if (stored.length || asOf) return stored.map((document) => entryOf(document.id, document));
  const paths = await get("/v1/examples", {}, signal);
  return Promise.all(paths.map(async (path) => entryOf(path, await get(path, {}, signal))));
}

// [{reference, name, group, document}]; a reference is an id, or the path of an example.
export async function scenarios(asOf, signal) {
  if (!cached || cached.asOf !== asOf) {
    const decided = getAll("/v1/decisions", { as_of: asOf }, signal).catch(() => []); // their colours hold for their scenarios
    cached = { asOf, list: await read(asOf, signal), decisions: await decided };
  }
  const groups = new Map();
  for (const { group, reference } of cached.list) groups.set(group, [...(groups.get(group) ?? []), reference]);
  knowScenarios([...groups.values()], cached.decisions);
  return cached.list;
}

export const isExample = (reference) => reference.startsWith("/examples/");

// The scenario as a request has it: the id of a stored scenario, or the document of an example.
export function requestScenario(list, reference) {
  return isExample(reference) ? (list.find((entry) => entry.reference === reference)?.document ?? reference) : reference;
}

export const nameOf = (list, reference) => list.find((entry) => entry.reference === reference)?.name ?? reference;

// The default comparison: the group with the most kinds of pools.
export function firstComparison(list) {
  const groups = Map.groupBy ? Map.groupBy(list, (entry) => entry.group) : new Map();
  const kinds = (members) => new Set(members.flatMap((entry) => entry.document.pools.map((pool) => pool.kind))).size;
  const best = [...groups.values()].sort((a, b) => kinds(b) - kinds(a) || b.length - a.length)[0] ?? list;
  return best.slice(0, 8).map((entry) => entry.reference);
}
