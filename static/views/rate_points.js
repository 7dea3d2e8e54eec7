// Measured points of a model on a device, and whether they are of the conditions of a rate: what is measured otherwise is not
// compared.

const uncompared = new Set(["prefill", "training", "disaggregated"]); // no rate of a replica that both reads prompts and answers
const nearness = 0.25; // of a length, by which a point's may differ

const isNear = (value, wanted) => value !== undefined && Math.abs(value - wanted) <= nearness * wanted;

// A point of a measurement: its columns by name, with its place there.
function pointAt(measurement, at) {
  const columns = Object.entries(measurement.points).filter(([, values]) => values.length);
  return { measurement, at, cached_input: 0, ...Object.fromEntries(columns.map(([name, values]) => [name, values[at]])) };
}
export const pointsOf = (measurement) => (measurement.points.output ?? []).map((_, at) => pointAt(measurement, at));

// Whether a point is of the count, precision and, within a quarter, lengths of the answer.
export function isOf(answer, { measurement, input, output, cached_input: cached }) {
  return (
    measurement.model === answer.model &&
    measurement.device === answer.device &&
    measurement.devices === answer.devices &&
    measurement.precision === answer.precision &&
    !uncompared.has(measurement.kind) &&
    isNear(input, answer.input) &&
    isNear(output, answer.output) &&
    Math.abs(cached - answer.cached_input) <= nearness * answer.input
  );
}

// The measurements that count for rates of the answer's model on its device.
export const measuredOn = (answer, measurements) =>
  measurements.filter(
    (one) => one.model === answer.model && one.device === answer.device && one.basis === "measured" && !one.doubt,
  );

// Points that have a load and a rate, by load.
const hasRate = (point) => point.concurrency > 0 && point.output_per_s > 0;
export const sameConditions = (answer, measurements) =>
  measuredOn(answer, measurements)
    .flatMap(pointsOf)
    .filter((point) => hasRate(point) && isOf(answer, point))
    .sort((a, b) => a.concurrency - b.concurrency);

// What moved the rate, with its weight; `point` is null where the measurement is not among those that were read.
export const movedBy = (answer, measurements) =>
  answer.from.map(({ measurement: id, point: at, weight }) => {
    const measurement = measurements.find((one) => one.id === id);
    return { id, at, weight, point: measurement ? pointAt(measurement, at) : null };
  });

// The conditions in which the model was measured on the device: [{measurement, input, output, cached_input, points, from, to}].
export function conditionsOf(answer, measurements) {
  const groups = new Map();
  for (const point of measuredOn(answer, measurements).flatMap(pointsOf)) {
    if (!hasRate(point) || uncompared.has(point.measurement.kind) || point.input === undefined) continue;
    const lengths = [point.input, point.output, point.cached_input].map((tokens) => Number(tokens.toPrecision(2)));
    const key = [point.measurement.id, ...lengths].join();
    const group = groups.get(key) ?? { ...point, points: 0, from: Infinity, to: 0 };
    groups.set(key, {
      ...group,
      points: group.points + 1,
      from: Math.min(group.from, point.concurrency),
      to: Math.max(group.to, point.concurrency),
    });
  }
  return [...groups.values()].sort((a, b) => isOf(answer, b) - isOf(answer, a) || a.measurement.devices - b.measurement.devices);
}
