// What the page's modules reckon and say, without a browser: the modules that the daemon serves, against figures and words by hand.
// usage: node functions.mjs COSTCURVE
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { Daemon } from "../contract/daemon.mjs";
import { document, elementsOf } from "./page_elements.mjs";

globalThis.ResizeObserver = class {}; // modules of charts make one as they are read
globalThis.document = document;
process.env.TZ = "America/New_York"; // days of documents are days everywhere

async function servedText(daemon, path) {
  const answer = await fetch(`${daemon.url}${path}`);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

// Copies a module and all that it imports from the daemon to a folder.
async function fetchModule(daemon, folder, path, fetched) {
  if (fetched.has(path)) return;
  fetched.add(path);
  const text = process.env.COSTCURVE_STATIC // as ui.mjs has it
    ? readFileSync(join(process.env.COSTCURVE_STATIC, path), "utf8")
    : await servedText(daemon, path);
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  for (const [, imported] of text.matchAll(/(?:from|import) "(\.[^"]+)"/g)) {
    await fetchModule(daemon, folder, new URL(imported, `http://page${path}`).pathname, fetched);
  }
}

const params = (values) => new URLSearchParams(values);

// By module its cases: what is called, with what, and what comes.
const cases = {
  "format.js": (page) => [
    [page.money(null, "USD"), "—"],
    [page.money(0, "USD"), "$0"],
    [page.money(1234.5, "USD"), "$1,235"],
    [page.money(-12.345, "EUR"), "−€12.35"],
    [page.money(0.012345, "USD"), "$0.01235"],
    [page.money(5, "USD", { signed: true }), "+$5.00"],
    [page.columnDigits([0, 5, 20]), 2],
    [page.columnDigits([5000, 20]), 0],
    [page.columnDigits([5000, 5]), 2],
    [page.columnDigits([0.05, 20]), 4],
    [page.fixed(1.005, 2), "1.01"],
    [page.fixedMoney(1.5, "USD", 2), "$1.50"],
    [page.sign("CHF"), "CHF"],
    [page.shortMoney(1234567, "USD"), "$1.23M"],
    [page.number(1234.5678), "1,235"],
    [page.number(12.345678, "kWh"), "12.346 kWh"],
    [page.number(0.00001234), "1.234e-5"],
    [page.number(2.5e12), "2.5T"],
    [page.number(1.25, "", 1), "1.3"],
    [page.percent(0.1234), "12.3 %"],
    [page.percent(-0.05, { signed: true }), "−5.0 %"],
    [page.percent(null), "—"],
    [page.sharesOf([0.333, 0.333, 0.334, null]).join(), "33 %,33 %,34 %,—"],
    [page.sharesOf([0.996, 0.004]).join(), "100 %,< 1 %"],
    [page.sharesOf([0.206, 0.303, 0.491]).join(), "21 %,30 %,49 %"],
    [page.sharesOf([1, 0]).join(), "100 %,< 1 %"],
    [page.share(0.004), "< 1 %"],
    [page.share(0.5), "50 %"],
    [page.share(0.996), "> 99 %"],
    [page.share(1), "100 %"],
    [page.month("2026-11-22"), "Nov 2026"],
    [page.date("2026-11-02"), "2 Nov 2026"],
    [page.date(null), "—"],
    [page.count(1, "token"), "1 token"],
    [page.count(1200, "token"), "1,200 tokens"],
    [page.plural("requests"), "requests"],
    [page.unitOf("currency/kWh", "EUR"), "EUR/kWh"],
    [page.unitOf("currency of the server", "EUR"), "EUR"],
    [page.quantity(0.25, "fraction"), "25.0 %"],
    [page.quantity(1500, "USD"), "$1,500"],
    [page.quantity(1523456, "USD", { brief: true }), "$1.52M"],
    [page.quantity(0.67891, "USD/device-hour", { brief: true }), "0.679 USD/device-hour"],
    [page.quantity(17485.4, "tokens/s", { brief: true }), "17,485 tokens/s"],
    [page.quantity(1.52e12, "tokens", { brief: true }), "1.52T tokens"],
    [page.quantity(2345678, "tokens", { brief: true }), "2.35M tokens"],
    [page.latency(0.0363), "36.3 ms"],
    [page.latency(1.0649), "1.06 s"],
    [page.latency(0.9996), "1 s"],
    [page.fromTo(1, 2, "kW"), "1 → 2 kW"],
    [page.fromTo(null, 2, "USD"), "– → $2.00"],
    [page.typedNumber(""), null],
    [page.typedNumber("2,5"), 2.5],
    [page.typedNumber("1,000"), 1000],
    [page.typedNumber("1.000.000"), 1000000],
    [page.typedNumber("1.234,5"), 1234.5],
    [page.typedNumber("12 000"), 12000],
    [page.typedNumber("−3"), -3],
    [page.typedNumber("1e3"), 1000],
    [page.typedNumber("two"), NaN],
    [page.pointerWords("/pools/0/offer/hourly_price", { pools: [{ id: "owned" }] }), "pool owned › offer › price of an instance-hour"],
    [page.pointerWords("/workloads/1/months", { workloads: [{ id: "a" }] }), "workloads 2 › months"],
    [page.kindOf("devices"), "device"],
    [page.kindOf("aliases"), "alias"],
  ],
  "decision/words.js": (page) => [
    [page.period({ start: "2027-01", months: 36 }), "Jan 2027 to Dec 2029"],
    [page.period({ start: "2027-01", months: 1e9 }), "Jan 2027"],
  ],
  "home/run_hours.js": (page) => {
    const { scenario, result } = runOf({ write_s: 360, interval_s: 3600 });
    const { useful, written, redone, restarting, waiting } = page.hoursOf(scenario, result);
    const drawn = drawnRun(0.2, 1, 0.1, 0.25, 200000);
    const isNear = (found, wanted) => Math.abs(found / wanted - 1) < 0.02;
    const progress = page.progressOf(scenario, result);
    const spot = { device: { links: { kind: "nvlink" } }, devices: 8, interruptions_per_hour: 0.1 };
    return [
      [Object.entries({ useful, written, redone, restarting }).filter(([name, share]) => !isNear(share, 0.8 * drawn[name])), []], // paid 8 hours in 10
      [isNear(waiting, 0.2), true],
      [progress.map(({ day, epochs }) => `${day} ${epochs}`), ["0 0", "10 2"]],
      [[0, 5, 12].map((day) => page.epochsBy(progress, day)), [0, 1, 2]],
      [page.progressOf(...Object.values(fallingBack())).map(({ day, epochs }) => `${day} ${epochs.toFixed(6)}`), ["0 0.000000", "4 0.800000", "10 2.000000"]],
      // On two hosts at 0.1 an hour: 64 hours in four days, then 96 in six.
      [[2, 4, 7, 10].map((day) => page.metBy(...Object.values(fallingBack()), day).interruptions.toFixed(3)), ["6.400", "12.800", "22.400", "32.000"]],
      // Daly's interval of a write of 60 s and an interruption in 2.2727 hours is 0.264242 hours; 8 hours of work in 10 at a goodput of g.
      [page.hoursOf(...Object.values(runOf({ write_s: 60 }, 0.22))).checkpoints.toFixed(1), ((192 * drawn.goodput) / 0.264242).toFixed(1)],
      [page.hoursOf(...Object.values(runOf({ write_s: 60 }, 0))).interruptions, 0],
      [[0.5, 1, 2, 4].map((factor) => page.devicesAt(scenario, factor)), [8, 16, 32, 64]],
      [page.devicesAt(runOf({}, 0, { ...spot, devices: 16 }).scenario, 0.5), null], // half a host
      [page.devicesAt(runOf({}, 0, { ...spot, device: { links: { kind: "pcie" } } }).scenario, 2), null],
      [page.scenarioAt(scenario, 2, 7).workloads[0].runs_on[0].performance.units_per_s, 7],
      [page.scenarioAt(scenario, 2, 7).pools[0].max_instances, 4],
    ];
  },
  "sources/parts.js": (page) => [
    [page.ago(-5), "0 s"],
    [page.ago(89), "89 s"],
    [page.ago(90), "2 min"],
    [page.ago(3600), "60 min"],
    [page.ago(5400), "2 h"],
    [page.ago(172799), "48 h"],
    [page.ago(172800), "2 days"],
    [page.day("2026-11-22T10:00:00Z"), "22 Nov 2026"],
    [page.span("2026-04-02", "2026-04-06"), "2 to 6 Apr 2026"],
    [page.signed(0.05), "+5.0 %"],
    [page.signed(-0.05), "−5.0 %"],
  ],
  "sources/cron.js": (page) => [
    [page.inWords("0 2 * * *"), "every day at 02:00"],
    [page.inWords("*/15 * * * *"), "every 15 minutes"],
    [page.inWords("0 * * * *"), "every hour"],
    [page.inWords("30 * * * *"), "every hour at 30 past"],
    [page.inWords("5 7 * * 1-5"), "every weekday at 07:05"],
    [page.inWords("0 6 * * 1,3"), "every Monday, Wednesday at 06:00"],
    [page.inWords("0 6 * * 7"), "every Sunday at 06:00"],
    [page.inWords("0 3 1 * *"), "the 1st of the month at 03:00"],
    [page.inWords("0 3 12 * *"), "the 12th of the month at 03:00"],
    [page.inWords("0 3 23 * *"), "the 23rd of the month at 03:00"],
    [page.inWords("0 3 1 1 *"), "0 3 1 1 *"],
    [page.inWords("60 3 * * *"), "60 3 * * *"],
    [page.fromWords("every night at 2"), "0 2 * * *"],
    [page.fromWords("every night"), "0 2 * * *"],
    [page.fromWords("every day at 4:30 pm"), "30 16 * * *"],
    [page.fromWords("every day at 12 am"), "0 0 * * *"],
    [page.fromWords("every weekday at 7"), "0 7 * * 1-5"],
    [page.fromWords("every Monday and Friday at 6"), "0 6 * * 1,5"],
    [page.fromWords("the 31st of the month at 3"), "0 3 31 * *"],
    [page.fromWords("the 32nd of the month at 3"), null],
    [page.fromWords("every 10 minutes"), "*/10 * * * *"],
    [page.fromWords("every 2 hours"), "0 */2 * * *"],
    [page.fromWords("@weekly"), "0 0 * * 0"],
    [page.fromWords("at 25"), null],
    [page.parse("0 0 * * 8"), null],
    [page.parse("5-1 0 * * *"), null],
    [page.parse("*/0 0 * * *"), null],
    [[...page.parse("10-30/10 0 * * *").minute].join(), "10,20,30"],
    [page.parse("0 0 1 * 1").either, true],
    [page.parse("0 0 1 * *").either, false],
    [nextDays(page, "0 2 * * *", "UTC", 2), "2026-11-28T02:00 2026-11-29T02:00"],
    [nextDays(page, "0 2 * * *", "America/New_York", 1), "2026-11-28T07:00"],
    [nextDays(page, "0 0 31 * *", "UTC", 2), "2026-12-31T00:00 2027-01-31T00:00"],
    [nextDays(page, "0 0 13 * 5", "UTC", 3), "2026-12-04T00:00 2026-12-11T00:00 2026-12-13T00:00"], // either of both
  ],
  "views/rate_question.js": (page) => [
    [page.ratesRequest(params({ model: "m", device: "d", input: "1,000", output: "50", itl: "40", ttft: "500" })).slo,
      { ttft_s: 0.5, itl_s: 0.04 }],
    [page.ratesRequest(params({ model: "m", device: "d", input: "10", output: "50", concurrency: "8" })).concurrency, 8],
    [page.ratesRequest(params({ model: "m", device: "d", input: "1,000", output: "50" })).input, 1000],
    [page.ratesRequest(params({ model: "m", device: "d", input: "10", output: "50" })).slo, undefined],
  ],
  "decision/state.js": (page) => [
    [page.valueOf({ pointer: "/a" }, params({ scale: "/a=0.8" })), 0.8],
    [page.valueOf({ pointer: "/b" }, params({ scale: "/a=0.8" })), 1],
    [page.valueOf({ pointer: "/a", absolute: true, base: 3 }, params({ scale: "/a=0.8" })), 3],
    [page.valueOf({ pointer: "/a", absolute: true, base: 3 }, params({ set: "/a=0" })), 0],
  ],
  "decision/finance_money.js": (page) => [
    [page.amounts([1, 2e5], "USD").unit, "$ thousand"],
    [page.amounts([1, 2e5], "USD").show(-123456), "−123.5"],
    [page.amounts([1, 5000], "EUR").unit, "€"],
    [page.amounts([1, 5000], "EUR").show(1234.6), "1,235"],
    [page.amounts([1, 500], "EUR").show(1.5), "1.50"],
    [page.amounts([1, 500], "EUR").show(0), "–"],
    [page.addsUp([1, 2], 3), true],
    [page.addsUp([1, 2], 3.1), false],
  ],
  "decision/requests.js": (page) => [
    [page.turned({ bridge: { steps: [{ a: 1, b: 3, amount: 2 }, { a: 3, b: 0, amount: -3 }] } }).bridge.steps,
      [{ a: 0, b: 3, amount: 3 }, { a: 3, b: 1, amount: -2 }]],
    [page.orderOf({ scenarios: plansOf([5, null, 3, 9]) }), [2, 0, 3, 1]],
    [page.orderOf({ scenarios: plansOf([5, 5, 3], 2) }), [0, 1, 2]],
    [page.choiceOf({ scenarios: plansOf([5, 4]) }, [{ reference: "x" }, { reference: "y" }], params({ a: "x" })).pair, [0, 1]],
    [page.choiceOf({ scenarios: plansOf([5, 4]) }, [{ reference: "x" }, { reference: "y" }], params({})).pair, [1, 0]],
  ],
  "json_diff.js": (page) => [
    [page.differences({ a: 1, revision: 1 }, { a: 2, revision: 2 }), [{ pointer: "/a", from: 1, to: 2 }]],
    [page.differences({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }), [{ pointer: "/a/0/b", from: 1, to: 2 }]],
    [page.differences({ "a/b": 1 }, {}), [{ pointer: "/a~1b", from: 1, to: undefined }]],
    [page.differences({ a: [1] }, { a: [1, 2] }), [{ pointer: "/a", from: [1], to: [1, 2] }]],
    [page.withValue({ a: { b: 1 } }, "/a/b", undefined), { a: {} }],
    [page.withValue({ a: 1 }, "/b/c", 1), null],
    [page.reaches({ a: "id" }, "/a/price"), true],
    [page.reaches({ a: {} }, "/a/price"), false],
    [page.threeWay({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 1 }, { a: 3, b: 1, c: 2 }), {
      conflicts: [{ pointer: "/a", base: 1, mine: 2, theirs: 3 }],
      onlyMine: [{ pointer: "/b", from: 1, to: 2 }],
      onlyTheirs: [{ pointer: "/c", from: 1, to: 2 }],
    }],
    [page.threeWay({ a: 1 }, { a: 2 }, { a: 2 }).conflicts, []],
  ],
  "views/rate_points.js": (page) => [
    [page.sameConditions(rate, [measured]).map(({ at }) => at), [2, 0]],
    [page.sameConditions(rate, [{ ...measured, doubt: "odd" }]), []],
    [page.sameConditions(rate, [{ ...measured, precision: "bf16" }]), []],
    [page.conditionsOf(rate, [{ ...measured, kind: "prefill" }]), []],
    [page.conditionsOf(rate, [{ ...measured, points: { ...measured.points, input: [] } }]), []],
    [page.conditionsOf(rate, [{ ...measured, points: { ...measured.points, output_per_s: [0, 0, 0] } }]), []],
    [page.measuredOn(rate, [measured, { ...measured, basis: "estimated" }, { ...measured, device: "e" }]).length, 1],
    [page.movedBy({ from: [{ measurement: "x", point: 1, weight: 0.5 }, { measurement: "y", point: 0, weight: 1 }] }, [measured]).map(
      ({ id, weight, point }) => [id, weight, point && point.concurrency]), [["x", 0.5, 16], ["y", 1, null]]],
    [page.conditionsOf(rate, [measured]).map(({ points, from, to }) => [points, from, to]), [[2, 4, 8], [1, 16, 16]]],
  ],
  "plan/names.js": (page) => [
    [page.deviceShort("nvidia.a100-sxm4-80gb"), "A100 80 GB"],
    [page.deviceShort("nvidia.h100-sxm5-80gb"), "H100"],
    [page.deviceShort("nvidia.h100-pcie-80gb"), "H100 PCIe"],
    [page.deviceShort("nvidia.rtx-4000-ada"), "RTX 4000 Ada"],
    [page.deviceShort({ id: "google.tpu-v6e" }), "TPU v6e"],
    [page.deviceShort("aws.trainium2"), "Trainium 2"],
    [page.modelWords("llama-3.1-70b"), "Llama 3.1 70B"],
    [page.sellerName("gcp"), "Google Cloud"],
    [page.sellerName("new-seller"), "New seller"],
    [page.termsOf({ purchase: "reserved", term_months: 36 }), "reserved 3 years"],
    [page.termsOf({ purchase: "on_demand" }), "on demand"],
    [page.planName(planWith([rented(3)])), "2 × 8 H100 + 1 spare"],
    [page.planName(planWith([{ ...rented(3), min_instances: 2 }])), "1–2 × 8 H100 + 1 spare"],
    [page.planName(planWith([{ ...rented(3), min_instances: 0 }])), "up to 2 × 8 H100 + 1 spare"],
    [page.planName(planWith([rented(1), hosted])), "1 × 8 H100, the rest by the token"],
    [page.planName(planWith([hosted])), "Llama 3.1 70B by the token"],
    [page.planName(planWith([{ ...hosted, provisioned_units: 215, provisioned_term_months: 12 }])), "Llama 3.1 70B in 215 units for 1 year"],
    [page.planName(planWith([{ ...hosted, provisioned_units: 15 }])), "Llama 3.1 70B in 15 units by the hour"],
    [page.planLine(planWith([rented(3), hosted])), "Lambda us-east · reserved 1 year; OpenRouter · hosted"],
    [page.planName({ scenario: { pools: [rented(1)], workloads: [{ kind: "training" }] }, replicas: [{ pool: "rented", devices: 32, spares: 2 }] }),
      "32 H100 + 2 spare hosts"],
    [page.namesOf([planWith([rented(3)]), planWith([rented(3, { provider: "nebius" })])]).map(({ title }) => title),
      ["2 × 8 H100 + 1 spare (Lambda)", "2 × 8 H100 + 1 spare (Nebius)"]],
    [page.namesOf([planWith([rented(3, { sku: "8x_H100_SECURE" })]), planWith([rented(3, { sku: "8x_H100_X" })])]).map(({ title }) => title),
      ["2 × 8 H100 + 1 spare (secure)", "2 × 8 H100 + 1 spare"]],
    [page.namesOf([{ ...planWith([rented(3)]), rank: 4 }, { ...planWith([rented(3)]), rank: 7 }]).map(({ line }) => line.split(" · ").at(-1)), ["plan 4", "plan 7"]],
    [new Set(page.namesOf([rented(3), rented(3, { sku: "bare metal" }), rented(3, { sku: "pcie" })].map((pool) => planWith([pool]))).map(({ line }) => line)).size, 3],
  ],
  "plan/axis.js": (page) => [
    [page.axisOf([{ cost: 724, low: 724, high: 953 }, { cost: 1558, low: 1420, high: 2081 }, { cost: 292, low: 231, high: 397 }]).ticks, [0, 1000, 2000, 3000]],
    [page.axisOf([{ cost: 900, low: null, high: null }, { cost: 1000, low: null, high: null }]), { from: 900, to: 1000, ticks: [900, 925, 950, 975, 1000] }],
    [page.axisOf([{ cost: 10, low: null, high: null }, { cost: 1000, low: null, high: null }]).to, 40], // what is far dearer is beyond it
    [page.axisOf([]), { from: 0, to: 1, ticks: [0, 1] }],
    [page.at(50, { from: 0, to: 40 }), "100%"],
  ],
  "plan/nouns.js": (page) => [
    // The picture's own figures: +48 and -48 cancel, and stand grey.
    [nounsWith(page, [["throughput", 48], ["utilization", -48], ["price of a device-hour", -135], ["engineering", 24]]).map(({ name, isOff }) => [name, isOff]),
      [["Work of an hour", true], ["Hours idle", true], ["Price of an hour", false], ["Everything else", false]]],
    [nounsWith(page, [["energy", 5], ["staff", -30]]).map(({ amount, text }) => [amount, text]), [[-25, "staff, energy"]]],
    [nounsWith(page, [["utilization", 10]]).map(({ text }) => text), ["50.0 % → 75.0 %"]], // idle, not busy
    [nounsWith(page, [["price of a device-hour", 10]]).map(({ text }) => text), ["$0.50 → $0.25 a device-hour"]],
    [page.addingUp(0.4, [0.4, 0.4], 1.2), [1, 0]],
    [page.addingUp(835.4, [48.2, -48.3, -135.3, 23.7], 723.7), [48, -48, -135, 24]],
    [page.addingUp(10, [], 10), []],
  ],
  "plan/left_out.js": (page) => [
    [page.leftOut({ ranked: 12, plans: Array(10), considered: 30, excluded: [{ reason: "spot", count: 18, examples: [] }] }).total, 20],
    [page.assumedText({ what: "availability", value: "0.999", unit: "fraction" }), "99.9 %"],
    [page.assumedText({ what: "shape", value: "office", unit: "" }), "people at work"],
    [page.assumedText({ what: "shape", value: "consumer", unit: "" }), "an audience"],
    [page.assumedText({ what: "spares", value: "1", unit: "replicas" }), "1 replica"],
    [page.assumedText({ what: "engineer_week", value: "4000", unit: "USD" }), "$4,000"],
  ],
  "plan/question.js": (page) => [
    [page.hoursLost(99.9).toFixed(2), "8.76"],
    [page.fieldOf("/workloads/0/demand/mean_per_s"), "rps"],
    [page.fieldOf("/elsewhere"), null],
    [page.groupOf("shape").id, "traffic"],
    [page.changedOf(page.groupOf("rps"), params({ rps: "3", growth: "1" }), params({ rps: "3" })), ["growth"]],
    [page.weekOf({ plans: [] }), null],
    [page.weekOf({ plans: [{ scenario: { workloads: [{ demand: { shape: { axis: "hour_of_week", points: [[0, 1], [84, 3]] } } }] } }] }).slice(83, 85), [1, 3]], // as the API multiplies the mean
  ],
  "table.js": (page) => [
    // Each head pressed once, twice, three times: figures from the greatest, text from A, what is missing last.
    [sortedBy(page, "price"), [["10", "9", "2", "—"], ["2", "9", "10", "—"], ["9", "—", "10", "2"]]],
    [sortedBy(page, "sku"), [["a2", "a10", "b", "—"], ["b", "a10", "a2", "—"], ["b", "a10", "—", "a2"]]],
    [sortedBy(page, "count"), [["5", "7", "one", "—"], ["7", "5", "one", "—"], ["7", "one", "5", "—"]]],
    [sortedBy(page, "day"), [["2", "2", "10", "10"], ["10", "10", "2", "2"], ["10", "2", "10", "2"]]],
    [classesOf(page), [["figure", "text", "text", "text"], ["figure", "text", "figure", "text"]]],
  ],
  "number_field.js": (page) => [
    [page.problemOf("", { min: 1 }), ""],
    [page.problemOf("0", { min: 1 }), "1 or more."],
    [page.problemOf("1", { min: 1, max: 2 }), ""],
    [page.problemOf("2", { min: 1, max: 2 }), ""],
    [page.problemOf("2,5", { min: 1, max: 2 }), "2 or less."],
    [page.problemOf("1.5", { isWhole: true }), "A whole number."],
    [page.problemOf("1,000", { isWhole: true }), ""],
    [page.problemOf("two") !== "", true],
  ],
  "curve_axes.js": (page) => [
    [page.xText("hour_of_week", 25.5), "Tue 01:30"],
    [page.xText("hour_of_day", 1.995), "02:00"], // 59.7 minutes are an hour
    [page.xText("hour_of_day", 1.99), "01:59"],
    [page.xText("hour_of_week", 23.999), "Tue 00:00"],
    [page.xText("date", "2026-11-02"), "2 Nov 2026"],
    [page.held({ axis: "hour_of_day", interpolation: "step" }, [[0, 1], [6, 2]]).at(-1).value, [24, 2]],
    [page.held({ axis: "hour_of_week", interpolation: "step" }, [[0, 1], [6, 2]]).at(-1).value, [168, 2]],
    [page.held({ axis: "hour_of_day", interpolation: "linear" }, [[0, 1], [6, 2]]).length, 2],
    [page.yAxis("y", { points: [[0, 5], [1, 5]] }, {}).min, 4.5],
    [page.yAxis("y", { points: [[0, 0], [1, 0]] }, {}).max, 1],
    [page.yAxis("y", { points: [[0, 1], [1, 50]] }, {}).boundaryGap[0], 0], // not below 0
    [page.yAxis("y", { points: [[0, 49], [1, 50]] }, {}).boundaryGap[0], 0.08],
  ],
  "axes.js": (page) => [
    [page.stackTooltip("USD").formatter([bar("a", 1000), bar("b", null), bar("c", -250), bar("d", 0)]),
      "Jan\nc: −$250.00\na: $1,000\ntotal: $750.00"],
    [page.stackTooltip("USD", false).formatter([bar("a", 1000)]), "Jan\na: $1,000"],
    [page.seriesLines([bar("a", 1), bar("b", [0, 3]), bar("c", null), bar("d", 2)], String), ["b: 3", "d: 2", "a: 1"]],
    [page.moneyAxis("EUR", {}).axisLabel.formatter(2500000), "€2.5M"],
  ],
  "decision/finance_periods.js": (page) => [
    [page.periodsOf([monthly("2026-11", [1, 2, 4])], "year"), [{ key: "2026", label: "2026 (2 months)" }, { key: "2027", label: "2027 (1 month)" }]],
    [page.periodsOf([monthly("2027-01", Array(12).fill(1))], "year"), [{ key: "2027", label: "2027" }]],
    [page.periodsOf([monthly("2026-12", [1]), monthly("2026-11", [1])], "month").map(({ label }) => label), ["Nov 2026", "Dec 2026"]],
    [page.planSpec({ name: "p" }, monthly("2026-11", [1, 2, 4]), "year").table.rows.length, 2],
    [columnOf(page.planSpec({ name: "p" }, monthly("2026-11", [1, 2, 4]), "year").table, 1), [3, 4, 7]],
    [columnOf(page.plansSpec([{ name: "p", colour: 1 }, { name: "q", colour: 2 }], [monthly("2026-11", [1, 2, 4]), monthly("2026-12", [5])], "cash", "month").table, 2),
      [null, 5, null, 5]],
  ],
  "decision/start.js": (page) => [
    [page.rankRequest(params({ model: "m" })).finance, undefined],
    [page.rankRequest(params({ model: "m", discount: "8" })).finance, { discount_rate: 0.08, decide_by: "npv" }],
    [page.rankRequest(params({ model: "m", availability: "99.99", spares: "2", spot: "never" })).availability, 0.9999],
    [page.rankRequest(params({ model: "m", availability: "99.99", spares: "2", spot: "never" })).spares, 2],
    [page.rankRequest(params({ model: "m" })).availability, undefined],
  ],
};

