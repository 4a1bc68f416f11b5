// The HTML report of findings under a memory model: what was read, and what was missed.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {copyFileSync, mkdirSync, writeFileSync} from "node:fs";
import path from "node:path";
import {Browser, heddle, scratch, snapshot, source} from "./harness.mjs";

let browser, place;

// The second store is overtaken by nobody, the reader of the flag finds the first one.
const OLDER = `shared int x, f;
thread a {
  x.store(1, relaxed);
  x.store(2, relaxed);
  f.store(1, relaxed);
}
thread b {
  if (f.load(relaxed) == 1)
    assert(x.load(relaxed) != 1, "an older value");
}
`;

before(async () => {
  place = scratch();
  mkdirSync(path.join(place.folder, "examples"));
  copyFileSync(path.join(source, "examples/dekker.hed"), path.join(place.folder, "examples/dekker.hed"));
  writeFileSync(path.join(place.folder, "older.hed"), OLDER);
  browser = await Browser.launch();
});
after(async () => {
  await browser.close();
  place.remove();
});

const count = (page, selector) => page.locator(`.lanes-panel ${selector}`).count();

test("a stale read has a ring and two arrows: from what it reads, and from what it misses", async () => {
  heddle(place.folder, 1, "run", "older.hed", "--memory=c++20", "--quiet", "--html=older.html");
  const page = await browser.open(path.join(place.folder, "older.html"));
  assert.equal(await count(page, ".stale-ring"), 1);
  assert.equal(await count(page, ".edge.stale"), 1);
  assert.equal(await count(page, ".edge.missed"), 1);
  assert.match(await page.locator(".why").innerText(), /a read that misses a write[\s\S]*x\.store\(2[\s\S]*x\.load/);
  const row = page.locator(".lanes-panel .row.stale");
  assert.match(await row.innerText(), /read x = 1 \(stale: from step 1, 1 newer\)/);
  assert.match(await page.locator(".lanes-panel .legend").innerText(), /newer write that it misses/);
  // The value that everybody would find now is the newest one, whatever was read.
  await row.click();
  assert.match(await page.locator('.values tr[data-object="x"]').innerText(), /\b2\b/);
  await snapshot(page, "memory");
  const dark = await browser.open(path.join(place.folder, "older.html"), {dark: true});
  await snapshot(dark, "memory-dark");
  assert.deepEqual([...page.problems, ...dark.problems], []);
});

test("what was there at the start is read without an arrow, on a narrow screen as well", async () => {
  heddle(place.folder, 1, "run", "examples/dekker.hed", "--memory=c++20", "--quiet", "--html=dekker.html");
  const page = await browser.open(path.join(place.folder, "dekker.html"));
  const stale = await count(page, ".stale-ring");
  assert.ok(stale > 0, "stale reads");
  assert.equal(await count(page, ".edge.stale"), 0);
  assert.equal(await count(page, ".edge.missed"), stale);
  assert.match(await page.locator(".why").innerText(), /seq_cst fence before/);
  await snapshot(page, "memory-dekker");
  const phone = await browser.open(path.join(place.folder, "dekker.html"), {width: 390, height: 844, dark: true, touch: true});
  assert.equal(
    await phone.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    0,
  );
  await snapshot(phone, "memory-phone", {fullPage: true});
  assert.deepEqual([...page.problems, ...phone.problems], []);
});

test("without stale reads nothing is said of them", async () => {
  writeFileSync(path.join(place.folder, "sc.hed"), "shared int x; thread a { x = 1; } thread b { assert(x == 0); }");
  heddle(place.folder, 1, "run", "sc.hed", "--quiet", "--html=sc.html");
  const page = await browser.open(path.join(place.folder, "sc.html"));
  assert.equal(await count(page, ".stale-ring"), 0);
  assert.doesNotMatch(await page.locator(".lanes-panel .legend").innerText(), /stale/);
});
