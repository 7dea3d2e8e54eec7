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

// The currencies that the values of a path are in: that of the document they stand in, else `currency`.
export function currenciesAt(value, names, currency) {
  if (value === null || typeof value !== "object") return names.length ? [] : [currency];
  const own = value.currency ?? (["purchases", "lease"].includes(names[0]) ? value.server?.currency : null) ?? currency;
  if (!names.length) return [own];
  const [first, ...rest] = names;
  const parts = first === "*" ? Object.values(value) : [value[first]];
  return parts.filter((part) => part !== undefined && part !== null).flatMap((part) => currenciesAt(part, rest, own));
}

// The value that all plans have at a pointer, and the currency that it is in; null where they differ, in value or in currency.
export function sharedAt(plans, pointer, isMoney) {
  const names = namesOf(pointer);
  const values = plans.flatMap((plan) => valuesAt(plan.resolved, names));
  const currencies = [...new Set(plans.flatMap((plan) => currenciesAt(plan.resolved, names, plan.resolved.currency ?? "USD")))];
  const isOne = values.length > 0 && values.every((value) => typeof value === "number" && value === values[0]);
  const isShared = isOne && (!isMoney || currencies.length === 1);
  return { values, value: isShared ? values[0] : null, currency: isMoney && isShared ? currencies[0] : null };
}

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
    unit: "currency/kWh",
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
      const { values, value, currency } = sharedAt(plans, pointer, concept.unit.startsWith("currency"));
      if (!values.length) continue;
      if (concept.absolute ? value === null : values.every((one) => one === 0)) continue;
      const limit = concept.most ? greatestFactor(values, concept.most) : Infinity;
      const range = { to: Math.min(concept.to, limit), high: Math.min(concept.high, limit) };
      return [{ ...concept, ...range, pointer, base: value, currency }];
    }
    return [];
  });
}

// Where the values of a path stand in a document: [[pointer, value]], * standing for all.
function placesAt(value, names, place = "") {
  if (!names.length) return [[place, value]];
  if (value === null || typeof value !== "object") return [];
  const [first, ...rest] = names;
  const parts = first === "*" ? Object.entries(value) : [[first, value[first]]];
  return parts
    .filter(([, part]) => part !== undefined && part !== null)
    .flatMap(([name, part]) => placesAt(part, rest, `${place}/${name}`));
}

// The prices of units that the pointer of a pool's price stands for in a factor: above thresholds and in tiers too.
const unitPrice = "/pools/*/price_per_million_units";
const unitPrices = ["", "/above/*", "/service_tiers/*", "/service_tiers/*/above/*"].map(
  (within) => `/pools/*${within}/price_per_million_units`,
);

// The changes of a decision as one plan's own: numbers are set where they stand, and what is no number of the plan stays a factor.
export function ownChanges({ set = {}, scale = {} }, plan) {
  const own = { set: {}, scale: {} };
  for (const [pointer, value] of Object.entries(set))
    for (const [place] of placesAt(plan.resolved, namesOf(pointer))) own.set[place] = value;
  for (const [pointer, factor] of Object.entries(scale)) {
    const stated = placesAt(plan.resolved, namesOf(pointer));
    const isOwn = !/price_per_million_units$/.test(pointer) || valuesAt(plan.document, namesOf(pointer)).length === stated.length;
    const places = (pointer === unitPrice ? unitPrices : [pointer]).flatMap((one) => placesAt(plan.resolved, namesOf(one)));
    if (isOwn && places.every(([, value]) => typeof value === "number"))
      for (const [place, value] of places) own.set[place] = Number(((own.set[place] ?? value) * factor).toPrecision(12));
    else own.scale[pointer] = factor;
  }
  return own;
}

// Whether a problem of a request is about the values of a pointer.
export const isAbout = (problem, pointer) =>
  /^\/(scale|set)\//.test(problem.pointer)
    ? problem.pointer.replaceAll("~1", "/").replaceAll("~0", "~").endsWith(pointer)
    : [problem.pointer, problem.pointer.replace(/\/\d+(?=\/|$)/g, "/*")]
        .map((one) => one.replace(/^\/scenarios\/[\d*]+/, ""))
        .includes(pointer);

// The changes that reach some of the plans: a factor that none of them has a number for is refused.
export function reaching({ scale = {}, ...rest }, plans) {
  const has = ([pointer]) => plans.some((plan) => valuesAt(plan.resolved, namesOf(pointer)).length > 0);
  return { ...rest, scale: Object.fromEntries(Object.entries(scale).filter(has)) };
}
