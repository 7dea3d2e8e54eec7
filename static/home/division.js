// How a plan divides work: its groups, a pool each, with the sizes of requests that each workload has there.
import { deviceShort } from "../plan/names.js";

// A mix has its workloads on several pools, or bases with a burst each.
const isDivision = ({ scenario: { workloads } }) => new Set(workloads.map(({ runs_on: [{ pool }] }) => pool)).size > 1;
export const mixOf = ({ plans, mix }) => (mix ? (plans.find(isDivision) ?? null) : null);

// The workload of the question that one of a scenario is of: the same id, or with a number behind where several groups have parts of it.
const askedOf = (asked, { id }) =>
  asked.find((one) => one.id === id) ??
  asked.filter((one) => id.startsWith(`${one.id}-`)).reduce((a, b) => (!a || b.id.length > a.id.length ? b : a), null) ??
  asked[0];
const amountOf = ({ demand, requests_per_month: monthly }) => demand?.mean_per_s ?? monthly ?? 1;

const sizesOf = ({ kind, token_mix: mix, units_per_request: units }) =>
  kind === "training" ? [{ share: 1 }] : mix?.length ? mix : [{ ...(typeof units === "object" ? units : { output: units }), share: 1 }];

const deviceOf = ({ offer, server }) => (offer || server ? deviceShort((offer ?? server).device) : "hosted");

// [{pool, burst: the pool behind it or null, device, letter, colour, share: of all requests, ids: of the scenario's workloads, buckets: [{of: the id of the workload of the
// question, isRun, input, output, units: as the scenario has them, share: of that workload, part: of all requests}]}].
export function groupsOf({ scenario: { workloads, pools } }, asked) {
  const wholes = new Map();
  const mine = workloads.map((workload) => ({ workload, of: askedOf(asked, workload) }));
  for (const { workload, of } of mine) wholes.set(of.id, (wholes.get(of.id) ?? 0) + amountOf(workload));
  const isRequest = ({ workload }) => workload.demand;
  const all = mine.filter(isRequest).reduce((sum, { workload }) => sum + workload.demand.mean_per_s, 0) || 1;
  const used = new Set();
  return pools
    .map((pool, i) => {
      const own = mine.filter(({ workload }) => workload.runs_on[0].pool === pool.id);
      const behind = own.flatMap(({ workload }) => workload.runs_on.slice(1)).map(({ pool: id }) => id);
      const burst = pools.find(({ id }) => behind.includes(id)) ?? null;
      const device = [pool, burst].filter(Boolean).map(deviceOf).join(" + ");
      const letter = [...device.toUpperCase().replace(/[^A-Z0-9]/g, "")].find((one) => !used.has(one)) ?? String(i + 1);
      used.add(letter);
      const buckets = own.flatMap(({ workload, of }) =>
        sizesOf(workload).map(({ share, ...units }) => ({
          of: of.id,
          isRun: workload.kind === "training",
          input: (units.input ?? 0) + (units.cached_input ?? 0),
          output: units.output ?? 0,
          units,
          share: (share * amountOf(workload)) / wholes.get(of.id),
          part: workload.demand ? (share * workload.demand.mean_per_s) / all : 0,
        })),
      );
      const share = buckets.reduce((sum, bucket) => sum + bucket.part, 0);
      return { pool, burst, device, letter, colour: `var(--p${(i % 8) + 1})`, share, ids: own.map(({ workload }) => workload.id), buckets };
    })
    .filter(({ buckets }) => buckets.length);
}

// The same groups with the sizes of one workload alone; those without any are left out.
export const ofWorkload = (groups, id) =>
  groups.map((group) => ({ ...group, buckets: group.buckets.filter(({ of }) => of === id) })).filter(({ buckets }) => buckets.length);
