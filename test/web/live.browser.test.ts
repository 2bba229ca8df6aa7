/**
 * Tests that the page detects an event stream that breaks silently, for example while a laptop
 * sleeps. The test advances the clock.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { card, createFacts } from './support/facts.ts';
import type { Fixture } from './support/fixture.ts';

/**
 * Interval at which the daemon sends a keep-alive. The page gives up after twice this interval plus
 * a margin.
 */
const BEAT_MS = 15_000;
const NIGHT_MS = 8 * 3_600_000;

describe.runIf(chromiumPath !== undefined)("a page's event stream", () => {
  let suite: DashboardBrowser;
  beforeAll(async () => {
    suite = await openDashboardBrowser(inject('scratch'), 'live');
  });
  afterAll(() => suite.close());

  test('stays open while idle as long as the daemon sends keep-alives', async () => {
    await using dashboard = await opened();
    const { page, fixture } = dashboard;
    await expect.poll(() => fixture.resumedFrom).toEqual([undefined]);
    for (let beats = 0; beats < 6; beats += 1) {
      fixture.sendKeepAlive();
      await page.clock.runFor(BEAT_MS);
    }
    fixture.facts.cards = [card('A-2', 'Second')];
    fixture.emitEvent('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();
    expect(fixture.resumedFrom).toEqual([undefined]);
  });

  test('resumes from the last event after the computer has slept for a night, without a warning', async () => {
    await using dashboard = await opened();
    const { page, fixture, pageErrors } = dashboard;
    await expect.poll(() => fixture.resumedFrom).toEqual([undefined]);
    fixture.facts.cards = [card('A-2', 'In the evening')];
    fixture.emitEvent('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();

    fixture.fallSilent();
    fixture.facts.cards = [card('A-3', 'In the night')];
    fixture.emitEvent('issue.sighted', { issue: 'A-3' });
    await page.clock.fastForward(NIGHT_MS);
    await page.locator('[data-card="A-3"]').waitFor();
    expect(fixture.resumedFrom).toEqual([undefined, String(fixture.facts.span.last.version + 1)]);
    expect(await page.getByText('Reconnecting.').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test('is requested again if there is no response at all', async () => {
    await using dashboard = await opened((fixture) => fixture.hold('GET /events'));
    const { page, fixture } = dashboard;
    await page.clock.fastForward(NIGHT_MS);
    await expect.poll(() => fixture.resumedFrom).toEqual([undefined]);
    fixture.facts.cards = [card('A-2', 'Second')];
    fixture.emitEvent('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();
  });

  /** Opens the page with a clock that the test controls from the page's first script on. */
  async function opened(before: (fixture: Fixture) => void = () => undefined) {
    const dashboard = await suite.open(createFacts([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    await page.clock.install();
    await page.goto('about:blank');
    fixture.resumedFrom.length = 0;
    before(fixture);
    await page.goto(`${fixture.url}/ui/`);
    await page.locator('[data-card="A-1"]').waitFor();
    return dashboard;
  }
});
