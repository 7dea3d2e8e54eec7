// Requests about a feed.
import { get, put } from "../api.js";
import { announce } from "../dom.js";

const listedRuns = 20;

export const runsOf = async (id, signal) => (await get(`/v1/feeds/${id}/runs`, { limit: listedRuns }, signal)).items;

// Stores the feed with its schedule on or off.
export async function turn(feed) {
  const { revision, recorded_at, recorded_by, next_runs, ...document } = await get(`/v1/feeds/${feed.id}`);
  await put(`/v1/feeds/${feed.id}`, { ...document, enabled: !document.enabled }, { "If-Match": `"${revision}"` });
  announce(`${feed.id} is ${document.enabled ? "disabled" : "enabled"}`);
}
