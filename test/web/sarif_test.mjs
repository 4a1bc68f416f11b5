// SARIF output against the schema of SARIF 2.1.0.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {heddle, packages, scratch, source} from "./harness.mjs";

let place, validate;

before(() => {
  place = scratch();
  const Ajv = packages("ajv");
  const ajv = new Ajv({schemaId: "auto", allErrors: true, unknownFormats: "ignore", logger: false});
  ajv.addMetaSchema(packages("ajv/lib/refs/json-schema-draft-04.json"));
  validate = ajv.compile(packages("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
});
after(() => place.remove());

function report(program, code, ...options) {
  heddle(place.folder, code, "run", program, "--quiet", "--sarif=out.sarif", ...options);
  const log = JSON.parse(readFileSync(path.join(place.folder, "out.sarif"), "utf8"));
  assert.ok(validate(log), JSON.stringify(validate.errors, null, 1));
  return log.runs[0];
}

test("the schema is in force", () => {
  assert.ok(!validate({version: "2.1.0"}), "runs are missing");
  assert.ok(!validate({version: "2.1.0", runs: [{tool: {driver: {}}}]}), "the driver has no name");
});

test("an assertion: rule, place, thread flows in execution order", () => {
  const run = report(path.join(source, "examples/bank.hed"), 1);
  const [result] = run.results;
  assert.equal(run.tool.driver.rules[result.ruleIndex].id, "assertion");
  assert.equal(result.locations[0].physicalLocation.region.startLine, 12);
  assert.match(
    result.locations[0].physicalLocation.artifactLocation.uri,
    /^file:\/\/\/.*examples\/bank\.hed$/,
  );
  const flows = result.codeFlows[0].threadFlows;
  assert.deepEqual(
    flows.map((flow) => flow.id),
    ["teller[0]", "teller[1]", "auditor"],
  );
  const orders = flows
    .flatMap((flow) => flow.locations.map((one) => one.executionOrder))
    .sort((a, b) => a - b);
  assert.deepEqual(
    orders,
    orders.map((_, i) => i + 1),
  );
  assert.equal(run.invocations[0].exitCode, 1);
  assert.match(result.message.text, /in the other order the run succeeds/);
  assert.match(result.message.text, /lost update: /);
  assert.deepEqual(
    result.relatedLocations.map((one) => one.physicalLocation.region.startLine),
    [6, 7, 6, 7],
  );
});

test("a deadlock, no bug, and a budget used up", () => {
  const [deadlock] = report(path.join(source, "examples/two_locks.hed"), 1).results;
  assert.match(deadlock.message.text, /held by/);
  assert.ok([9, 18].includes(deadlock.locations[0].physicalLocation.region.startLine));
  assert.equal(deadlock.message.text.match(/there waits to lock lock_b/g).length, 1);
  assert.deepEqual(report(path.join(source, "examples/bank_fixed.hed"), 0).results, []);
  const inconclusive = report(path.join(source, "bench/programs/fib.hed"), 2, "--max-executions=10");
  assert.match(inconclusive.invocations[0].toolExecutionNotifications[0].message.text, /inconclusive/);
});

test("names that are no URIs, and bytes that are no text", () => {
  writeFileSync(
    path.join(place.folder, "a b%ü.hed"),
    Buffer.concat([
      Buffer.from('shared int x = 0;\nthread t { x = 1; assert(x == 0, "'),
      Buffer.from([0xff, 0xfe, 0x3c]),
      Buffer.from('"); }\n'),
    ]),
  );
  const [result] = report("a b%ü.hed", 1).results;
  assert.equal(decodeURIComponent(result.locations[0].physicalLocation.artifactLocation.uri), "a b%ü.hed");
});

test("the same failure keeps its fingerprint when lines move", () => {
  const body = 'shared int x = 0;\nthread t { x = 1; assert(x == 0, "zero"); }\n';
  writeFileSync(path.join(place.folder, "one.hed"), body);
  writeFileSync(path.join(place.folder, "two.hed"), "// moved\n\n" + body);
  const print = (name) => report(name, 1).results[0].partialFingerprints["heddle/v1"];
  assert.equal(print("one.hed"), print("two.hed"));
});
