/** Many tabs of one browser on one daemon: they share a stream, because a browser opens only six connections to a server. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { card, factsOf } from './support/facts.ts';
import type { Fixture } from './support/fixture.ts';

const TABS = 30;
/** Thirty tabs on two cores draw slowly. */
const PATIENCE_MS = 60_000;

describe.runIf(chromiumPath !== undefined)('the event stream of a browser', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'tabs');
  });
  afterAll(() => stage.close());

  test(
    'serves thirty tabs at once and passes on when the tab that holds it is closed',
    async () => {
      await using dashboard = await stage.open(factsOf([card('A-1', 'First')]));
      const { page, fixture } = dashboard;
      await page.locator('[data-card="A-1"]').waitFor();
      const others: Page[] = [];
      for (let count = 1; count < TABS; count += 1) {
        others.push(await openTab(page, fixture));
        fixture.beat();
      }
      await expect.poll(() => fixture.streamCount()).toBe(1);
      expect(fixture.followed).toHaveLength(1);

      await expectEverywhere([page, ...others], fixture, 'A-2');
      await page.close();
      await expect.poll(() => fixture.followed.length, { timeout: PATIENCE_MS }).toBe(2);
      await expectEverywhere(others, fixture, 'A-3');
      expect(fixture.streamCount()).toBe(1);
      // The new holder goes on after the last event it heard, so that none is missed in between.
      expect(fixture.followed[1]).toBe(String(fixture.facts.span.last.version + 1));
    },
    3 * PATIENCE_MS,
  );

  test('is released while no page is visible and taken up when one is seen again', async () => {
    await using dashboard = await stage.open(factsOf([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    await expect.poll(() => fixture.streamCount()).toBe(1);

    await setVisibility(page, 'hidden');
    await expect.poll(() => fixture.streamCount()).toBe(0);
    fixture.facts.cards = [card('A-2', 'While nobody looked')];
    fixture.tell('issue.sighted', { issue: 'A-2' });
    await setVisibility(page, 'visible');
    await page.locator('[data-card="A-2"]').waitFor();
    expect(fixture.streamCount()).toBe(1);
  });

  test('is passed on by a page that is hidden to one that is visible', async () => {
    await using dashboard = await stage.open(factsOf([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    const other = await openTab(page, fixture);
    await setVisibility(page, 'hidden');
    await expect.poll(() => fixture.followed.length).toBe(2);
    await expectEverywhere([other], fixture, 'A-2');
    expect(fixture.streamCount()).toBe(1);
  });

  test('is released by a page that the browser keeps in its back/forward cache', async () => {
    await using dashboard = await stage.open(factsOf([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    await page.goto('about:blank');
    await expect.poll(() => fixture.streamCount()).toBe(0);
    fixture.facts.cards = [card('A-2', 'Meanwhile')];
    await page.goBack();
    await page.locator('[data-card="A-2"]').waitFor();
    await expect.poll(() => fixture.streamCount()).toBe(1);
  });

  test('is taken from a page that hangs', async () => {
    await using dashboard = await stage.open(factsOf([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    const other = await page.context().newPage();
    await other.clock.install();
    await other.goto(`${fixture.url}/ui/`);
    await other.locator('[data-card="A-1"]').waitFor();
    // The first page sends no sign of life: its clock does not move while that of the other one does.
    await other.clock.runFor(60_000);
    await expect.poll(() => fixture.followed.length).toBe(2);
    await expect.poll(() => fixture.streamCount()).toBe(1);
  });
});

async function openTab(page: Page, fixture: Fixture): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${fixture.url}/ui/`);
  await tab.locator('[data-card="A-1"]').waitFor({ timeout: PATIENCE_MS });
  return tab;
}

async function expectEverywhere(pages: readonly Page[], fixture: Fixture, id: string): Promise<void> {
  fixture.facts.cards = [...fixture.facts.cards, card(id, `Card ${id}`)];
  fixture.tell('issue.sighted', { issue: id });
  await Promise.all(
    pages.map((page) => page.locator(`[data-card="${id}"]`).waitFor({ timeout: PATIENCE_MS })),
  );
}

/** Chromium counts every tab of a headless browser as visible. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
