/** Tests the board's history in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { card, createBusyDay } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';

describe.runIf(chromiumPath !== undefined)('board history', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'history');
  });
  afterAll(() => browser.close());

  test('shows the board at a past moment, marks it as the past, and offers no changes', async () => {
    const facts = long();
    await using dashboard = await browser.open(facts, { path: `?at=${facts.span.first.at + 1_000}` });
    const { page } = dashboard;
    await page.getByText('You are viewing the past').waitFor();
    await page.locator('[data-card="OLD-1"]').waitFor();
    expect(await page.locator('[data-card]').count()).toBe(1);
    expect(await page.getByRole('button', { name: /^(Add an issue|Actions for)/ }).count()).toBe(0);
    expect(await page.locator('[draggable=true]').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.locator('[data-card="DEMO-31"]').waitFor();
    expect(page.url()).toBe(`${dashboard.fixture.url}/ui/`);
  });

  test('can be opened by moving the slider with the keyboard, stepped through event by event, and closed with Escape', async () => {
    await using dashboard = await browser.open(long());
    const { page } = dashboard;
    const slider = page.getByRole('slider', { name: 'Time shown on the board' });
    await page.locator('[data-card="DEMO-31"]').waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toBe('now');
    await slider.press('Home');
    await page.locator('[data-card="OLD-1"]').waitFor();
    await page.getByRole('button', { name: 'One event forward' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe('2');
    await page.keyboard.press('Escape');
    await page.locator('[data-card="DEMO-31"]').waitFor();
  });

  test('plays from the beginning until it is stopped', async () => {
    const facts = long();
    await using dashboard = await browser.open(facts);
    const { page } = dashboard;
    await page.locator('[data-card="DEMO-31"]').waitFor();
    await page.getByRole('button', { name: 'Play the history' }).click();
    await page.locator('[data-card="OLD-1"]').waitFor();
    const at = () => Number(new URL(page.url()).searchParams.get('at'));
    await expect.poll(at).toBeGreaterThan(Math.round(facts.span.first.at));
    await page.getByRole('button', { name: 'Stop playing' }).click();
    await page.getByRole('button', { name: 'Play the history' }).waitFor();
  });

  test('shows the same time in the banner and beside the slider', async () => {
    const facts = long();
    const { first, last } = facts.span;
    const msPerEvent = (last.at - first.at) / (last.version - first.version);
    // A moment between two events, close to the later one.
    const at = Math.round(first.at + 10.9 * msPerEvent);
    await using dashboard = await browser.open(facts, { path: `?at=${at}` });
    const { page } = dashboard;
    await page.locator('[data-card="OLD-1"]').waitFor();
    const inBanner = (await page.locator('.past-banner .number').textContent()) ?? '';
    const besideSlider = (await page.locator('.timeline-now .number').textContent()) ?? 'nothing';
    expect(inBanner).toContain(besideSlider);
    const slider = page.getByRole('slider', { name: 'Time shown on the board' });
    expect(inBanner).toContain(await slider.getAttribute('aria-valuetext'));
  });

  test('does not change when new events arrive', async () => {
    const facts = long();
    await using dashboard = await browser.open(facts, { path: `?at=${facts.span.first.at + 1_000}` });
    const { page, fixture } = dashboard;
    await page.locator('[data-card="OLD-1"]').waitFor();
    fixture.facts.past = () => [card('WRONG-1', 'Asked for again')];
    fixture.emitEvent('issue.sighted', { issue: 'OLD-1' });
    // Waits longer than the throttle that delays a refetch after an event.
    await page.waitForTimeout(1_500);
    expect(await page.locator('[data-card="OLD-1"]').count()).toBe(1);
  });
});

function long(): Facts {
  return { ...createBusyDay(), past: () => [card('OLD-1', 'As it was', { status: 'Triage' })] };
}
