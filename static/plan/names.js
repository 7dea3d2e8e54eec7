// Names of plans for people: what one could order, never an identifier of the store or of a seller.
import { number } from "../format.js";

const sellers = {
  akamai: "Akamai",
  alibaba: "Alibaba Cloud",
  anthropic: "Anthropic",
  aws: "AWS",
  azure: "Azure",
  bedrock: "Amazon Bedrock",
  cerebras: "Cerebras",
  coreweave: "CoreWeave",
  datacrunch: "DataCrunch",
  deepseek: "DeepSeek",
  digitalocean: "DigitalOcean",
  "fireworks-ai": "Fireworks AI",
  gcp: "Google Cloud",
  gemini: "Google Gemini",
  groq: "Groq",
  hyperbolic: "Hyperbolic",
  hyperstack: "Hyperstack",
  jarvislabs: "JarvisLabs",
  lambda: "Lambda",
  market: "market level",
  mistral: "Mistral",
  moonshot: "Moonshot",
  nebius: "Nebius",
  novita: "Novita",
  nscale: "Nscale",
  oblivus: "Oblivus",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  ovhcloud: "OVHcloud",
  perplexity: "Perplexity",
  qubrid: "Qubrid",
  runpod: "RunPod",
  sambanova: "SambaNova",
  scaleway: "Scaleway",
  together: "Together AI",
  vastai: "Vast.ai",
  vultr: "Vultr",
  xai: "xAI",
  zai: "Z.ai",
};
const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : text);
export const sellerName = (id) => sellers[id] ?? capital(String(id ?? "seller not known").replace(/[-_]/g, " "));

const idOf = (part) => part?.id ?? part ?? "";
const written = {
  ada: "Ada",
  pro: "Pro",
  ti: "Ti",
  pcie: "PCIe",
  gaudi: "Gaudi",
  xeon: "Xeon",
  trainium: "Trainium",
  inferentia: "Inferentia",
};
const inSeveralSizes = /^(a100|v100|gh200|p100|mi25)$/; // of memory
// nvidia.a100-sxm4-80gb → A100 80 GB; google.tpu-v6e → TPU v6e
export function deviceShort(device) {
  const [first, ...rest] = String(idOf(device))
    .replace(/^[^.]*\./, "")
    .split("-");
  const word = (text) => {
    const [, letters, digits] = /^([a-z]+)(\d*)$/.exec(text) ?? [];
    return written[letters] ? [written[letters], digits].filter(Boolean).join(" ") : text.toUpperCase();
  };
  if (first === "tpu") return ["TPU", ...rest].join(" ");
  const kept = rest.flatMap((text) => {
    if (/^(sxm\d*|bse)$/.test(text)) return [];
    const size = /^(\d+)gb$/.exec(text)?.[1];
    return size ? (inSeveralSizes.test(first) ? [`${size} GB`] : []) : [word(text)];
  });
  return [word(first), ...kept].join(" ");
}

// llama-3.1-70b → Llama 3.1 70B, where no document has a name for it.
export const modelWords = (id) =>
  String(id ?? "")
    .split("-")
    .map((part) => (/^(\d+(\.\d+)?[bm]|gpt|glm)$/.test(part) ? part.toUpperCase() : capital(part)))
    .join(" ");

const years = (months) => (months % 12 ? `${months} months` : months === 12 ? "1 year" : `${months / 12} years`);
export function termsOf({ purchase, term_months: months, term_days: days }) {
  const word = String(purchase ?? "").replaceAll("_", " ");
  if (days) return `${word} ${days} days`;
  return months && purchase !== "on_demand" && purchase !== "spot" ? `${word} ${years(months)}` : word;
}

const serversOf = (pool) => (pool.purchases ?? []).reduce((sum, { servers }) => sum + servers, 0);
const partOf = (pool) => pool.offer ?? pool.server;

