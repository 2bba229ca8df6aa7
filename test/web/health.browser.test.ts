/** Tests the status dialog and the switch that pauses starts, in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { createBusyDay } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';

const WHY = 'starts were paused by operator';

describe.runIf(chromiumPath !== undefined)('legion health and controls', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'health');
  });
  afterAll(() => browser.close());

  test('pauses and resumes starts by keyboard alone', async () => {
    await using dashboard = await browser.open(pausable());
    const { page, fixture, pageErrors } = dashboard;
    const health = page.getByRole('button', { name: /^Health: / });
    await page.getByText('6 of 10 workers').waitFor();
    await health.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Status' });
    await dialog.getByRole('status').getByText('allowed').waitFor();

    const pause = dialog.getByRole('button', { name: 'Pause starts' });
    await pause.press('Enter');
    await dialog.getByRole('status').getByText(WHY).waitFor();
    const resume = dialog.getByRole('button', { name: 'Resume starts' });
    // It is still the same button, with a new label, and it kept the focus while it was busy.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Resume starts');
    await page.keyboard.press('Escape');
    await page.getByText('starts paused · 6 of 10 workers').waitFor();
    expect(fixture.requests).toEqual([{ route: 'POST /pause', body: {} }]);

    await health.press('Enter');
    await resume.press('Enter');
    await dialog.getByRole('status').getByText('allowed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('starts paused').waitFor({ state: 'detached' });
    expect(fixture.requests.slice(1)).toEqual([{ route: 'POST /resume', body: {} }]);
    expect(pageErrors).toEqual([]);
  });

  test('halts the legion only after confirmation; a banner on every page shows who halted it, and can resume it', async () => {
    await using dashboard = await browser.open(pausable());
    const { page, fixture, pageErrors } = dashboard;
    const choose = async () => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Halt everything…' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Halt the legion?' });
    await choose();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(fixture.requests).toEqual([]);
    await choose();
    await dialog.getByRole('button', { name: 'Halt everything' }).click();
    const banner = page.getByRole('status').filter({ hasText: 'Halted.' });
    await banner.getByText('halted by ada: the bill').waitFor();
    await page.getByText('halted · 6 of 10 workers').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await banner.getByRole('button', { name: 'Resume the legion' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(fixture.requests).toEqual([
      { route: 'POST /halt', body: {} },
      { route: 'POST /resume', body: {} },
    ]);
    expect(pageErrors).toEqual([]);
  });

  test('shows in the dialog why a change failed, and the next step', async () => {
    await using dashboard = await browser.open(pausable());
    const { page, fixture } = dashboard;
    fixture.refuse('POST /pause', {
      status: 503,
      code: 'journal.busy',
      message: 'Another process holds the journal.',
      next: 'Try again in a moment.',
    });
    await page.getByRole('button', { name: /^Health: / }).click();
    const dialog = page.getByRole('dialog', { name: 'Status' });
    await dialog.getByRole('button', { name: 'Pause starts' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('Another process holds the journal.').waitFor();
    for (const part of ['Try again in a moment.', 'journal.busy'])
      expect(await alert.textContent()).toContain(part);
    await dialog.getByRole('button', { name: 'Pause starts' }).click();
    await dialog.getByRole('status').getByText(WHY).waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  test("shows the daemon's active problems with their next steps", async () => {
    const facts = pausable();
    const trouble = {
      code: 'config.invalid',
      message: 'legion.yaml was refused.',
      next: 'Fix line 3.',
      since: Date.now() - 60_000,
    };
    facts.health = { ...facts.health, troubles: [trouble] };
    await using dashboard = await browser.open(facts);
    const { page } = dashboard;
    await page.getByRole('button', { name: /1 problem · 6 of 10 workers/ }).click();
    const text = await page.getByRole('dialog', { name: 'Status' }).textContent();
    for (const part of ['legion.yaml was refused.', 'Fix line 3.', 'config.invalid'])
      expect(text).toContain(part);
  });
});

const STARTS: Readonly<Record<string, Facts['health']['starts']>> = {
  'POST /pause': { allowed: false, why: WHY },
  'POST /resume': { allowed: true },
  'POST /halt': {
    allowed: false,
    kind: 'halt',
    by: 'ada',
    why: 'halted by ada: the bill',
    since: Date.now(),
  },
};

/** Data of a legion whose starts can be paused and resumed as in a real daemon. */
function pausable(): Facts {
  const facts = createBusyDay();
  facts.answerRoute = (route) => {
    const starts = STARTS[route];
    if (starts === undefined) return undefined;
    facts.health = { ...facts.health, starts };
    return { says: starts.allowed ? 'Workers can start again.' : 'No workers can start.' };
  };
  return facts;
}
