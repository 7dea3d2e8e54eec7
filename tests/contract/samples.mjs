// Good documents to send: the catalogue and the examples that are shipped. Knows no operations.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { automationDocuments } from "./automation.mjs";

// Ids are slugs; examples have none of their own, so the file's name is theirs.
export function samples(root) {
  const found = {};
  const catalog = join(root, "deploy/catalog");
  for (const file of readdirSync(catalog).filter((name) => name.endsWith(".json"))) {
    found[file.replace(/s\.json$/, "")] = JSON.parse(readFileSync(join(catalog, file), "utf8"));
  }
  found.alias = [{ id: "contract-name", names: ["Contract Alias"], device: found.device[0].id }];
  found.measurement ??= [
    {
      id: "contract-measurement",
      model: found.model[0].id,
      device: found.device[0].id,
      precision: "bf16",
      points: { input: [100], output: [100], concurrency: [1], output_per_s: [50] },
    },
  ];
  found.decision = JSON.parse(readFileSync(join(catalog, "examples/decisions.json"), "utf8"));
  found.scenario = [];
  const examples = join(root, "examples");
  for (const file of readdirSync(examples, { recursive: true }).sort()) {
    if (!file.endsWith(".json")) continue;
    const id = file.replace(/\.json$/, "").replaceAll(/[^a-z0-9]+/g, "-");
    found.scenario.push({ id, ...JSON.parse(readFileSync(join(examples, file), "utf8")) });
  }
  return { ...found, ...automationDocuments(found.scenario.map((document) => document.id)) };
}