// How a pool is divided into replicas: {fewest, most, spares, each}; null of a hosted model.
function replicasIn(pool, replica) {
  const part = partOf(pool);
  if (!part) return null;
  const units = pool.kind === "owned" ? serversOf(pool) : pool.max_instances;
  const least = pool.kind === "owned" ? units : (pool.min_instances ?? units);
  const perUnit = part.devices ?? 1;
  const each = replica?.devices ?? perUnit;
  const replicas = (count) =>
    each <= perUnit ? count * Math.floor(perUnit / each + 1e-9) : Math.floor((count * perUnit) / each);
  const spares = replicas(units) > (replica?.spares ?? 0) ? (replica?.spares ?? 0) : 0; // a lone one is at work: others stand in for it
  return { fewest: Math.max(0, replicas(least) - spares), most: replicas(units) - spares, spares, each };
}

// A run of training alone: one gang, whatever the hosts that it is on.
const isRun = ({ scenario: { workloads } }) => workloads.length === 1 && workloads[0].kind === "training";
function gangText(pool, { devices, spares }) {
  return `${number(devices)} ${deviceShort(partOf(pool).device)}${spares ? ` + ${counted(spares, "spare host")}` : ""}`;
}

function sizeText(pool, replica) {
  const { fewest, most, spares, each } = replicasIn(pool, replica);
  const count = fewest === most ? number(most) : fewest ? `${number(fewest)}–${number(most)}` : `up to ${number(most)}`;
  const devices = each === 1 ? "" : `${number(each)} `;
  return `${count} × ${devices}${deviceShort(partOf(pool).device)}${spares ? ` + ${counted(spares, "spare")}` : ""}`;
}
const counted = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

const replicaOf = (plan, pool) => plan.replicas.find((one) => one.pool === pool.id);
const isHosted = (pool) => pool.kind === "api";
const phases = { prefill: "prompts", decode: "answers" }; // of a pair of pools

// "by the token", or "in 215 units for 1 year" where throughput is bought.
const boughtAs = ({ provisioned_units: units, provisioned_term_months: months }) =>
  units ? `in ${units} units${months ? ` for ${years(months)}` : " by the hour"}` : "by the token";

// "2 × 8 H100 + 1 spare"; a base, then what serves above it.
export function planName(plan, modelName = modelWords) {
  const pools = plan.scenario.pools;
  if (pools.every(isHosted))
    return pools.map((pool) => `${modelName(pool.endpoint?.model ?? pool.model ?? "")} ${boughtAs(pool)}`.trim()).join(" and ");
  const size = isRun(plan) ? gangText : sizeText;
  const part = (pool) => size(pool, replicaOf(plan, pool)) + (pool.kind === "owned" ? ", owned" : "");
  const phaseOf = (pool) => plan.scenario.workloads.flatMap(({ runs_on: runs }) => runs ?? []).find((run) => run.pool === pool.id)?.phase;
  if (pools.some(phaseOf)) return pools.map((pool) => `${phases[phaseOf(pool)] ?? "both"} on ${part(pool)}`).join(", ");
  const [base, ...others] = pools;
  if (isHosted(base)) return pools.map((pool) => (isHosted(pool) ? boughtAs(pool) : part(pool))).join(" and ");
  const isMix = plan.scenario.workloads.length > 1;
  const rest = others.map((pool) => (isHosted(pool) ? "the rest by the token" : isMix ? part(pool) : isRun(plan) ? `the end on ${part(pool)}` : `peaks on ${part(pool)}`));
  return [part(base), ...rest].join(", ");
}

// The same in two or three words, for bars and heads.
const planShort = (plan) =>
  plan.scenario.pools
    .map((pool) => (isHosted(pool) ? "hosted" : `${deviceShort(partOf(pool).device)}${pool.kind === "owned" ? " owned" : ""}`))
    .join(" + ");

const countries = new Intl.DisplayNames(["en"], { type: "region", style: "short" });
function countryName(code) {
  try {
    return countries.of(code);
  } catch {
    return code;
  }
}

// Seller, place · terms, of each pool.
export function planLine(plan) {
  return plan.scenario.pools
    .map((pool) => {
      if (isHosted(pool)) return `${sellerName(pool.endpoint?.provider ?? pool.provider)} · hosted`;
      if (pool.kind === "owned")
        return `own servers${pool.site?.country ? ` in ${countryName(pool.site.country)}` : ""} · resold at the end`;
      const { provider, region } = pool.offer;
      return [[sellerName(provider), region].filter(Boolean).join(" "), termsOf(pool.offer)].filter(Boolean).join(" · ");
    })
    .join("; ");
}

