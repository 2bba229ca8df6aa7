/** Tests login, logout and reconnection in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { card, createBusyDay, createFacts } from './support/facts.ts';

describe.runIf(chromiumPath !== undefined)('a page of the dashboard', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'session');
  });
  afterAll(() => browser.close());

  test('stays logged in after a reload without a login code', async () => {
    await using dashboard = await browser.open(createBusyDay());
    await dashboard.page.locator('[data-card]').first().waitFor();
    await dashboard.page.reload();
    await dashboard.page.locator('[data-card]').first().waitFor();
  });

  test('explains how to log in if there is no session, and reports a login link that was already used as expired', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    fixture.expire();
    await page.goto('about:blank');
    await page.goto(`${fixture.url}/ui/#enter=used-before`);
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    expect(await page.getByText('legion open').count()).toBeGreaterThan(0);
    await page.evaluate('localStorage.clear()');
    await page.goto(`${fixture.url}/ui/`);
    await page.getByRole('heading', { name: 'Open the dashboard from a terminal' }).waitFor();
  });

  test('reports without a click that its session has expired, and recovers when another tab logs in', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    fixture.expire();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${fixture.url}/ui/#enter=${fixture.code()}`);
    await other.locator('[data-card]').first().waitFor();
    await page.locator('[data-card]').first().waitFor();
  });

  test('ends its session on logout', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
    expect(fixture.requests.map(({ route }) => route)).toEqual(['DELETE /session']);
    expect(await page.evaluate('localStorage.getItem("legion.key")')).toBeNull();
  });

  test('shows a banner while the daemon is unreachable, and catches up afterwards without a new login', async () => {
    await using dashboard = await browser.open(createFacts([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    fixture.setUnreachable(true);
    await page.getByText('Reconnecting.').waitFor();
    await page.locator('[data-card="A-1"]').waitFor();
    fixture.facts.cards = [...fixture.facts.cards, card('A-2', 'Second')];
    fixture.setUnreachable(false);
    await page.locator('[data-card="A-2"]').waitFor();
    await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
  });

  test("shows in the tab's title and icon how many items need a person", async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page } = dashboard;
    await expect.poll(() => page.title()).toBe('(4) Board · invoices');
    const picture = await page.evaluate('document.querySelector("link[rel=icon]").href');
    expect(decodeURIComponent(String(picture))).toContain('>4</text>');
  });

  test('keeps the chosen colour theme', async () => {
    await using dashboard = await browser.open(createBusyDay(), { colorScheme: 'light' });
    const { page } = dashboard;
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.locator('[data-card]').first().waitFor();
    const light = await background();
    await page.getByRole('button', { name: /^Colours/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await background()).not.toBe(light);
    await page.reload();
    await page.locator('[data-card]').first().waitFor();
    expect(await background()).not.toBe(light);
  });

  test('opens the list of keyboard shortcuts on a question mark, and closes it on Escape', async () => {
    await using dashboard = await browser.open(createBusyDay());
    const { page } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Move the card to…').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });
});
