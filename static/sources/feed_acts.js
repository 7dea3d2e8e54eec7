// Requests about a feed.
import { get, post, put } from "../api.js";
import { announce } from "../dom.js";

const listedRuns = 20;

export const runsOf = async (id, signal) => (await get(`/v1/feeds/${id}/runs`, { limit: listedRuns }, signal)).items;

// Stores the feed with its schedule on or off.
export async function turn(feed) {
  const { revision, recorded_at, recorded_by, next_runs, ...document } = await get(`/v1/feeds/${feed.id}`);
  await put(`/v1/feeds/${feed.id}`, { ...document, enabled: !document.enabled }, { "If-Match": `"${revision}"` });
  announce(`${feed.id} is ${document.enabled ? "disabled" : "enabled"}`);
}

// Lands (accept) or drops (reject) what a run holds back, or takes back what it has landed (undo); the run as it then is.
export async function review(path, verb, of = "") {
  const then = await post(`${path}/${verb}`);
  announce(`Run ${then.run}${of}: ${then.state}`);
  return then;
}
