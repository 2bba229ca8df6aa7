/** `legion demo --open`, watched in a browser to its end, and then looked at as it was at any moment before. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { openDoor } from '../../support/http-client.ts';
import { addressOf, newVisit } from './visit.ts';

/** Half a minute on two idle cores; with everything else on the same two many times that. */
const DEMO_MOST_S = 300;
const ALL = ['DEMO-1', 'DEMO-2', 'DEMO-3', 'DEMO-4', 'DEMO-5', 'DEMO-6'];
/** Where each card is in this moment, by the name of its column. */
const PLACES =
  'Object.fromEntries([...document.querySelectorAll("[data-card]")].map((card) => [card.dataset.card, card.closest("section[aria-label]").getAttribute("aria-label").split(",")[0]]))';
/** Writes down each column a card is seen in. The page is the same from beginning to end, or this is gone. */
const WATCH = `window.seen = {}; setInterval(() => {
  for (const [id, column] of Object.entries(${PLACES})) {
    const columns = (window.seen[id] ??= []);
    if (columns.at(-1) !== column) columns.push(column);
  }
}, 100); undefined`;

describe.runIf(chromiumPath !== undefined)('the demo in a browser', () => {
  vi.setConfig({ testTimeout: DEMO_MOST_S * 1_000 + 60_000, hookTimeout: 60_000 });
  let root = '';
  let folder = '';
  let browser: Browser;
  let demo: ChildProcess;
  let ended: Promise<unknown>;
  let address = '';

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'legion-dashboard-demo-')));
    folder = join(root, 'demo');
    browser = await launchChromium();
    const seen = join(root, 'address');
    demo = startDemo(folder, seen, join(root, 'browser.mjs'));
    ended = once(demo, 'exit');
    while (!existsSync(seen) && demo.exitCode === null) await sleep(50);
    address = readFileSync(seen, 'utf8');
  });
  afterAll(async () => {
    await browser.close();
    demo.kill('SIGINT'); // where it still runs, it takes its daemon with it
    await ended;
    await promisify(execFile)(join(folder, 'legion'), ['down']).catch(() => undefined); // or it is gone already
    rmSync(root, { recursive: true, force: true });
  });

  test('comes to Done before one’s eyes: every card moves by itself, without a click or a reload', async () => {
    await using visit = await newVisit(browser);
    const { page, complaints } = visit;
    await page.goto(address);
    await page.evaluate(WATCH);
    const done = ALL.map((id): [string, string] => [id, 'Done']);
    await expect
      .poll(() => placesOn(page), { timeout: DEMO_MOST_S * 1_000, interval: 250 })
      .toEqual(Object.fromEntries(done));
    const watched = async () => (await page.evaluate('window.seen')) as Record<string, string[]>;
    // Who watches looks ten times a second, and may not have looked since.
    const last = async () => Object.entries(await watched()).map(([id, columns]) => [id, columns.at(-1)]);
    await expect.poll(async () => Object.fromEntries(await last())).toEqual(Object.fromEntries(done));
    const seen = await watched();
    for (const id of ALL) {
      expect(new Set(seen[id]).size, `${id}: ${seen[id]?.join(', ')}`).toBeGreaterThan(3);
    }
    expect(await ended).toEqual([0, null]);
    expect(complaints).toEqual([]);
  });

  test('is shown by the slider as it was at each moment, and as it is again afterwards', async () => {
    const door = doorOf(folder);
    const events = await door.events();
    await using visit = await newVisit(browser);
    const { page } = visit;
    await page.goto(await addressOf(door, '/ui/'));
    await page.locator('[data-card="DEMO-6"]').waitFor();
    const slider = page.getByRole('slider', { name: 'Moment of the board' });
    await slider.press('Home');
    await page.getByText('You are viewing the past').waitFor();
    const middle = new Set<string>();
    // A tenth of the time at each press; the last one is now.
    for (let tenth = 1; tenth < 10; tenth += 1) {
      const before = page.url();
      await slider.press('PageUp');
      await expect.poll(() => page.url(), { timeout: 30_000 }).not.toBe(before);
      const at = Number(new URL(page.url()).searchParams.get('at'));
      const then = placesAt(events, at);
      await expect.poll(() => placesOn(page), { timeout: 30_000, message: page.url() }).toEqual(then);
      for (const column of Object.values(then)) middle.add(column);
    }
    expect(middle.size).toBeGreaterThan(3);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('You are viewing the past').waitFor({ state: 'detached' });
    await expect.poll(() => placesOn(page), { timeout: 30_000 }).toEqual(placesAt(events, Date.now()));
  });
});

/** The browser it opens is a program that writes the address down. */
function startDemo(folder: string, seen: string, program: string): ChildProcess {
  writeFileSync(
    program,
    `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync('${seen}-draft', process.argv[2]);
renameSync('${seen}-draft', '${seen}');`,
  );
  const env = { ...process.env, BROWSER: `${process.execPath} ${program}` };
  const args = [LAUNCHER, 'demo', '--open', '--json', '--folder', folder, '--within', String(DEMO_MOST_S)];
  return spawn(process.execPath, args, { env, stdio: 'ignore' });
}

function doorOf(folder: string) {
  const state = join(folder, 'state/legion/legions/demo');
  const { url } = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as { url: string };
  return openDoor(url, readFileSync(join(state, 'token'), 'utf8').trim());
}

async function placesOn(page: Page): Promise<unknown> {
  return page.evaluate(PLACES);
}

/** By the journal alone. */
function placesAt(events: readonly Event[], at: number): Record<string, string> {
  const sights = events.filter((event) => event.type === 'issue.sighted' && event.at <= at);
  return Object.fromEntries(
    sights.flatMap((event) => (event.type === 'issue.sighted' ? [[event.issue, event.column]] : [])),
  );
}
