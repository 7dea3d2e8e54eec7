// A run of training from a plan's scenario and its result: what is done by each day, where its hours go, and the same plan on more devices.
const perDay = 24;
const perHour = 3600;
const mostDevices = 16384; // of a gang, as a ranking has it
const mostOfSlice = 256; // TPUs that their own links join
const board = 4; // devices of a host from which hosts are joined

const sum = (list) => list.reduce((total, one) => total + one, 0);
const partOf = ({ offer, server }) => offer ?? server;
const resultOf = ({ by_workload: all }) => Object.values(all)[0];

// A part for each pool that does some of the run: {entry, pool, done in epochs, hours in which its gang is paid}.
export function partsOfRun({ workloads: [work], pools }, result) {
  const { hours_per_epoch: perEpoch, epochs_done: epochs } = resultOf(result);
  const parts = work.runs_on
    .map((entry) => ({ entry, pool: pools.find(({ id }) => id === entry.pool), perEpoch: perEpoch?.[entry.pool] }))
    .filter((one) => one.perEpoch > 0 && result.by_pool[one.entry.pool].busy_device_hours > 0)
    .map((one) => ({ ...one, done: result.by_pool[one.entry.pool].busy_device_hours / one.entry.performance.devices / one.perEpoch }));
  const all = sum(parts.map(({ done }) => done));
  return parts.map((one) => ({ ...one, done: (one.done / all) * epochs, hours: (one.done / all) * epochs * one.perEpoch }));
}

// [{day, epochs}]: straight between them, as a month's hours are alike and interruptions at their mean; a bend where a run on spot falls back.
export function progressOf(scenario, result) {
  const [work] = scenario.workloads;
  const { days, epochs_done: epochs } = resultOf(result);
  const fallBack = work.fall_back_after_days;
  const last = work.runs_on.at(-1).pool;
  const before = sum(partsOfRun(scenario, result).filter(({ entry }) => entry.pool !== last).map(({ done }) => done));
  return [{ day: 0, epochs: 0 }, ...(fallBack < days ? [{ day: fallBack, epochs: before }] : []), { day: days, epochs }];
}
export function epochsBy(progress, day) {
  const next = progress.findIndex((one) => one.day >= day);
  if (next < 0) return progress.at(-1).epochs;
  const [a, b] = [progress[Math.max(0, next - 1)], progress[next]];
  return b.day > a.day ? a.epochs + ((day - a.day) / (b.day - a.day)) * (b.epochs - a.epochs) : b.epochs;
}

// Hours between two checkpoints: Daly 2006, eq. 37, where none is stated.
function intervalOf(write, between) {
  if (write >= 2 * between) return between;
  const ratio = write / (2 * between);
  return Math.sqrt(2 * write * between) * (1 + Math.sqrt(ratio) / 3 + ratio / 9) - write;
}
// Losses of a part: interruptions of its gang an hour; hours between two checkpoints (null: it writes none); and the shares of its hours
// for writing checkpoints, for repeating work that was lost, and for restarts. After Daly's eq. 20: s = interval + write hours without an
// interruption take (e^(Λs) − 1)/Λ hours of trying, with e^(Λs) − 1 failures, each followed by a restart.
function lossesOf({ entry: { performance }, pool, perEpoch }, { units_per_epoch: units, checkpoint = {} }) {
  const { devices, interruptions_per_hour: taken, failures_per_hour: failed } = partOf(pool);
  const often = (taken ?? failed ?? 0) * Math.ceil(performance.devices / devices);
  const goodput = units / (perHour * performance.units_per_s * perEpoch);
  const write = (checkpoint.write_s ?? 0) / perHour;
  const stated = checkpoint.interval_s ? checkpoint.interval_s / perHour : null;
  const interval = stated ?? (often && write ? intervalOf(write, 1 / often) : null);
  const written = interval ? (goodput * write) / interval : 0;
  const work = (interval ?? 0) + write;
  const redone = often && interval ? (goodput * (Math.expm1(often * work) / often - work)) / interval : 0;
  const restarting = often ? 1 - goodput - written - redone : 0;
  return { often, interval, goodput, written, redone: Math.max(0, redone), restarting: Math.max(0, restarting) };
}

const lostOf = (scenario, result) => partsOfRun(scenario, result).map((part) => ({ ...part, ...lossesOf(part, scenario.workloads[0]) }));

// {interruptions, checkpoints} by a day, at the mean: what falls back is alone from then on.
export function metBy(scenario, result, day) {
  const [{ fall_back_after_days: fallBack, runs_on: entries }] = scenario.workloads;
  const { days } = resultOf(result);
  const passed = (from, to) => Math.min(1, Math.max(0, (day - from) / (to - from)));
  const isLast = ({ entry }) => entry.pool === entries.at(-1).pool;
  const portion = (part) => (!(fallBack < days) ? passed(0, days) : isLast(part) ? passed(fallBack, days) : passed(0, fallBack));
  const parts = lostOf(scenario, result);
  return {
    interruptions: sum(parts.map((part) => portion(part) * part.hours * part.often)),
    checkpoints: sum(parts.map((part) => (part.interval ? (portion(part) * part.hours * part.goodput) / part.interval : 0))),
  };
}

// Shares of the hours from a run's start to its end.
export function hoursOf(scenario, result) {
  const all = perDay * resultOf(result).days;
  const parts = lostOf(scenario, result);
  const share = (of) => sum(parts.map((part) => part.hours * of(part))) / all;
  return {
    useful: share(({ goodput }) => goodput),
    written: share(({ written }) => written),
    redone: share(({ redone }) => redone),
    restarting: share(({ restarting }) => restarting),
    waiting: Math.max(0, 1 - share(() => 1)),
    ...metBy(scenario, result, resultOf(result).days),
  };
}

const areJoined = (pool, devices) => {
  const { devices: ofHost, device } = partOf(pool);
  const kind = device?.links?.kind;
  if (devices <= ofHost) return true;
  if (!kind || kind === "pcie") return false;
  return kind === "ici" ? devices <= mostOfSlice : ofHost >= board;
};
// The number of devices of a plan at so many times its own; null where a ranking makes no such gang, or its pools are of several devices.
export function devicesAt({ workloads: [work], pools }, factor) {
  const [{ performance }] = work.runs_on;
  const devices = performance.devices * factor;
  const fits = ({ pool: id, performance: own }) => {
    const pool = pools.find((one) => one.id === id);
    const isSame = own.devices === performance.devices && own.device === performance.device;
    return isSame && partOf(pool) && Number.isInteger(devices / partOf(pool).devices) && areJoined(pool, devices);
  };
  return devices <= mostDevices && work.runs_on.every(fits) ? devices : null;
}
const times = (value, factor) => (value === undefined || value === null ? value : value * factor);
export function scenarioAt({ workloads: [work], pools, ...rest }, factor, rate) {
  const at = (performance) => ({ ...performance, devices: performance.devices * factor, units_per_s: rate });
  return {
    ...rest,
    workloads: [{ ...work, runs_on: work.runs_on.map((entry) => ({ ...entry, performance: at(entry.performance) })) }],
    pools: pools.map((pool) => ({
      ...pool,
      ...(pool.offer ? { min_instances: times(pool.min_instances, factor), max_instances: times(pool.max_instances, factor) } : {}),
      ...(pool.purchases ? { purchases: pool.purchases.map((one) => ({ ...one, servers: one.servers * factor })) } : {}),
    })),
  };
}
