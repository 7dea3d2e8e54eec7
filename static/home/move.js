// Requests of some sizes on other devices than the division has them on: both groups are sized anew by the ranking, and the scenario of all
// is evaluated, so that its cost is as exact as the plan's.
import { post } from "../api.js";
import { number } from "../format.js";

const mostLooked = 12; // plans of a device, among which the pool's own is

const partOf = (pool) => pool.offer ?? pool.server ?? pool.endpoint;
const sourceOf = (pool) => [pool.kind, partOf(pool)?.id ?? pool.id, pool.site?.id ?? ""].join();

// A workload of the question with the sizes that a group has of it.
function partOfWorkload(workload, buckets) {
  const whole = buckets.reduce((sum, { share }) => sum + share, 0);
  if (workload.kind === "training") return workload;
  const isWhole = whole > 1 - 1e-12;
  const { demand, requests_per_month: monthly, token_mix: mix, ...rest } = workload;
  const sizes = mix?.length ? { token_mix: buckets.map(({ units, share }) => ({ ...units, share: share / whole })) } : mix ? { token_mix: mix } : {};
  return {
    ...rest,
    ...sizes,
    ...(demand && { demand: isWhole ? demand : { ...demand, mean_per_s: demand.mean_per_s * whole } }),
    ...(monthly && { requests_per_month: isWhole ? monthly : monthly * whole }),
  };
}
// The question of one group alone, on what its pool is made of.
function groupRequest(request, { pool, buckets }) {
  const { provider, device } = partOf(pool);
  return {
    ...request,
    samples: 0,
    top: mostLooked,
    include: [pool.kind],
    limits: {
      ...request.limits,
      ...(device && { devices: [device.id ?? device] }),
      ...(provider && { providers: [provider] }),
      ...(pool.site?.id && { sites: [pool.site.id] }),
    },
    workloads: request.workloads
      .map((workload) => [workload, buckets.filter(({ of }) => of === workload.id)])
      .filter(([, own]) => own.length)
      .map(([workload, own]) => partOfWorkload(workload, own)),
  };
}

// The same sizes of one workload twice are one bucket.
function joined(buckets) {
  const all = new Map();
  for (const one of buckets) {
    const key = JSON.stringify([one.of, one.units]);
    all.set(key, { ...one, share: one.share + (all.get(key)?.share ?? 0) });
  }
  return [...all.values()];
}

// What a group becomes: {workloads, pools, replicas} of its scenario; {reason} where nothing of its kind holds it.
async function resized(group, request, signal) {
  if (group.burst) return { reason: `${group.device} are sized together` };
  const { plans, nearest } = await post("/v1/rank", groupRequest(request, group), signal);
  const found = plans.find(({ scenario }) => scenario.pools.length === 1 && sourceOf(scenario.pools[0]) === sourceOf(group.pool));
  if (!found) {
    const late = nearest?.times_over > 1 ? `: latency would be ${number(nearest.times_over, "times", 2)} what is promised` : "";
    return { reason: `no number of ${group.device} holds these${late}` };
  }
  const on = (one) => ({ ...one, pool: group.pool.id });
  const { workloads, pools } = found.scenario;
  return {
    workloads: workloads.map((workload) => ({ ...workload, runs_on: workload.runs_on.map(on) })),
    pools: [{ ...pools[0], id: group.pool.id }],
    replicas: found.replicas.map(on),
  };
}
function unmoved(group, { scenario, replicas }) {
  const own = ({ id }) => group.ids.includes(id);
  return { workloads: scenario.workloads.filter(own), pools: [group.pool, group.burst].filter(Boolean), replicas: replicas.filter(({ workload }) => group.ids.includes(workload)) };
}
// Where two groups have parts of one workload, numbers tell these apart.
function numbered(parts) {
  const used = new Set();
  return parts.map(({ workloads, replicas, pools }) => {
    const names = new Map();
    for (const { id } of workloads) {
      let name = id;
      for (let n = 2; used.has(name); ++n) name = `${id}-${n}`;
      used.add(name);
      names.set(id, name);
    }
    return {
      pools,
      workloads: workloads.map((workload) => ({ ...workload, id: names.get(workload.id) })),
      replicas: replicas.map((replica) => ({ ...replica, workload: names.get(replica.workload) })),
    };
  });
}

// The plan with the requests of which `isMoved(bucket)` is true in the group `to`, and how much more it costs; {reason} where it does not hold.
export async function moved({ plan, groups, request, to, isMoved }, signal) {
  const taken = groups.filter((group) => group !== to).flatMap(({ buckets }) => buckets.filter(isMoved));
  const parts = [];
  for (const group of groups) {
    const buckets = group === to ? joined([...group.buckets, ...taken]) : group.buckets.filter((bucket) => !isMoved(bucket));
    if (!buckets.length) continue;
    const isSame = group !== to && buckets.length === group.buckets.length;
    // One after the other: the daemon answers few rankings at a time.
    const part = isSame ? unmoved(group, plan) : await resized({ ...group, buckets }, request, signal);
    if (part.reason) return part;
    parts.push(part);
  }
  const all = numbered(parts);
  const flat = (name) => all.flatMap((part) => part[name]);
  const scenario = { ...plan.scenario, workloads: flat("workloads"), pools: flat("pools") };
  const result = await post("/v1/evaluate", { scenario }, signal);
  if (!result.feasible || result.decisive === null) return { reason: "together they do not do the work" };
  const workloads = Object.entries(result.by_workload).map(([workload, { cost }]) => ({ workload, cost }));
  return { plan: { ...plan, scenario, decisive: result.decisive, replicas: flat("replicas"), workloads }, more: result.decisive - plan.decisive };
}
