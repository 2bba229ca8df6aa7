/**
 * Tests many tabs of one browser on one daemon. They share an event stream, because a browser opens
 * only six connections to a server.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { card, createFacts } from './support/facts.ts';
import type { Fixture } from './support/fixture.ts';

const TABS = 30;
/** Longer than usual, because thirty tabs render slowly on two cores. */
const MAX_WAIT_MS = 60_000;

describe.runIf(chromiumPath !== undefined)("a browser's shared event stream", () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'tabs');
  });
  afterAll(() => browser.close());

  test(
    'serves thirty tabs at once, and is handed over when the leading tab is closed',
    async () => {
      await using dashboard = await browser.open(createFacts([card('A-1', 'First')]));
      const { page, fixture } = dashboard;
      await page.locator('[data-card="A-1"]').waitFor();
      const others: Page[] = [];
      for (let count = 1; count < TABS; count += 1) {
        others.push(await openTab(page, fixture));
        fixture.sendKeepAlive();
      }
      await expect.poll(() => fixture.streamCount()).toBe(1);
      expect(fixture.resumedFrom).toHaveLength(1);

      await expectEverywhere([page, ...others], fixture, 'A-2');
      await page.close();
      await expect.poll(() => fixture.resumedFrom.length, { timeout: MAX_WAIT_MS }).toBe(2);
      await expectEverywhere(others, fixture, 'A-3');
      expect(fixture.streamCount()).toBe(1);
      // The new leader resumes after the last event it received, so that none is missed.
      expect(fixture.resumedFrom[1]).toBe(String(fixture.facts.span.last.version + 1));
    },
    3 * MAX_WAIT_MS,
  );

  test('is released while no page is visible, and resumed when one becomes visible', async () => {
    await using dashboard = await browser.open(createFacts([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    await expect.poll(() => fixture.streamCount()).toBe(1);

    await setVisibility(page, 'hidden');
    await expect.poll(() => fixture.streamCount()).toBe(0);
    fixture.facts.cards = [card('A-2', 'While nobody looked')];
    fixture.emitEvent('issue.sighted', { issue: 'A-2' });
    await setVisibility(page, 'visible');
    await page.locator('[data-card="A-2"]').waitFor();
    expect(fixture.streamCount()).toBe(1);
  });

  test('is handed over from a hidden page to a visible one', async () => {
    await using dashboard = await browser.open(createFacts([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    const other = await openTab(page, fixture);
    await setVisibility(page, 'hidden');
    await expect.poll(() => fixture.resumedFrom.length).toBe(2);
    await expectEverywhere([other], fixture, 'A-2');
    expect(fixture.streamCount()).toBe(1);
  });

  test("is released by a page that enters the browser's back/forward cache", async () => {
    await using dashboard = await browser.open(createFacts([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    await page.goto('about:blank');
    await expect.poll(() => fixture.streamCount()).toBe(0);
    fixture.facts.cards = [card('A-2', 'Meanwhile')];
    await page.goBack();
    await page.locator('[data-card="A-2"]').waitFor();
    await expect.poll(() => fixture.streamCount()).toBe(1);
  });

  test('is taken over from a page that hangs', async () => {
    await using dashboard = await browser.open(createFacts([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    const other = await page.context().newPage();
    await other.clock.install();
    await other.goto(`${fixture.url}/ui/`);
    await other.locator('[data-card="A-1"]').waitFor();
    // The first page's clock is stopped, so that page sends no keep-alives while the other page's
    // clock advances.
    await other.clock.runFor(60_000);
    await expect.poll(() => fixture.resumedFrom.length).toBe(2);
    await expect.poll(() => fixture.streamCount()).toBe(1);
  });
});

async function openTab(page: Page, fixture: Fixture): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${fixture.url}/ui/`);
  await tab.locator('[data-card="A-1"]').waitFor({ timeout: MAX_WAIT_MS });
  return tab;
}

async function expectEverywhere(pages: readonly Page[], fixture: Fixture, id: string): Promise<void> {
  fixture.facts.cards = [...fixture.facts.cards, card(id, `Card ${id}`)];
  fixture.emitEvent('issue.sighted', { issue: id });
  await Promise.all(
    pages.map((page) => page.locator(`[data-card="${id}"]`).waitFor({ timeout: MAX_WAIT_MS })),
  );
}

/** Overrides the visibility, because Chromium treats every tab of a headless browser as visible. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
