/** Entering, leaving and staying connected, in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay, card, factsOf } from './support/facts.ts';

describe.runIf(chromiumPath !== undefined)('the session of a page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'session');
  });
  afterAll(() => stage.close());

  test('survives a reload without a code', async () => {
    await using dashboard = await stage.open(busyDay());
    await dashboard.page.locator('[data-card]').first().waitFor();
    await dashboard.page.reload();
    await dashboard.page.locator('[data-card]').first().waitFor();
  });

  test('says how to come in where there is none, and that a used link is used', async () => {
    await using dashboard = await stage.open(busyDay());
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

  test('that is over is said without a click, and a new one in another tab heals this one', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    fixture.expire();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${fixture.url}/ui/#enter=${fixture.code()}`);
    await other.locator('[data-card]').first().waitFor();
    await page.locator('[data-card]').first().waitFor();
  });

  test('ends when the person leaves', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
    expect(fixture.asked.map(({ route }) => route)).toEqual(['DELETE /session']);
    expect(await page.evaluate('localStorage.getItem("legion.key")')).toBeNull();
  });

  test('outlives the daemon: a banner while it is away, and what happened meanwhile afterwards', async () => {
    await using dashboard = await stage.open(factsOf([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    fixture.away(true);
    await page.getByText('Reconnecting.').waitFor();
    await page.locator('[data-card="A-1"]').waitFor();
    fixture.facts.cards = [...fixture.facts.cards, card('A-2', 'Second')];
    fixture.away(false);
    await page.locator('[data-card="A-2"]').waitFor();
    await page.getByText('Reconnecting.').waitFor({ state: 'detached' });
  });

  test('tells of what needs a person in the title and the picture of the tab', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page } = dashboard;
    await expect.poll(() => page.title()).toBe('(4) Board · invoices');
    const picture = await page.evaluate('document.querySelector("link[rel=icon]").href');
    expect(decodeURIComponent(String(picture))).toContain('>4</text>');
  });

  test('keeps the colours a person chose', async () => {
    await using dashboard = await stage.open(busyDay(), { colorScheme: 'light' });
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

  test('lists its keys behind a question mark, and closes by Escape', async () => {
    await using dashboard = await stage.open(busyDay());
    const { page } = dashboard;
    await page.locator('[data-card]').first().waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Move the card to …').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });
});
