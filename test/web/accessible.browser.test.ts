/**
 * Runs an accessibility checker on the board, in light and dark mode, on a desktop and on a phone.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { createBusyDay } from './support/facts.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Axe's result, shortened to the parts that help to find the element. */
const FINDINGS =
  'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html.slice(0, 160), failureSummary].join(" "))))';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.runIf(chromiumPath !== undefined)('board accessibility', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'accessible');
  });
  afterAll(() => browser.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, size] of [
      ['a desktop screen', {}],
      ['a phone', PHONE],
    ] as const) {
      test(`has no violations in ${colorScheme} mode on ${name}`, async () => {
        await using dashboard = await browser.open(createBusyDay(), {
          colorScheme,
          reducedMotion: 'reduce',
          ...size,
        });
        const { page } = dashboard;
        await page.locator('[data-card]').first().waitFor();
        await page.evaluate(AXE);
        expect(await page.evaluate(FINDINGS)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      });
    }
  }

  test('has no violations before the board has loaded', async () => {
    await using dashboard = await browser.open(createBusyDay(), { path: 'fleet', reducedMotion: 'reduce' });
    const { page, fixture } = dashboard;
    await page.getByRole('link', { name: 'Board' }).waitFor();
    const answer = fixture.hold('GET /board');
    await page.goto(new URL('/ui/', page.url()).href);
    await page.locator('.board[aria-busy]').waitFor();
    await page.evaluate(AXE);
    expect(await page.evaluate(FINDINGS)).toEqual([]);
    answer();
    await page.locator('[data-card]').first().waitFor();
  });

  test('has no violations in the history view, in a menu and in the dialogs', async () => {
    const facts = createBusyDay();
    await using dashboard = await browser.open(facts, { reducedMotion: 'reduce' });
    const { page } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.evaluate(AXE);
    await page.keyboard.press('?');
    expect(await page.evaluate(FINDINGS)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    expect(await page.evaluate(FINDINGS)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('slider').press('Home');
    await page.getByText('You are viewing the past').waitFor();
    expect(await page.evaluate(FINDINGS)).toEqual([]);
  });
});
