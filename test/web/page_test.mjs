// The HTML report of models: it steps, it highlights, it shows values, at every size and in both themes.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import path from "node:path";
import {Browser, counter, currentRow, heddle, scratch, snapshot, source} from "./harness.mjs";

let browser, place;
const file = (name) => path.join(place.folder, name);

before(async () => {
  place = scratch();
  mkdirSync(file("examples"));
  for (const name of ["bank.hed", "two_locks.hed", "bank_fixed.hed"])
    copyFileSync(path.join(source, "examples", name), file("examples/" + name));
  browser = await Browser.launch();
});
after(async () => {
  await browser.close();
  place.remove();
});

test("verdict, source, values and keyboard of a lost update", async () => {
  heddle(place.folder, 1, "run", "examples/bank.hed", "--all", "--quiet", "--html=bank.html");
  const page = await browser.open(file("bank.html"));
  assert.equal(await page.locator(".verdict h1").innerText(), "1 bug found");
  assert.match(
    await page.locator(".finding-head").innerText(),
    /assertion[\s\S]*balance == 200[\s\S]*auditor[\s\S]*bank\.hed:12/,
  );
  await snapshot(page, "finding");

  await page.locator(".lanes-panel .viewport").focus();
  await page.keyboard.press("Home");
  assert.match(await counter(page), /^1 \/ \d+$/);
  assert.equal(await currentRow(page), "read balance = 0");
  const value = () => page.locator('tr[data-object="balance"] .value').innerText();
  assert.equal(await value(), "0");

  // Forward to the first write: the table follows, and the line is marked in the writer's card.
  for (let i = 0; i < 20 && !(await currentRow(page)).startsWith("write"); ++i)
    await page.keyboard.press("ArrowRight");
  assert.match(await currentRow(page), /^write balance = 100$/);
  assert.match(await value(), /100$/);
  assert.ok(await page.locator('tr[data-object="balance"].changed').count(), "the change is marked");
  assert.equal(await page.locator(".card.active .code .here").getAttribute("data-line"), "7");
  assert.match(await page.locator(".card.active .code .here").innerText(), /balance = /);
  const at = await counter(page);
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await counter(page), at);

  // Switches: each press lands on a step of another thread than the one before it.
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  assert.ok(await page.locator(".lanes-panel .row.current.switch").count(), "a switch");
  await page.keyboard.press("p");
  assert.match(await counter(page), /^1 /);
  await page.keyboard.press("End");
  assert.equal(await counter(page), "failure");
  assert.ok(await page.locator(".lanes-panel .row.failure.current").count());
  assert.match(await page.locator(".card.failed").innerText(), /auditor[\s\S]*fails here/);
  await page.keyboard.press("c");
  assert.ok(await page.locator(".lanes-panel .row.current .tag").count(), "C goes to a step that is tagged");
  assert.deepEqual(page.problems, []);
});

test("edges appear under the pointer", async () => {
  const page = await browser.open(file("bank.html"));
  await page.locator(".lanes-panel .viewport").focus();
  await page.keyboard.press("End");
  assert.equal(await page.locator(".lanes-panel .edge").count(), 0, "none at the failure itself");
  const last = page.locator(".lanes-panel .row:not(.failure)").filter({hasText: "read balance = 100"});
  await last.first().hover();
  await page.waitForSelector(".lanes-panel .edge.reads");
  assert.deepEqual(page.problems, []);
});

test("the pair is explained and both orders are side by side", async () => {
  const page = await browser.open(file("bank.html"));
  assert.equal(await page.locator(".why .half").count(), 2);
  await page.locator(".why .half").first().click();
  assert.ok(await page.locator(".lanes-panel .row.current.tag-pair").count());
  assert.equal(await page.locator(".compare .lanes").count(), 2);
  const good = page.locator(".compare .lanes").nth(1);
  assert.equal(await good.locator(".row.failure").count(), 0);
  assert.ok((await good.locator(".row").count()) > 3);
  await page.locator(".compare").scrollIntoViewIfNeeded();
  await snapshot(page, "comparison");
  assert.deepEqual(page.problems, []);
});