const cases = { be: "BE", eu: "EU", lcgs: "LCGS", nrel: "NREL", uk: "UK", us: "US", colo: "colocation" };
const placeWords = (id) =>
  String(id ?? "")
    .replace(/^site\./, "")
    .split("-")
    .map((word) => cases[word] ?? capital(word))
    .join(" ");
const makeWords = (id) =>
  String(id ?? "")
    .split(".")
    .slice(0, 1)
    .map(capital)
    .join("");

// What may tell two plans of one name and one line apart, the plainest first.
const plain = [
  (pool) => (pool.offer ?? pool.endpoint) && sellerName((pool.offer ?? pool.endpoint).provider),
  (pool) => pool.offer && termsOf(pool.offer),
  (pool) => pool.site && placeWords(pool.site.id),
  (pool) => pool.server && makeWords(pool.server.id),
  (pool) => pool.offer?.region,
  (pool) => pool.offer && `instances of ${number(pool.offer.devices)}`,
];
const tellers = [...plain, (pool) => pool.purchases?.length > 1 && "bought in stages", offerWords];
// Of what a seller calls it only words: 1x_A100-80GB_SECURE is secure.
function offerWords({ offer }) {
  const device = idOf(offer?.device);
  return String(offer?.sku ?? "")
    .split(/[^a-z]+/i)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 3 && !device.includes(word))
    .join(" ");
}
const toldBy = (plan, teller) => plan.scenario.pools.map(teller).filter(Boolean).join(", ");

// A text of each plan that tells it from those that are `alike`: of the tellers those that differ, until all do.
function told(plans, alike, by = tellers) {
  const said = plans.map(() => []);
  for (const teller of by) {
    const before = said.map((parts) => JSON.stringify(parts));
    const texts = plans.map((plan) => toldBy(plan, teller));
    plans.forEach((_, i) => {
      const others = alike(i).filter((other) => before[other] === before[i]);
      if (others.some((other) => texts[other] !== texts[i])) said[i] = [...said[i], texts[i]];
    });
  }
  return said.map((parts) => parts.filter(Boolean).join(", "));
}

// {name, line, short, title} of each plan: no two have the same name and line, nor the same title, which stands where no line does.
export function namesOf(plans, modelName) {
  const list = plans.map((plan) => ({ name: capital(planName(plan, modelName)), line: planLine(plan), short: planShort(plan) }));
  const same = (members) => (i) =>
    list
      .map((_, other) => other)
      .filter((other) => other !== i && members.every((member) => list[other][member] === list[i][member]));
  const [lines, titles] = [told(plans, same(["name", "line"])), told(plans, same(["name"]))];
  const alone = (texts) =>
    texts.map((text, i) => (texts.indexOf(text) === texts.lastIndexOf(text) ? text : `${text} (plan ${plans[i].rank})`));
  const shorter = told(plans, same(["short"]), plain);
  const shorts = alone(list.map(({ short }, i) => (shorter[i] ? `${short}, ${shorter[i]}` : short)));
  const named = alone(list.map(({ name }, i) => (titles[i] ? `${name} (${titles[i]})` : name)));
  // Where no words tell two rows apart, the number of their plan does.
  const below = list.map(({ line }, i) => (lines[i] ? `${line} · ${lines[i]}` : line));
  const isTwice = (i) => list.some((one, other) => other !== i && one.name === list[i].name && below[other] === below[i]);
  return list.map((one, i) => ({
    name: one.name,
    line: isTwice(i) ? `${below[i]} · plan ${plans[i].rank}` : below[i],
    title: named[i],
    short: shorts[i],
  }));
}

// "2 + 1": replicas at work in a pool, and spare.
export function poolReplicas(plan, replica) {
  const { fewest, most, spares } = replicasIn(
    plan.scenario.pools.find(({ id }) => id === replica.pool),
    replica,
  );
  const work = fewest === most ? number(most) : `${number(fewest)}–${number(most)}`;
  return spares ? `${work} + ${number(spares)}` : work;
}
