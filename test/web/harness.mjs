// What the tests of this folder share: reports made by the real binary, opened in a real browser.
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import {createRequire} from "node:module";
import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";

export const source = process.env.HEDDLE_SOURCE;
export const packages = createRequire(path.join(process.env.HEDDLE_NODE, "package.json"));
export const screenshots = process.env.HEDDLE_SCREENSHOTS;
mkdirSync(screenshots, {recursive: true});

export function scratch() {
  const folder = mkdtempSync(path.join(tmpdir(), "heddle-web-"));
  return {folder, remove: () => rmSync(folder, {recursive: true, force: true})};
}

// Runs heddle in `cwd` and checks its exit code.
export function heddle(cwd, expected, ...words) {
  const done = spawnSync(process.env.HEDDLE, words, {cwd, encoding: "utf8"});
  assert.equal(done.status, expected, `heddle ${words.join(" ")}\n${done.stdout}${done.stderr}`);
  return done;
}

export class Browser {
  static async launch() {
    const {chromium} = packages("playwright-core");
    const browser = new Browser();
    browser.chromium = await chromium.launch({
      executablePath: process.env.CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--force-color-profile=srgb",
      ],
    });
    return browser;
  }

  // A page with the report. `problems` collects what a reader's console would show, and any request that leaves the file.
  async open(file, {width = 1360, height = 900, dark = false, touch = false} = {}) {
    const context = await this.chromium.newContext({
      viewport: {width, height},
      colorScheme: dark ? "dark" : "light",
      hasTouch: touch,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.problems = [];
    page.on(
      "console",
      (message) => ["error", "warning"].includes(message.type()) && page.problems.push(message.text()),
    );
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on(
      "request",
      (request) =>
        !/^(file|data|blob):/.test(request.url()) && page.problems.push(`request to ${request.url()}`),
    );
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  close() {
    return this.chromium.close();
  }
}

export async function snapshot(page, name, options = {}) {
  await page.screenshot({path: path.join(screenshots, name + ".png"), ...options});
}

// The text of the step that is marked as current, and of the counter.
export const currentRow = (page) => page.locator(".lanes-panel .row.current .what > span").innerText();
export const counter = (page) => page.locator(".counter").innerText();
