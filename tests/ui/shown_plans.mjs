// What the page of plans shows, held against the API's answer: each figure to the digits that are shown, in its unit and currency.

const suffixes = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
// {value, half} of a figure in a text: half of its last digit. Null where there is none.
export function figureIn(text) {
  const [, sign, digits, suffix] = /([−-])?[^\d−-]*?([\d,]+(?:\.\d+)?(?:e[+-]?\d+)?)([KMBT])?/.exec(text ?? "") ?? [];
  if (!digits) return null;
  const [plain, exponent = "0"] = digits.replaceAll(",", "").split("e");
  const scale = (suffixes[suffix] ?? 1) * 10 ** Number(exponent);
  return { value: (sign ? -1 : 1) * Number(plain) * scale, half: (0.5 * scale) / 10 ** (plain.split(".")[1] ?? "").length };
}
// Whether a text is a figure to the digits shown; a figure that is not 0 is not shown as 0, nor with less than a tenth right.
export function says(text, value, scale = 1) {
  const found = figureIn(text);
  if (!found || value === null || value === undefined) return !found && (value === null || value === undefined);
  const [shown, half] = [found.value * scale, found.half * scale];
  return Math.abs(shown - value) <= half * 1.0001 + 1e-9 * Math.abs(value) && Math.abs(shown - value) <= 0.1 * Math.abs(value);
}

const share = (part) => (part < 0.005 ? "< 1 %" : part < 1 && part > 0.995 ? "> 99 %" : `${Math.round(100 * part)} %`);
const beside = (part) => share(part ? 1 - part - 1e-9 : 1); // the two add up to 100 %
const highest = (values) => (values.length ? Math.max(...values) : null);
const peaks = (plan, name) => highest(plan.replicas.map((one) => one.at_peak?.[name]).filter((value) => typeof value === "number"));
const seconds = (text) => (/\d\s*ms$/.test(text) ? 1e-3 : 1);

// The page's texts, by part.
export const shownOn = (page) =>
  page.evaluate(() => {
    const text = (from, at) => from.querySelector(at)?.textContent ?? "";
    const all = (at, of) => [...document.querySelectorAll(at)].map(of);
    return {
      sentence: text(document, "#answer"),
      lede: text(document, ".lede"),
      head: text(document, "#plans th.cc small"),
      heading: text(document, "#plans-title"),
      rows: all("#plans tr[data-plan]", (row) => ({
        plan: row.dataset.plan,
        rank: text(row, ".who .n"),
        name: text(row, ".name"),
        line: text(row, ".named + small, .who ~ small, small"),
        cost: text(row, ".cc b"),
        range: row.querySelector(".rng")?.title ?? "",
        fails: text(row, ".cf"),
        use: row.querySelector(".cu")?.firstChild?.textContent ?? "",
        latencies: text(row, ".cu small"),
        million: text(row, ".cm"),
        evidence: text(row, ".c-ev .ev"),
        chance: text(row, ".cb"),
        isOver: /over budget/.test(row.textContent),
      })),
      cards: all(".choice-card", (card) => ({
        plan: card.dataset.plan,
        cost: text(card, ".m b"),
        gap: text(card, ".m span"),
        holds: text(card, ".hold b"),
      })),
      big: text(document, ".figure .big"),
      facts: Object.fromEntries(all(".figure dt", (term) => [term.textContent, term.nextElementSibling.textContent])),
      left: all("#left-out .out > li > b", (one) => one.textContent),
      nouns: all("table.nouns tr td:last-child.num", (one) => one.textContent),
      peak: document.getElementById("peak")?.value ?? "",
      full: text(document, "#full .peak-line b"),
      level: all("#plans tr[data-plan]:has(.lv)", (row) => row.dataset.plan),
    };
  });

