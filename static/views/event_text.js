// Events in words.
import { quantity } from "../format.js";

export const eventNames = {
  ping: "test",
  recalculation_done: "recalculation done",
  comparison_flipped: "another scenario is the cheapest",
  comparison_changed: "figure changed",
  comparison_infeasible: "the cheapest can't do its work",
  budget_exceeded: "above its budget",
  feed_landed: "feed landed",
  feed_failed: "feed failed",
  price_moved: "prices moved",
  feed_held: "feed holds prices back",
  feed_undone: "feed's run undone",
  drift_found: "drift",
};

export function eventText({ kind, data }) {
  if (kind === "budget_exceeded") {
    const amount = (value) => quantity(value, data.currency ?? "");
    const before = data.before === null ? "" : `, ${amount(data.before)} before`;
    return `${data.scenario} at ${amount(data.figure)}, budget ${amount(data.budget)}${before}`;
  }
  if (kind.startsWith("comparison")) {
    const standingText = (standing) =>
      standing?.cheapest
        ? `${standing.cheapest} at ${quantity(standing.figure, standing.currency ?? "")}`
        : (standing?.problem ?? "nothing");
    return `${standingText(data.before)} → ${standingText(data.now)}`;
  }
  if (kind === "feed_failed") {
    return `${data.feed}: ${data.problem}`;
  }
  if (kind === "feed_undone") {
    return `${data.feed}, run ${data.run}: ${data.outcome}`;
  }
  if (kind === "feed_held") {
    const [first] = [...data.held_offers, ...(data.held_documents || [])];
    return `${data.feed}: ${data.problem || (first ? `${first.offer || first.id}: ${first.reason}` : `${data.held} documents`)}`;
  }
  if (kind === "feed_landed") {
    const { added, changed } = data.summary.documents;
    return `${data.feed}: ${data.summary.rows} rows, ${added} documents added, ${changed} changed`;
  }
  if (kind === "drift_found") {
    const changed = data.measures.filter((row) => row.drifted);
    const parts = changed.map((row) => `${row.measure.replaceAll("_", " ")} ${(row.change_fraction * 100).toFixed(1)} %`);
    return `${data.pool}: ${data.cause.replaceAll("_", " ")}; ${parts.join(", ")}`;
  }
  if (kind === "price_moved") {
    const percent = (fraction) => `${fraction > 0 ? "+" : "−"}${Math.abs(fraction * 100).toFixed(0)} %`;
    return data.moved
      .map((move) => `${move.device} ${move.purchase.replace("_", " ")} ${percent(move.median_fraction)}, ${move.offers} offers`)
      .join("; ");
  }
  return kind === "recalculation_done"
    ? `${data.state}: ${data.evaluated} evaluated, ${data.unchanged} unchanged, ${data.failed} failed`
    : "";
}
