// A document of the catalogue in a few words, for who chooses one: what it is, and its figures with their unit, date and evidence.
import { date, money, number, percent } from "./format.js";

// nvidia.h100-sxm5-80gb → H100 SXM5 80GB
export const deviceWords = (device) =>
  String(device?.id ?? device ?? "a device")
    .replace(/^[^.]*\./, "")
    .replaceAll("-", " ")
    .toUpperCase();
const devices = ({ devices: count = 1, device }) => `${number(count)}× ${deviceWords(device)}`;

// Money in the currency that a curve or a document states; one that states none is in that of the scenario that uses it.
const priceText = (value, { currency }) => (currency ? money(value, currency) : `${number(value)} (in the scenario's currency)`);
const currencyOf = (price, { currency }) => ({ currency: price?.currency ?? currency });

const undated = "1970-01-01"; // where an import puts a price that had no day
const lastPoint = (value) => value?.points?.at(-1) ?? null;
const priceNow = (price) => (typeof price === "number" ? price : (lastPoint(price)?.[1] ?? null));
function dayOf(price) {
  const day = price?.axis === "date" ? lastPoint(price)?.[0] : null;
  return day && day !== undated ? date(day) : "not dated";
}

// Of prices by class the oldest day; one without a day is none.
export function dayOfClasses(price) {
  const prices = price && typeof price === "object" && !price.points ? Object.values(price) : [price];
  const days = prices.map((one) => (one?.axis === "date" ? lastPoint(one)?.[0] : null));
  const isKnown = days.length > 0 && days.every((day) => day && day !== undated);
  return isKnown ? `prices of ${date(days.sort()[0])}` : "prices of a day unknown";
}

// A rate: a number, or a curve's range of values.
function rateOf(performance) {
  const { units_per_s: rate } = performance;
  if (performance.estimate) return "estimated from the device's data";
  if (typeof rate === "number") return `${number(Number(rate.toPrecision(4)))} units/s`;
  const values = rate?.points?.map(([, value]) => value) ?? [];
  if (!values.length) return "by a stored curve";
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => number(Number(value.toPrecision(3))));
  return `${low} to ${high} units/s by ${rate.axis.replaceAll("_", " ")}`;
}
function latencyOf({ itl_s: latency, latency_percentile: percentile = 50 }) {
  const values = typeof latency === "number" ? [latency] : (latency?.points?.map(([, value]) => value) ?? []);
  if (!values.length) return null;
  const milliseconds = [...new Set([Math.min(...values), Math.max(...values)].map((value) => number(1000 * value, "", 0)))];
  return `${milliseconds.join(" to ")} ms at the ${percentile}th percentile`;
}

const describe = {
  offers: (one) => {
    const price = priceNow(one.hourly_price);
    const stated = currencyOf(one.hourly_price, one);
    return {
      title: `${devices(one)}, ${one.provider ?? "seller not known"}`,
      facts: [
        one.purchase?.replaceAll("_", " "),
        one.term_months ? `${one.term_months} months` : one.term_days ? `${one.term_days} days` : null,
        one.region,
        price === null ? "price not known" : `${priceText(price / (one.devices ?? 1), stated)} a device-hour`,
        price === null ? null : `${priceText(price, stated)} an instance-hour`,
        price === null ? null : dayOf(one.hourly_price),
      ],
    };
  },
  servers: (one) => ({
    title: devices(one),
    facts: [
      `${priceText(one.price, one)} a server`,
      one.life_months ? `${one.life_months} months of life` : null,
      one.host_max_w ? `host ${number(one.host_max_w, "W")}` : null,
    ],
  }),
  performances: (one) => ({
    title: `${one.model ?? one.id.split(".").slice(1, 2).join("")} on ${devices(one)}`,
    facts: [rateOf(one), latencyOf(one), one.batch ? `batch ${number(one.batch)}` : null, one.precision, one.framework, one.basis],
  }),
  sites: (one) => ({
    title: one.name ?? one.id,
    facts: [
      typeof one.energy_price === "number" ? `${number(one.energy_price)} ${one.currency ?? ""}/kWh` : "price of power by a curve",
      typeof one.pue === "number" ? `PUE ${number(one.pue)}` : null,
      typeof one.carbon_g_per_kwh === "number" ? `${number(one.carbon_g_per_kwh)} g CO₂e/kWh` : null,
      one.time_zone,
    ],
  }),
  devices: (one) => ({
    title: deviceWords(one),
    facts: [one.vendor, one.memory_gib ? number(one.memory_gib, "GiB") : null, one.tdp_w ? number(one.tdp_w, "W") : null],
  }),
  curves: (one) => ({
    title: one.id,
    facts: [
      one.kind?.replaceAll("_", " "),
      one.currency,
      one.axis ? `by ${one.axis.replaceAll("_", " ")}` : null,
      `${one.points?.length ?? 0} points`,
    ],
  }),
  endpoints: (one) => ({
    title: `${one.model ?? one.id}, ${one.provider ?? "seller not known"}`,
    facts: [
      one.region,
      ...["input", "output"].map((name) => {
        const stated = one.price_per_million_units?.[name] ?? one.price_per_million_units;
        const price = priceNow(stated);
        return price === null ? null : `${priceText(price, currencyOf(stated, one))} a million ${name} tokens`;
      }),
      one.batch_price_fraction ? `batch at ${percent(one.batch_price_fraction)}` : null,
      dayOfClasses(one.price_per_million_units),
      one.source ?? "source unknown",
    ],
  }),
};

// {title, facts: [text]} of a document of a kind.
export function factsOf(kind, document) {
  const { title, facts } = describe[kind]?.(document) ?? { title: document.name ?? document.id, facts: [] };
  return { title, facts: facts.filter(Boolean) };
}