// What is wrong with a row, against its plan.
function wrongInRow(row, plan, { isDrawn, scale }) {
  const { row: figures } = plan;
  const wrong = [];
  const check = (what, isRight, said, value) => isRight || wrong.push(`${plan.name}: ${what} is "${said}", of the API ${value}`);
  check("rank", row.rank === (plan.rank === null ? "–" : String(plan.rank)), row.rank, plan.rank);
  check("cost", says(row.cost, plan.decisive, scale), row.cost, plan.decisive);
  const million = figures.cost_per_million_output ?? null;
  check("per million", million === null ? row.million === "–" : says(row.million, million), row.million, million);
  check("evidence", row.evidence === (plan.evidence ?? "hosted"), row.evidence, plan.evidence);
  const use = peaks(plan, "utilization");
  check("use", use === null ? row.use === "–" : says(row.use, 100 * use) || Math.abs(figureIn(row.use).value - 100 * use) < 0.051, row.use, use);
  const [token, gap] = row.latencies.split(" · ");
  for (const [what, text, name] of [["first token", token, "ttft_s"], ["gap", gap, "itl_s"]]) {
    const value = peaks(plan, name);
    check(what, value === null ? !text || text === "—" : says(text, value, seconds(text)), text, value);
  }
  const [stated, ...drawn] = row.range.replace(/^Stated /, "").split(/; 8 in 10 draws | to |; /);
  check("stated", says(stated, plan.decisive), stated, plan.decisive);
  if (!isDrawn) return wrong;
  check("range from", says(drawn[0], figures.low), drawn[0], figures.low);
  check("range to", says(drawn[1], figures.high), drawn[1], figures.high);
  check("too small", row.fails === beside(figures.probability_feasible), row.fails, figures.probability_feasible);
  const chance = plan.probability_best;
  check("chance", row.chance === "< 1 %" ? chance < 0.01 : Math.abs(parseInt(row.chance, 10) - 100 * chance) < 1.01, row.chance, chance);
  return wrong;
}

function wrongInCards({ cards }, byName, [first]) {
  return cards.flatMap(({ plan: name, cost, gap, holds }) => {
    const plan = byName.get(name);
    const holding = plan.row.probability_feasible;
    const wrong = [];
    if (!says(cost, plan.decisive)) wrong.push(`card ${name}: ${cost}, of the API ${plan.decisive}`);
    if (plan === first ? gap !== "stated" : !says(gap, plan.decisive - first.decisive)) wrong.push(`card ${name}: ${gap} to the first, of the API ${plan.decisive - first.decisive}`);
    if (holding !== undefined && holds !== share(holding)) wrong.push(`card ${name}: holds in ${holds}, of the API ${holding}`);
    return wrong;
  });
}

function wrongInFigure({ big, facts }, [first], budget) {
  const { row, decisive, probability_best: chance } = first;
  const [low, high] = (facts["8 in 10 draws"] ?? "").split(" to ");
  const values = [
    ["the figure", big, decisive],
    ["from", low, row.low],
    ["to", high, row.high],
    ["holds", facts["Holds as sized"]?.replace(/^[<>] /, ""), row.probability_feasible === undefined ? undefined : Math.max(0.01, row.probability_feasible), 0.01],
    ["per million", facts["Per million output tokens"], row.cost_per_million_output],
    ["budget", facts.Budget, budget],
  ];
  const wrong = values.filter(([, text, value, scale]) => !says(text, value ?? null, scale)).map(([what, text, value]) => `figure: ${what} is ${text}, of the API ${value}`);
  if (budget && /within/.test(facts.Budget) !== decisive <= budget) wrong.push(`figure: ${facts.Budget} at ${decisive}`);
  if (chance !== undefined && chance !== null && Math.abs((parseInt(facts["Chance to be best"].replace(/^< /, ""), 10) || 0) - 100 * chance) > 1.01) wrong.push(`figure: chance ${facts["Chance to be best"]}, of the API ${chance}`);
  return wrong;
}

const money = /(?:[$€£¥₩₹]|R\$|CHF|SGD)\s?[\d,.]*\d[KMBT]?/g;
// The sentence: its figures are costs and gaps of plans, and it says to take none that fails in more draws than one in ten.
function wrongInSentence({ sentence, lede }, plans) {
  const [first] = plans;
  const known = plans.flatMap(({ decisive }) => [decisive, Math.abs(decisive - first.decisive)]);
  const wrong = (sentence.match(money) ?? []).filter((text) => !known.some((value) => says(text, value))).map((text) => `sentence: ${text} is nothing of the API: ${sentence}`);
  const isSure = (first.row.probability_feasible ?? 1) >= 0.9;
  if (/\b(Take|Choose)\b/.test(sentence) && !isSure) wrong.push(`sentence: takes what fails in ${share(1 - first.row.probability_feasible)}: ${sentence}`);
  if (!isSure && !/too small in/.test(sentence)) wrong.push(`sentence: is silent on ${share(1 - first.row.probability_feasible)}: ${sentence}`);
  const isLevel = ({ tied, why, decisive }) => tied && !(decisive < first.decisive && /^behind/.test(why));
  if (plans.slice(1).some(isLevel) !== /level within what is known/.test(sentence)) wrong.push(`sentence: level or not: ${sentence}`);
  const worth = /worth (.*) on average/.exec(lede)?.[1];
  if (worth && !(figureIn(worth).value > 1e-5 * first.decisive)) wrong.push(`what would decide is worth nothing: ${lede}`);
  return [...wrong, ...(`${sentence} ${lede}`.match(/\bNaN\b|undefined/g) ?? [])];
}

