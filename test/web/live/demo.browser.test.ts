/** Tests `legion demo --open` in a browser, from start to finish, and then its history. */
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
import { openApiClient } from '../../support/http-client.ts';
import { createLoginAddress, openVisit } from './visit.ts';

/** The demo takes half a minute on two idle cores, and many times that under load. */
const MAX_DEMO_S = 300;
const ALL = ['DEMO-1', 'DEMO-2', 'DEMO-3', 'DEMO-4', 'DEMO-5', 'DEMO-6'];
/** Returns the name of each card's current column. */
const PLACES =
  'Object.fromEntries([...document.querySelectorAll("[data-card]")].map((card) => [card.dataset.card, card.closest("section[aria-label]").getAttribute("aria-label").split(",")[0]]))';
/**
 * Records every column in which a card is seen. The record is part of the page, so a reload would
 * lose it.
 */
const WATCH = `window.seen = {}; setInterval(() => {
  for (const [id, column] of Object.entries(${PLACES})) {
    const columns = (window.seen[id] ??= []);
    if (columns.at(-1) !== column) columns.push(column);
  }
}, 100); undefined`;

describe.runIf(chromiumPath !== undefined)('demo in a browser', () => {
  vi.setConfig({ testTimeout: MAX_DEMO_S * 1_000 + 60_000, hookTimeout: 60_000 });
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
    demo.kill('SIGINT'); // if the demo is still running, it also stops its daemon on SIGINT
    await ended;
    await promisify(execFile)(join(folder, 'legion'), ['down']).catch(() => undefined); // fails if the daemon has already stopped
    rmSync(root, { recursive: true, force: true });
  });

  test('ends with every issue Done: each card moves by itself, without a click or a reload', async () => {
    await using visit = await openVisit(browser);
    const { page, pageErrors } = visit;
    await page.goto(address);
    await page.evaluate(WATCH);
    const done = ALL.map((id): [string, string] => [id, 'Done']);
    await expect
      .poll(() => placesOn(page), { timeout: MAX_DEMO_S * 1_000, interval: 250 })
      .toEqual(Object.fromEntries(done));
    const watched = async () => (await page.evaluate('window.seen')) as Record<string, string[]>;
    // The watcher samples ten times a second and may lag behind.
    const last = async () => Object.entries(await watched()).map(([id, columns]) => [id, columns.at(-1)]);
    await expect.poll(async () => Object.fromEntries(await last())).toEqual(Object.fromEntries(done));
    const seen = await watched();
    for (const id of ALL) {
      expect(new Set(seen[id]).size, `${id}: ${seen[id]?.join(', ')}`).toBeGreaterThan(3);
    }
    expect(await ended).toEqual([0, null]);
    expect(pageErrors).toEqual([]);
  });

  test('shows each past moment with the slider, and then the present again', async () => {
    const client = openDemoClient(folder);
    const events = await client.events();
    await using visit = await openVisit(browser);
    const { page } = visit;
    await page.goto(await createLoginAddress(client, '/ui/'));
    await page.locator('[data-card="DEMO-6"]').waitFor();
    const slider = page.getByRole('slider', { name: 'Time shown on the board' });
    await slider.press('Home');
    await page.getByText('You are viewing the past').waitFor();
    const middle = new Set<string>();
    // Each press moves by a tenth of the time; the last one reaches the present.
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

/** Starts the demo with a fake browser program that records the address. */
function startDemo(folder: string, seen: string, program: string): ChildProcess {
  writeFileSync(
    program,
    `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync('${seen}-draft', process.argv[2]);
renameSync('${seen}-draft', '${seen}');`,
  );
  const env = { ...process.env, BROWSER: `${process.execPath} ${program}` };
  const args = [LAUNCHER, 'demo', '--open', '--json', '--folder', folder, '--within', String(MAX_DEMO_S)];
  return spawn(process.execPath, args, { env, stdio: 'ignore' });
}

function openDemoClient(folder: string) {
  const state = join(folder, 'state/legion/legions/demo');
  const { url } = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as { url: string };
  return openApiClient(url, readFileSync(join(state, 'token'), 'utf8').trim());
}

async function placesOn(page: Page): Promise<unknown> {
  return page.evaluate(PLACES);
}

/** Returns the column of each issue at this time, computed from the journal alone. */
function placesAt(events: readonly Event[], at: number): Record<string, string> {
  const sights = events.filter((event) => event.type === 'issue.sighted' && event.at <= at);
  return Object.fromEntries(
    sights.flatMap((event) => (event.type === 'issue.sighted' ? [[event.issue, event.column]] : [])),
  );
}
