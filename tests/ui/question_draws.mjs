// Random questions for the page of plans: drawn by a seed, each with the fields that a person types and the request that they mean, made here
// apart from the page's own code.

// Numbers from 0 to 1 of a seed (mulberry32, Ettinger 2017, public domain).
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const open = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.3-70b", "qwen3-32b", "qwen3-30b-a3b", "gpt-oss-120b", "mixtral-8x7b", "deepseek-r1"];
const hosted = ["claude-opus-4-5", "claude-sonnet-4-5", "gpt-5.4", "sonar"];
const rates = { EUR: 0.9, JPY: 152.4, GBP: 0.78, CHF: 0.88, KRW: 1380, INR: 84, BRL: 5.4, SGD: 1.31 }; // of a dollar
const samples = 40;
const first = "2026-12";
export const own = { level: "own-level-7b", long: "own-long-8b" };

// Documents of one's own: a model of three hosts at one price; a model with a long name in two scripts, and offers for it in another currency.
export function ownDocuments({ model, offer, endpoint }) {
  const host = (provider) => ({ ...endpoint, id: `own.${provider}`, provider, model: own.level });
  const long = { ...model, id: own.long, aliases: [], name: "研究用の対話モデル 8B, fine-tuned for the support desk of the northern branch offices" };
  const sold = (n, provider, price) => ({ ...offer, id: `own.offer-${n}`, provider, sku: `own-${n}`, region: "eu-north-1", currency: "EUR", hourly_price: price });
  return {
    models: [long],
    endpoints: ["first-seller", "second-seller", "third-seller"].map(host),
    offers: [sold(1, "rechenzentrum-der-stadtwerke-im-norden", 41), sold(2, "שרתים בעמ", 44.5)],
  };
}

// Each draws {fields, choices, model} of its kind over what all have.
const kinds = {
  plain: ({ some }) => ({ model: some(open), choices: { shape: some(["consumer", "flat"]) } }),
  currency({ some, between }) {
    const currency = some(Object.keys(rates));
    return { model: some(open), choices: { currency }, fields: { dollar: rates[currency], discount: some([0, 5, 12.5]), budget: Math.round(between(1e4, 1e7) * rates[currency]) } };
  },
  none: ({ some }) => ({ model: some(open), choices: { where: some(["cloud", "owned"]) }, fields: { latency: some([0.5, 1]), first: some([5, 20]) } }),
  single: ({ some }) => ({ model: some(hosted) }),
  forty: ({ some, between }) => ({ model: some(open.slice(0, 3)), fields: { rps: Number(between(5, 40).toPrecision(3)) }, isMore: true }),
  level: ({ some }) => ({ model: own.level, fields: { output: some([100, 300]) } }),
  own: ({ between }) => ({ model: own.long, choices: { currency: "EUR", where: "cloud" }, fields: { dollar: 0.9, rps: Number(between(50, 400).toPrecision(3)) } }),
  large: ({ some }) => ({ model: some(open.slice(0, 5)), fields: { rps: some([1000, 2500, 5000]), growth: some([0, 2]) } }),
  small: ({ some }) => ({ model: some(open.slice(0, 5)), fields: { rps: some([0.01, 0.05, 0.2]) } }),
  objective: ({ some, between }) => ({ model: some(open), choices: { region: some(["eu", "us", "uk"]), spot: some(["never", "all"]) }, fields: { budget: Math.round(between(5e3, 5e5)), availability: some([99, 99.99]) } }),
};

// `count` questions: {kind, model, fields, choices, isMore, isModelFirst}; fields and choices by the id of their control.
export function drawQuestions(seed, count) {
  const random = generator(seed);
  const some = (list) => list[Math.floor(random() * list.length)];
  const between = (low, high) => low * (high / low) ** random();
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, i) => {
    const kind = names[i % names.length];
    const drawn = kinds[kind]({ some, between });
    const fields = {
      rps: Number(between(0.01, 500).toPrecision(3)),
      input: some([50, 500, 2000, 7000]),
      output: some([1, 128, 300, 1200]),
      months: some([1, 12, 36, 60]),
      samples,
      ...drawn.fields,
    };
    return { kind, choices: {}, isMore: false, ...drawn, fields, isModelFirst: i % 5 === 4 };
  });
}

const included = { cloud: ["cloud"], owned: ["owned"], api: ["api"] };

// What those fields mean, as the API takes it.
export function requestOf({ model, fields, choices, isMore }) {
  const { rps, growth = 0, input, output, months, latency, first: token, availability, discount, dollar } = fields;
  const { currency = "USD", where, region, spot, shape } = choices;
  const slo = { ...(latency && { itl_s: latency / 1000 }), ...(token && { ttft_s: token / 1000 }) };
  return {
    start: first,
    months,
    samples,
    seed: 1,
    workloads: [
      {
        id: "serve",
        kind: "inference",
        unit: "token",
        model,
        units_per_request: { input, output },
        demand: { mean_per_s: rps, growth_per_month: growth / 100 },
        ...(Object.keys(slo).length && { slo }),
      },
    ],
    ...(currency !== "USD" && { currency, exchange_rates: { USD: dollar } }),
    ...(discount && { finance: { discount_rate: discount / 100, decide_by: "npv" } }),
    ...(availability && { availability: Number((availability / 100).toPrecision(12)) }),
    ...(shape && { shape }),
    ...(spot && { spot }),
    ...(where && { include: included[where] }),
    ...(region && { limits: { regions: [region] } }),
    ...(isMore && { top: 40 }),
  };
}
export { first as startMonth };
