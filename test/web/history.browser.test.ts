/** The board of the past, in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay, card } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';

describe.runIf(chromiumPath !== undefined)('the history', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'history');
  });
  afterAll(() => stage.close());

  test('shows the board of a moment, says that it is the past, and offers no change', async () => {
    const facts = long();
    await using dashboard = await stage.open(facts, { path: `?at=${facts.span.first.at + 1_000}` });
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

  test('is reached by the slider from the keyboard, stepped by events, and left by Escape', async () => {
    await using dashboard = await stage.open(long());
    const { page } = dashboard;
    const slider = page.getByRole('slider', { name: 'Moment of the board' });
    await page.locator('[data-card="DEMO-31"]').waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toBe('now');
    await slider.press('Home');
    await page.locator('[data-card="OLD-1"]').waitFor();
    await page.getByRole('button', { name: 'One event on' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe('2');
    await page.keyboard.press('Escape');
    await page.locator('[data-card="DEMO-31"]').waitFor();
  });

  test('plays from the beginning until it is stopped', async () => {
    const facts = long();
    await using dashboard = await stage.open(facts);
    const { page } = dashboard;
    await page.locator('[data-card="DEMO-31"]').waitFor();
    await page.getByRole('button', { name: 'Play the history' }).click();
    await page.locator('[data-card="OLD-1"]').waitFor();
    const at = () => Number(new URL(page.url()).searchParams.get('at'));
    await expect.poll(at).toBeGreaterThan(Math.round(facts.span.first.at));
    await page.getByRole('button', { name: 'Stop playing' }).click();
    await page.getByRole('button', { name: 'Play the history' }).waitFor();
  });

  test('shows one time for one position of the slider, in the banner and beside it', async () => {
    const facts = long();
    const { first, last } = facts.span;
    const msPerEvent = (last.at - first.at) / (last.version - first.version);
    // Between two events, almost a whole interval after the earlier one.
    const at = Math.round(first.at + 10.9 * msPerEvent);
    await using dashboard = await stage.open(facts, { path: `?at=${at}` });
    const { page } = dashboard;
    await page.locator('[data-card="OLD-1"]').waitFor();
    const inBanner = (await page.locator('.past-banner .number').textContent()) ?? '';
    const besideSlider = (await page.locator('.timeline-now .number').textContent()) ?? 'nothing';
    expect(inBanner).toContain(besideSlider);
    const slider = page.getByRole('slider', { name: 'Moment of the board' });
    expect(inBanner).toContain(await slider.getAttribute('aria-valuetext'));
  });

  test('stays as it was while the present goes on', async () => {
    const facts = long();
    await using dashboard = await stage.open(facts, { path: `?at=${facts.span.first.at + 1_000}` });
    const { page, fixture } = dashboard;
    await page.locator('[data-card="OLD-1"]').waitFor();
    fixture.facts.past = () => [card('WRONG-1', 'Asked for again')];
    fixture.tell('issue.sighted', { issue: 'OLD-1' });
    // Longer than the pause after which an event has anything asked for again.
    await page.waitForTimeout(1_500);
    expect(await page.locator('[data-card="OLD-1"]').count()).toBe(1);
  });
});

function long(): Facts {
  return { ...busyDay(), past: () => [card('OLD-1', 'As it was', { status: 'Triage' })] };
}