test("the tree has a leaf per execution, and a chart", async () => {
  const page = await browser.open(file("bank.html"));
  const executions = JSON.parse(await page.locator("#data").textContent()).executions;
  assert.equal(await page.locator("#tree .leaf").count(), executions);
  await page.locator("#tree .leaf circle").first().hover();
  assert.match(await page.locator(".tree-status").innerText(), /execution \d+ ends/);
  assert.ok((await page.locator(".chart polyline").count()) >= 1);
  await page.locator("#statistics").scrollIntoViewIfNeeded();
  await snapshot(page, "exploration");
  assert.deepEqual(page.problems, []);
});

test("a deadlock shows who waits for whom", async () => {
  heddle(place.folder, 1, "run", "examples/two_locks.hed", "--quiet", "--html=deadlock.html");
  const page = await browser.open(file("deadlock.html"), {dark: true});
  assert.match(await page.locator(".waiting").innerText(), /held by/);
  assert.match(await page.locator(".circle").innerText(), /there -> lock_b -> back -> lock_a -> there/);
  assert.match(await page.locator(".finding-head").innerText(), /2 threads wait in a circle/);
  await page.locator(".lanes-panel .viewport").focus();
  await page.keyboard.press("End");
  assert.equal(await page.locator(".card.failed").count(), 2);
  assert.ok((await page.locator(".lanes-panel .lock-span").count()) >= 2);
  assert.match(await page.locator(".values").innerText(), /held by/);
  await snapshot(page, "deadlock-dark");
  assert.deepEqual(page.problems, []);
});

test("no bug, no findings", async () => {
  heddle(place.folder, 0, "run", "examples/bank_fixed.hed", "--quiet", "--html=good.html");
  const page = await browser.open(file("good.html"));
  assert.equal(await page.locator(".verdict h1").innerText(), "No bug");
  assert.equal(await page.locator(".finding").count(), 0);
  await snapshot(page, "no-bug");
  assert.deepEqual(page.problems, []);
});

test("statistics over time of a longer exploration", async () => {
  writeFileSync(
    file("endless.hed"),
    "shared int x = 0;\nthread writer[2] {\n  for (int i = 0; i < 14; i = i + 1) { x = i; }\n}\n",
  );
  heddle(place.folder, 2, "run", "endless.hed", "--max-seconds=2", "--quiet", "--html=endless.html");
  const page = await browser.open(file("endless.html"));
  assert.equal(await page.locator(".verdict h1").innerText(), "Inconclusive");
  assert.equal(await page.locator(".chart").count(), 2);
  const points = (await page.locator(".chart polyline").first().getAttribute("points")).split(" ");
  assert.ok(points.length > 5, "a sample every tenth of a second");
  await snapshot(page, "statistics");
  assert.deepEqual(page.problems, []);
});

test("20,000 steps scroll, jump and step", async () => {
  writeFileSync(
    file("long.hed"),
    `shared int x = 0, y = 0;
thread left { for (int i = 0; i < 5000; i = i + 1) { x = i; y = x; } }
thread right { for (int i = 0; i < 5000; i = i + 1) { x = i; } }
thread third { for (int i = 0; i < 100; i = i + 1) { y = i; } }
thread judge { join left; join right; join third; assert(y == 0 - 1); }
`,
  );
  heddle(place.folder, 1, "run", "long.hed", "--max-steps=100000", "--quiet", "--html=long.html");
  const page = await browser.open(file("long.html"));
  const total = Number(await page.locator(".stepper input").getAttribute("max")) + 1;
  assert.ok(total > 20000, `${total} rows`);
  assert.ok((await page.locator(".lanes-panel .row").count()) < 100, "only what is in view exists");
  await page.locator(".lanes-panel .viewport").focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 30; ++i) await page.keyboard.press("ArrowRight");
  assert.match(await counter(page), /^31 \/ /);
  await page.keyboard.press("End");
  assert.equal(await counter(page), "failure");
  assert.ok(await page.locator(".lanes-panel .row.failure").isVisible());
  await page
    .locator(".minimap")
    .first()
    .click({position: {x: 20, y: 200}});
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll(".lanes-panel .row")].map((row) => Number(row.dataset.row));
    return rows.length && Math.min(...rows) > 2000 && Math.max(...rows) < 18000;
  });
  await page.locator(".lanes-panel .row").nth(20).click();
  assert.match(await counter(page), /^\d+ \/ \d+$/);
  await snapshot(page, "long");
  assert.deepEqual(page.problems, []);
  assert.ok(statSync(file("long.html")).size < 8e6, "the file stays reasonable");
});

