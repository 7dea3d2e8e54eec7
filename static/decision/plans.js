// The plans of a decision: stored scenarios (or examples) with what they refer to, and a colour that stays theirs.
import { get } from "../api.js";
import { numbersOf } from "../colours.js";
import { isExample, scenarios } from "../store.js";

const paths = { offer: "offers", server: "servers", site: "sites", endpoint: "endpoints", performance: "performances" };

// The document with the documents that its pools and workloads refer to in their places; one that can't be read stays an id.
async function resolved(document, read) {
  const fill = async (owner) => {
    const entries = await Promise.all(
      Object.entries(owner).map(async ([name, value]) =>
        typeof value === "string" && paths[name]
          ? [name, await read(`/v1/${paths[name]}/${encodeURIComponent(value)}`)]
          : [name, value],
      ),
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== null));
  };
  const pools = await Promise.all(document.pools.map(fill));
  for (const pool of pools) {
    if (pool.endpoint?.price_per_million_units !== undefined) pool.price_per_million_units = pool.endpoint.price_per_million_units;
  }
  const workloads = await Promise.all(
    document.workloads.map(async (workload) => ({ ...workload, runs_on: await Promise.all((workload.runs_on ?? []).map(fill)) })),
  );
  return { ...document, pools, workloads };
}

// [{reference, name, document, resolved, colour}] in the order of the references; those that are not there are left out.
export async function plansOf(references, colours, asOf, signal) {
  const list = await scenarios(asOf, signal);
  const read = reader(asOf, signal);
  const found = references.map((reference) => list.find((entry) => entry.reference === reference)).filter(Boolean);
  const numbers = numbersOf(
    found.map((entry) => entry.reference),
    Object.keys(colours).length ? colours : null,
  );
  return Promise.all(
    found.map(async (entry) => ({
      ...entry,
      request: isExample(entry.reference) ? entry.document : entry.reference,
      resolved: await resolved(entry.document, read),
      colour: numbers.get(entry.reference),
    })),
  );
}

// Whether a plan depends on a hosted model of others.
export const buysTokens = (plan) => plan.document.pools.some((pool) => pool.kind === "api");

// Each document is read once; null where it is not there.
function reader(asOf, signal) {
  const cache = new Map();
  return (path) => {
    if (!cache.has(path)) {
      const one = get(path, { as_of: asOf }, signal).catch((error) => {
        if (error.name === "AbortError") throw error;
        return null;
      });
      cache.set(path, one);
    }
    return cache.get(path);
  };
}
