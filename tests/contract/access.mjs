// Keys and roles: each operation requires the role in its x-role, on a daemon that requires keys.
import { Daemon } from "./daemon.mjs";
import { goodPath, status } from "./good.mjs";

const kRoles = ["none", "viewer", "editor", "admin"];

export async function testAccess(contract, binary, good) {
  const { description } = contract;
  const open = contract.daemon;
  const closed = await Daemon.start(binary, ["--require-keys", "--rate-limit", "1"], ["viewer", "admin"]);
  contract.daemon = closed;
  try {
    const viewer = { Authorization: `Bearer ${closed.keys.viewer}` };
    for (const operation of description.operations) {
      const path = goodPath(description, operation, good);
      const body = operation.body ? { body: {} } : {};
      const needed = kRoles.indexOf(operation.role);
      if (needed === 0) {
        await contract.ask(operation, path, body, "without a key", [status(200)]);
        continue;
      }
      await contract.ask(operation, path, body, "without a key", [status(401)]);
      const unknown = { Authorization: "Bearer cc_unknown" };
      await contract.ask(operation, path, { ...body, headers: unknown }, "an unknown key", [status(401, 429)]);
      if (needed > 1) {
        await contract.ask(operation, path, { ...body, headers: viewer }, "a viewer's key", [status(403)]);
        continue;
      }
      let answer;
      for (let i = 0; i < 10 && answer?.status !== 429; ++i) {
        answer = await contract.ask(operation, path, { ...body, headers: viewer }, "a viewer's key");
        contract.note(`${operation.id} with a viewer's key`, [401, 403].includes(answer.status) ? [`${answer.status}`] : []);
      }
      contract.note(`${operation.id}, again and again`, answer.status === 429 ? [] : [`${answer.status}; expected 429 in the end`]);
    }
  } finally {
    contract.daemon = open;
    const ended = await closed.stop();
    contract.note("the daemon that asks for keys", ended === 0 ? [] : [`ended with ${ended}`]);
  }
}