// A table whose rows stand in no order: figures, text with numbers, both mixed, text that is called figures.
const offered = { price: [9, null, 10, 2], sku: ["b", "a10", null, "a2"], count: [7, "one", 5, null], day: ["10", "2", "10", "2"] };
const tableOfOffers = (page) =>
  page.tableOf({ caption: "offers", rows: [0, 1, 2, 3], columns: Object.entries(offered).map(([name, values]) => ({ name, value: (i) => values[i] })) });
function sortedBy(page, name) {
  const table = tableOfOffers(page);
  const at = Object.keys(offered).indexOf(name);
  const shown = () => elementsOf(elementsOf(table, "tbody")[0], "tr").map((row) => row.children[at].textContent);
  return [1, 2, 3].map(() => {
    elementsOf(table, "button").filter((button) => button.attributes.class === "sort")[at].click();
    return shown();
  });
}
const classesOf = (page) => {
  const table = tableOfOffers(page);
  return [elementsOf(table, "th").slice(0, 4).map((cell) => cell.attributes.class), elementsOf(table, "tr")[1].children.map((cell) => cell.attributes.class)];
};
const bar = (seriesName, value) => ({ name: "Jan", marker: "", seriesName, value });
const monthly = (start, cash) => {
  const [year, first] = start.split("-").map(Number);
  const by_month = cash.map((paid, i) => ({ month: new Date(Date.UTC(year, first - 1 + i)).toISOString().slice(0, 7), cash: paid, cost: 1 }));
  return { currency: "USD", by_month, total: { cash: cash.reduce((sum, paid) => sum + paid, 0), cost: cash.length } };
};
const columnOf = ({ columns, rows, foot }, at) => [...rows, foot].map((row) => columns[at].value(row));

