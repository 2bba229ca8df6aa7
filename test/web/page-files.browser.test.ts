/**
 * Tests in a real browser a page whose files fail to load, because the daemon is down or was
 * upgraded.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { createFullInbox } from './support/inbox-facts.ts';

describe.runIf(chromiumPath !== undefined)('a page whose files fail to load', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'page-files');
  });
  afterAll(() => browser.close());

  const openBoard = async () => {
    const dashboard = await browser.open(createFullInbox());
    await dashboard.page.getByRole('link', { name: 'Inbox' }).waitFor();
    return dashboard;
  };

  test('reports that the daemon is not running, and opens automatically when it is back', async () => {
    await using dashboard = await openBoard();
    const { page, fixture } = dashboard;
    fixture.setUnreachable(true);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'The daemon is not running' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/broke|preload|Failed to fetch/);
    expect(fixture.documentCount()).toBe(1);
    fixture.setUnreachable(false);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/inbox');
    // Checks that the page's style sheet has loaded too, not only its script.
    const display = 'getComputedStyle(document.querySelector(".inbox-head")).display';
    expect(await page.evaluate(display)).toBe('flex');
  });

  test('reloads once after a daemon upgrade, and opens', async () => {
    await using dashboard = await openBoard();
    const { page, fixture } = dashboard;
    fixture.loseFiles('reload');
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    expect(fixture.documentCount()).toBe(2);
  });

  test('reports missing files instead of reloading forever', async () => {
    await using dashboard = await openBoard();
    const { page, fixture } = dashboard;
    fixture.loseFiles('forever');
    await page.getByRole('link', { name: 'Fleet' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    expect(fixture.documentCount()).toBe(2);
  });
});
