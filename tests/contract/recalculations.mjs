// Recalculations of the stored scenarios, their results, and requests that are rejected.
import { status } from "./good.mjs";

export const recalculationBodies = (good) => [{ scenarios: "all" }, {}, { scenarios: [good.scenario[0].id] }];

// The first recalculation, which later requests look at, and one that is cancelled.
export async function testRecalculations(contract, good) {
  const find = (id) => contract.description.operations.find((operation) => operation.id === id);
  const [post, list, get, cancel, events, results, result] = ["post_recalculations", "get_recalculations", "get_recalculations_run",
    "delete_recalculations_run", "get_recalculations_run_events", "get_scenarios_id_results", "get_scenarios_id_results_number"].map(find);
  const diff = find("get_scenarios_id_results_number_diff");
  const begun = await contract.ask(post, post.path, { body: { scenarios: "all" } }, "all", [status(202),
    ["where it is", (answer) => answer.headers.location === "/v1/recalculations/1"]]);
  await contract.ask(events, "/v1/recalculations/1/events", {}, "until it ends", [status(200),
    ["a result at its end", (answer) => /event: result\ndata: .*"state":"done"/.test(answer.body)]]);
  const ended = await contract.ask(get, "/v1/recalculations/1", {}, "done", [status(200)]);
  const total = JSON.parse(begun.body).total;
  const run = JSON.parse(ended.body);
  contract.note("the recalculation", run.evaluated === total && total > 0 ? [] : [`${run.evaluated} of ${total} evaluated`]);
  const id = good.scenario[0].id;
  for (const number of ["latest", "1"]) {
    await contract.ask(result, `/v1/scenarios/${id}/results/${number}`, {}, number, [status(200)]);
  }
  const page = await contract.ask(results, `/v1/scenarios/${id}/results`, {}, "", [status(200)]);
  contract.note("its results", JSON.parse(page.body).items.length === 1 ? [] : [page.body]);
  for (const number of ["2", "0", "x", "99999999999999999999"]) {
    await contract.ask(result, `/v1/scenarios/${id}/results/${number}`, {}, "none such", [status(404, 422)]);
  }
  await contract.ask(diff, `/v1/scenarios/${id}/results/1/diff?against=1`, {}, "of itself", [status(200),
    ["nothing", (answer) => JSON.parse(answer.body).by_document.length === 0]]);
  await contract.ask(diff, `/v1/scenarios/${id}/results/latest/diff`, {}, "of the only one", [status(404)]);
  await contract.ask(cancel, "/v1/recalculations/1", {}, "which is done", [status(409)]);
  for (const run of ["2000000", "x", "0"]) await contract.ask(get, `/v1/recalculations/${run}`, {}, "none such", [status(404)]);
  await contract.ask(post, post.path, { body: { scenarios: ["no-such-scenario"] } }, "of none", [status(422)]);
  const key = { "Idempotency-Key": "recalculate" };
  const first = await contract.ask(post, post.path, { body: {}, headers: key }, "under a key", [status(202)]);
  await contract.ask(post, post.path, { body: {}, headers: key }, "again", [status(202),
    ["the same one", (answer) => JSON.parse(answer.body).id === JSON.parse(first.body).id]]);
  await contract.ask(list, list.path, {}, "newest first", [status(200),
    ["the newest first", (answer) => JSON.parse(answer.body).items[0].id === JSON.parse(first.body).id]]);
  // Some may end before they are cancelled: that is a 409 and no fault.
  for (let i = 0; i < 20 && cancel.successes === 0; ++i) {
    const next = await contract.ask(post, post.path, { body: { scenarios: "all" } }, "to be cancelled", [status(202)]);
    await contract.ask(cancel, next.headers.location, {}, "at once", [status(200, 409)]);
  }
}