// All that is wrong with a page, against the answer of /v1/rank to what it was asked.
export function wrongOnPlans(shown, answer, budget = null) {
  const { plans, considered, ranked, uncertainty } = answer;
  const wrong = [];
  const left = shown.left.map((text) => figureIn(text).value);
  const sum = left.reduce((total, one) => total + one, plans.length);
  if (sum !== considered) wrong.push(`shown and left out are ${sum} of ${considered}`);
  if (ranked > plans.length && left[0] !== ranked - plans.length) wrong.push(`behind those shown: ${left[0]} of ${ranked - plans.length}`);
  if (!plans.length) return /^No plan holds this/.test(shown.sentence) ? wrong : [...wrong, `no plan holds: ${shown.sentence}`];
  const { mean_per_s: mean, shape } = plans[0].scenario.workloads[0].demand;
  const peak = mean * (shape ? Math.max(...shape.points.map(([, factor]) => factor)) : 1);
  if (shape ? !says(shown.peak, peak) : shown.peak) wrong.push(`traffic: ${shown.peak} at the peak, of the API ${peak}`);
  if (!says(shown.full, peak)) wrong.push(`where each is full: ${shown.full}, of the API ${peak}`);
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  const scale = / thousand$/.test(shown.head) ? 1000 : 1;
  const order = shown.rows.map(({ plan }) => plan);
  const expected = plans.map(({ name }) => name).filter((name) => order.includes(name));
  if (order.join() !== expected.join() || (plans.length <= 12 && order.length !== plans.length)) wrong.push(`rows: ${order.join()}`);
  if (new Set(shown.rows.map(({ name, line }) => name + line)).size !== shown.rows.length) wrong.push("two rows have one name");
  for (const row of shown.rows) {
    const plan = byName.get(row.plan);
    wrong.push(...(plan ? wrongInRow(row, plan, { isDrawn: Boolean(uncertainty), scale }) : [`${row.plan} is none of the API's`]));
    if (plan && budget && row.isOver !== plan.decisive > budget) wrong.push(`${row.plan}: over budget or not: ${plan.decisive}`);
  }
  return [...wrong, ...wrongInCards(shown, byName, plans), ...wrongInFigure(shown, plans, budget), ...wrongInSentence(shown, plans)];
}

// Texts that no reader should meet, wherever they stand, and text that is cut or lies beyond the page's edge.
export const unreadable = (page) =>
  page.evaluate(() => {
    const found = [];
    const shown = (one) => one.checkVisibility() && one.getClientRects().length > 0;
    const pieces = document.querySelectorAll("main *");
    const bad = /\b(undefined|NaN|null|Infinity)\b|\[object |∞|\$\{/;
    for (const one of pieces) {
      if (one.closest("script, style, .unseen") || !shown(one)) continue;
      const own = [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join("");
      const said = [own, one.title, one.getAttribute("aria-label"), one.getAttribute("placeholder"), one.value].filter((text) => typeof text === "string");
      for (const text of said) if (bad.test(text)) found.push(`says "${text}"`);
      if (!own.trim() && !(one.matches("input") && one.value)) continue;
      const { left, right, width } = one.getBoundingClientRect();
      if (!width) continue;
      const name = `${one.tagName.toLowerCase()}.${[...one.classList].join(".")} "${(own || one.value).slice(0, 60)}"`;
      if (right > innerWidth + 0.5 || left < -0.5) found.push(`beyond the edge: ${name} ${Math.round(left)} to ${Math.round(right)}`);
      const style = getComputedStyle(one);
      const isNamed = one.matches("input.picker") && one.title === one.value && document.querySelector(".crumbs").textContent.includes(one.value);
      const isCut = !isNamed && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && style.display !== "inline";
      if (isCut && (style.overflowX !== "visible" || one.matches("input"))) found.push(`cut: ${name} ${one.scrollWidth} in ${one.clientWidth} px`);
    }
    for (const one of document.querySelectorAll("main .scroll, main [style*=overflow]"))
      if (shown(one) && one.scrollWidth > one.clientWidth + 1) found.push(`scrolls sideways: ${one.parentElement.id} ${one.scrollWidth} in ${one.clientWidth} px`);
    const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (beyond > 0) found.push(`the page is ${beyond} px too wide`);
    return [...new Set(found)];
  });