// A plan as a ranking has it: replicas of eight, one of them spare.
const rented = (count, offer = {}) => ({
  id: "rented", kind: "cloud", min_instances: count, max_instances: count,
  offer: { provider: "lambda", region: "us-east", purchase: "reserved", term_months: 12, sku: "8x h100", devices: 8, device: { id: "nvidia.h100-sxm5-80gb" }, ...offer },
});
const hosted = { id: "hosted", kind: "api", endpoint: { provider: "openrouter", model: "llama-3.1-70b" } };
const planWith = (pools) => ({ rank: 1, scenario: { pools, workloads: [{}] }, replicas: [{ pool: "rented", devices: 8, spares: 1 }] });
const units = { throughput: "tokens/s", utilization: "fraction", "price of a device-hour": "currency/device-hour" };
const nounsWith = (page, steps) =>
  page.nounsOf({ steps: steps.map(([driver, amount]) => ({ driver, unit: units[driver] ?? "currency", a: 0.5, b: 0.25, amount })) }, [], "USD");

const nextDays = (page, cron, zone, count) =>
  page.nextRuns(cron, zone, count, Date.UTC(2026, 10, 28)).map((at) => new Date(at).toISOString().slice(0, 16)).join(" ");
const plansOf = (decisive, infeasible) =>
  decisive.map((value, i) => ({ result: { decisive: value, feasible: i !== infeasible, warnings: [] } }));
