// The assumptions of a decision by concept: which numbers of all plans a concept stands for, how far it is drawn, and where its
// value stands in a plan. `pointer` may have * for any index; it then varies by a factor. Low and high are factors, or values where
// `absolute`: the range that is drawn; `from` and `to` are the slider's ends; `most` is the greatest value that the field takes.

// Values of a path of names in a document, * standing for all.
export function valuesAt(value, names) {
  if (!names.length) return [value];
  if (value === null || typeof value !== "object") return [];
  const [first, ...rest] = names;
  const parts = first === "*" ? Object.values(value) : [value[first]];
  return parts.filter((part) => part !== undefined && part !== null).flatMap((part) => valuesAt(part, rest));
}
export const namesOf = (pointer) => pointer.split("/").slice(1);

export const concepts = [
  {
    id: "demand",
    label: "Demand",
    pointers: ["/workloads/*/demand/mean_per_s"],
    unit: "req/s",
    from: 0.2,
    to: 2.2,
    low: 0.8,
    high: 1.25,
  },
  {
    id: "work",
    label: "Work",
    pointers: ["/workloads/*/requests_per_month", "/workloads/*/epochs"],
    unit: "× plan",
    from: 0.2,
    to: 2.2,
    low: 0.8,
    high: 1.25,
  },
  {
    id: "token-price",
    label: "Token price",
    pointers: ["/pools/*/price_per_million_units"],
    unit: "× list",
    from: 0,
    to: 4,
    low: 0.5,
    high: 2,
  },
  {
    id: "hour-price",
    label: "GPU-hour price",
    pointers: ["/pools/*/offer/hourly_price"],
    unit: "× list",
    from: 0.25,
    to: 2,
    low: 0.7,
    high: 1.2,
  },
  {
    id: "server-price",
    label: "Server price",
    pointers: ["/pools/*/server/price"],
    unit: "× list",
    from: 0.5,
    to: 2,
    low: 0.85,
    high: 1.15,
  },
  {
    id: "power-price",
    label: "Power price",
    pointers: ["/pools/*/site/energy_price"],
    unit: "/kWh",
    from: 0.2,
    to: 4,
    low: 0.7,
    high: 2,
  },
  {
    id: "throughput",
    label: "Throughput",
    pointers: ["/workloads/*/runs_on/*/performance/units_per_s"],
    unit: "× measured",
    from: 0.4,
    to: 2,
    low: 0.85,
    high: 1.1,
  },
  {
    id: "headroom",
    label: "Peak utilization",
    pointers: ["/workloads/*/peak_utilization"],
    unit: "%",
    scale: 100,
    from: 0.4,
    to: 1.25,
    low: 0.85,
    high: 1.1,
    most: 1,
  },
  {
    id: "discount-rate",
    label: "Discount rate",
    pointers: ["/finance/discount_rate"],
    absolute: true,
    unit: "% a year",
    scale: 100,
    from: 0,
    to: 0.2,
    low: 0.06,
    high: 0.11,
  },
  {
    id: "resale",
    label: "Resale value",
    pointers: ["/pools/*/server/residual_fraction"],
    unit: "× curve",
    from: 0,
    to: 1.2,
    low: 0.5,
    high: 1.1,
    most: 1,
  },
];

// The greatest factor that keeps every number below `most`: curves count with their highest point, ids of curves with `most` itself.
function greatestFactor(values, most) {
  const highest = values.map((value) =>
    typeof value === "number" ? value : value?.points ? Math.max(...value.points.map((point) => point[1])) : most,
  );
  return most / Math.max(...highest);
}

// The concepts that some plan has, each with the value that it has in all of them, or null where they differ or it is a curve.
export function present(plans) {
  return concepts.flatMap((concept) => {
    for (const pointer of concept.pointers) {
      const all = plans.flatMap((plan) => valuesAt(plan.resolved, namesOf(pointer)));
      if (!all.length) continue;
      const isOne = all.every((value) => typeof value === "number" && value === all[0]);
      if (concept.absolute ? !isOne : isOne && all[0] === 0) continue;
      const limit = concept.most ? greatestFactor(all, concept.most) : Infinity;
      const range = { to: Math.min(concept.to, limit), high: Math.min(concept.high, limit) };
      return [{ ...concept, ...range, pointer, base: isOne ? all[0] : null }];
    }
    return [];
  });
}

// The changes that reach some of the plans: a factor that none of them has a number for is refused.
export function reaching({ scale = {}, ...rest }, plans) {
  const has = ([pointer]) => plans.some((plan) => valuesAt(plan.resolved, namesOf(pointer)).length > 0);
  return { ...rest, scale: Object.fromEntries(Object.entries(scale).filter(has)) };
}