test("a phone has it all, and nothing sticks out", async () => {
  const page = await browser.open(file("bank.html"), {width: 390, height: 844, touch: true});
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0, "no sideways scrolling");
  const next = page.getByRole("button", {name: "Next step"});
  assert.ok(await next.isVisible());
  await page.getByRole("button", {name: "First step"}).tap();
  assert.match(await counter(page), /^1 /);
  await next.tap();
  await next.tap();
  assert.match(await counter(page), /^3 /);
  await page.locator(".lanes-panel").scrollIntoViewIfNeeded();
  await snapshot(page, "phone");
  assert.deepEqual(page.problems, []);
});

test("light, dark, and remembered", async () => {
  const page = await browser.open(file("bank.html"), {dark: true});
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  const button = page.locator(".theme");
  await button.click();
  assert.notEqual(await background(), dark, "light although the system is dark");
  await page.reload();
  assert.notEqual(await background(), dark, "still light");
  await page.locator(".theme").click();
  assert.equal(await background(), dark);
  assert.deepEqual(page.problems, []);
});

test("every control has a name, and the listbox says where one is", async () => {
  const page = await browser.open(file("bank.html"));
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, a")]
      .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim()))
      .map((element) => element.outerHTML),
  );
  assert.deepEqual(nameless, []);
  const active = await page.locator(".lanes-panel .viewport").getAttribute("aria-activedescendant");
  assert.equal(await page.locator("#" + active).getAttribute("aria-selected"), "true");
  assert.match(await page.locator("#" + active).getAttribute("aria-label"), /^step \d+, \w+/);
  // Text stands out from what it stands on (WCAG AA), in both themes.
  for (const dark of [false, true]) {
    const themed = await browser.open(file("bank.html"), {dark});
    const poor = await themed.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const channel = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
      const luminance = (name) => {
        const hex = style.getPropertyValue(name).trim().slice(1);
        const [r, g, b] = [0, 2, 4].map((i) => channel(parseInt(hex.slice(i, i + 2), 16)));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const inks = [
        "--ink",
        "--muted",
        "--accent",
        "--bad",
        "--good",
        "--warn",
        ...Array.from({length: 8}, (_, i) => `--thread-${i}`),
      ];
      return inks.filter((ink) => contrast(luminance(ink), luminance("--panel")) < 4.5);
    });
    assert.deepEqual(poor, []);
  }
});

test("hostile text stays text", async () => {
  mkdirSync(file("</script><img src=x onerror=alert(1)>"), {recursive: true});
  const name = '</script><img src=x onerror=alert(1)>/a<b&"c.hed';
  writeFileSync(
    file(name),
    'shared int x = 0;\nthread t { x = 1; assert(x == 0, "</script><script>alert(1)</script><!-- \u2028 &amp;"); }\n',
  );
  heddle(place.folder, 1, "run", name, "--quiet", "--html=hostile.html");
  const page = await browser.open(file("hostile.html"));
  assert.match(
    await page.locator(".finding-head").innerText(),
    /<\/script><script>alert\(1\)<\/script><!-- /,
  );
  assert.equal(await page.locator(".program").innerText(), name);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(
    (readFileSync(file("hostile.html"), "utf8").match(/<\/script>/g) ?? []).length,
    2,
    "the page's own two",
  );
  assert.deepEqual(page.problems, []);
});
