// The HTML report of a C++ program.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {copyFileSync, mkdirSync} from "node:fs";
import path from "node:path";
import {Browser, heddle, scratch, snapshot, source} from "./harness.mjs";

let browser, place;

before(async () => {
  place = scratch();
  mkdirSync(path.join(place.folder, "examples"));
  copyFileSync(path.join(source, "examples/bank.cpp"), path.join(place.folder, "examples/bank.cpp"));
  browser = await Browser.launch();
});
after(async () => {
  await browser.close();
  place.remove();
});

test("bank.cpp: the two lines to put under one lock are on the first screen", async () => {
  heddle(place.folder, 1, "run", "examples/bank.cpp", "--quiet", "--html=bank.html");
  const page = await browser.open(path.join(place.folder, "bank.html"));
  await snapshot(page, "bank");
  assert.match(await page.locator(".finding-head").innerText(), /assertion/);
  const why = await page.locator(".why").innerText();
  // balance() is called in withdraw (line 22), which takes the lock again to subtract (lines 23, 24).
  assert.match(why, /check-then-act/);
  assert.match(
    await page.locator(".together").innerText(),
    /bank\.cpp:22[\s\S]*balance\(\) < amount[\s\S]*bank\.cpp:23[\s\S]*lock_guard/,
  );
  assert.match(await page.locator(".sources").innerText(), /std::lock_guard lock\(mutex_\)/);
  assert.ok((await page.locator(".lanes-panel .lock-span").count()) > 0, "lock spans");
  await snapshot(page, "bank-full", {fullPage: true});
  const phone = await browser.open(path.join(place.folder, "bank.html"), {
    width: 390,
    height: 844,
    dark: true,
    touch: true,
  });
  assert.equal(
    await phone.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    0,
  );
  await snapshot(phone, "bank-phone", {fullPage: true});
  assert.deepEqual(page.problems, []);
  assert.deepEqual(phone.problems, []);
});
