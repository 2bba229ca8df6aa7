/** A page whose files do not arrive, in a real browser: the daemon is down, or was upgraded meanwhile. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { fullInbox } from './support/inbox-facts.ts';

describe.runIf(chromiumPath !== undefined)('a page whose files do not arrive', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'page-files');
  });
  afterAll(() => stage.close());

  const openBoard = async () => {
    const dashboard = await stage.open(fullInbox());
    await dashboard.page.getByRole('link', { name: 'Inbox' }).waitFor();
    return dashboard;
  };

  test('says that the daemon is not running, and opens by itself when it is back', async () => {
    await using dashboard = await openBoard();
    const { page, fixture } = dashboard;
    fixture.away(true);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'The daemon is not running' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/broke|preload|Failed to fetch/);
    expect(fixture.documentCount()).toBe(1);
    fixture.away(false);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/inbox');
    // Its own style sheet is there too, not only its script.
    const display = 'getComputedStyle(document.querySelector(".inbox-head")).display';
    expect(await page.evaluate(display)).toBe('flex');
  });

  test('of a daemon that was upgraded is loaded again once, and opens', async () => {
    await using dashboard = await openBoard();
    const { page, fixture } = dashboard;
    fixture.loseFiles('reload');
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    expect(fixture.documentCount()).toBe(2);
  });

  test('that stays incomplete says so instead of reloading for ever', async () => {
    await using dashboard = await openBoard();
    const { page, fixture } = dashboard;
    fixture.loseFiles('forever');
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    expect(fixture.documentCount()).toBe(2);
  });
});