const rate = { model: "m", device: "d", devices: 2, precision: "fp8", input: 1000, output: 100, cached_input: 0, from: [] };
const measured = {
  id: "x", model: "m", device: "d", devices: 2, precision: "fp8", basis: "measured", kind: "serving",
  points: { input: [1000, 1300, 1000], output: [100, 100, 100], concurrency: [8, 16, 4], output_per_s: [80, 90, 50] },
};

// A run of two epochs on two hosts, paid eight hours in ten of its ten days.
const goodputOf = drawnRun(0.2, 1, 0.1, 0.25, 200000).goodput;
function runOf(checkpoint, often = 0.1, offer = { device: { links: { kind: "nvlink" } }, devices: 8 }) {
  const performance = { device: "d", devices: 16, units_per_s: 1000 };
  const perEpoch = 96; // hours: two of them in 192 that are paid
  return {
    scenario: {
      workloads: [{ units_per_epoch: perEpoch * 3600 * 1000 * goodputOf, checkpoint, runs_on: [{ pool: "p", performance }] }],
      pools: [{ id: "p", offer: { ...offer, interruptions_per_hour: often }, max_instances: 2 }],
    },
    result: {
      by_workload: { w: { days: 10, epochs_done: 2, hours_per_epoch: { p: perEpoch } } },
      by_pool: { p: { busy_device_hours: 192 * 16 } },
    },
  };
}
// The same on spot for 64 hours in the first four days, 80 an epoch, then on demand for 96.
function fallingBack() {
  const { scenario, result } = runOf({});
  const [work] = scenario.workloads;
  const [entry] = work.runs_on;
  Object.assign(work, { fall_back_after_days: 4, runs_on: [entry, { ...entry, pool: "q" }] });
  scenario.pools.push({ ...scenario.pools[0], id: "q" });
  result.by_workload.w.hours_per_epoch = { p: 80, q: 80 };
  result.by_pool = { p: { busy_device_hours: 64 * 16 }, q: { busy_device_hours: 96 * 16 } };
  return { scenario, result };
}
// Shares of the hours of a run that is drawn: segments of work and a checkpoint, begun anew after each interruption and its restart.
function drawnRun(often, interval, write, restart, segments) {
  let state = 1;
  const random = () => (state = (48271 * state) % 2147483647) / 2147483647;
  const wait = () => -Math.log(random()) / often;
  let [redone, restarting] = [0, 0];
  for (let done = 0; done < segments; ) {
    const failed = wait();
    if (failed >= interval + write) ++done;
    else {
      redone += failed;
      for (let again = wait(); again < restart; again = wait()) restarting += again;
      restarting += restart;
    }
  }
  const all = segments * (interval + write) + redone + restarting;
  const goodput = (segments * interval) / all;
  return { goodput, useful: goodput, written: (segments * write) / all, redone: redone / all, restarting: restarting / all };
}

const daemon = await Daemon.start(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "costcurve-page-"));
let count = 0;
const wrong = [];
try {
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const fetched = new Set();
  for (const [name, casesOf] of Object.entries(cases)) {
    await fetchModule(daemon, folder, `/static/${name}`, fetched);
    const page = await import(pathToFileURL(join(folder, "static", name)));
    for (const [i, [found, wanted]] of casesOf(page).entries()) {
      ++count;
      try {
        assert.deepEqual(found, wanted);
      } catch {
        wrong.push(`${name}, case ${i + 1}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
      }
    }
  }
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true });
}
for (const line of wrong) console.error(line);
console.log(`${count} cases, ${wrong.length} wrong`);
process.exit(wrong.length ? 1 : 0);
