/** The status dialog, and the switch that lets no more workers start, in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';

const WHY = 'starts were paused by operator';

describe.runIf(chromiumPath !== undefined)('the health of the legion', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'health');
  });
  afterAll(() => stage.close());

  test('has a switch that starts no more workers, and one that starts them again, by keyboard alone', async () => {
    await using dashboard = await stage.open(pausable());
    const { page, fixture, complaints } = dashboard;
    const health = page.getByRole('button', { name: /^Health: / });
    await page.getByText('6 of 10 workers').waitFor();
    await health.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Status' });
    await dialog.getByRole('status').getByText('allowed').waitFor();

    const pause = dialog.getByRole('button', { name: 'Start no more workers' });
    await pause.press('Enter');
    await dialog.getByRole('status').getByText(WHY).waitFor();
    const resume = dialog.getByRole('button', { name: 'Start workers again' });
    // The same button, which did not lose the focus while it was busy.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Start workers again');
    await page.keyboard.press('Escape');
    await page.getByText('starts paused · 6 of 10 workers').waitFor();
    expect(fixture.asked).toEqual([{ route: 'POST /pause', body: {} }]);

    await health.press('Enter');
    await resume.press('Enter');
    await dialog.getByRole('status').getByText('allowed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('starts paused').waitFor({ state: 'detached' });
    expect(fixture.asked.slice(1)).toEqual([{ route: 'POST /resume', body: {} }]);
    expect(complaints).toEqual([]);
  });

  test('halts everything only after asking, says on every page who did, and resumes there', async () => {
    await using dashboard = await stage.open(pausable());
    const { page, fixture, complaints } = dashboard;
    const choose = async () => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Halt everything …' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Halt the legion?' });
    await choose();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(fixture.asked).toEqual([]);
    await choose();
    await dialog.getByRole('button', { name: 'Halt everything' }).click();
    const banner = page.getByRole('status').filter({ hasText: 'Halted.' });
    await banner.getByText('halted by ada: the bill').waitFor();
    await page.getByText('halted · 6 of 10 workers').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await banner.getByRole('button', { name: 'Resume the legion' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(fixture.asked).toEqual([
      { route: 'POST /halt', body: {} },
      { route: 'POST /resume', body: {} },
    ]);
    expect(complaints).toEqual([]);
  });

  test('says in the dialog itself why nothing was changed, and what to do', async () => {
    await using dashboard = await stage.open(pausable());
    const { page, fixture } = dashboard;
    fixture.refuse('POST /pause', {
      status: 503,
      code: 'journal.busy',
      message: 'Another process holds the journal.',
      next: 'Try again in a moment.',
    });
    await page.getByRole('button', { name: /^Health: / }).click();
    const dialog = page.getByRole('dialog', { name: 'Status' });
    await dialog.getByRole('button', { name: 'Start no more workers' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('Another process holds the journal.').waitFor();
    for (const part of ['Try again in a moment.', 'journal.busy'])
      expect(await alert.textContent()).toContain(part);
    await dialog.getByRole('button', { name: 'Start no more workers' }).click();
    await dialog.getByRole('status').getByText(WHY).waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  test('shows what troubles the daemon, with the next step', async () => {
    const facts = pausable();
    const trouble = {
      code: 'config.invalid',
      message: 'legion.yaml was refused.',
      next: 'Mend line 3.',
      since: Date.now() - 60_000,
    };
    facts.health = { ...facts.health, troubles: [trouble] };
    await using dashboard = await stage.open(facts);
    const { page } = dashboard;
    await page.getByRole('button', { name: /1 problem · 6 of 10 workers/ }).click();
    const text = await page.getByRole('dialog', { name: 'Status' }).textContent();
    for (const part of ['legion.yaml was refused.', 'Mend line 3.', 'config.invalid'])
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

/** Pausing does in it what it does in a daemon. */
function pausable(): Facts {
  const facts = busyDay();
  facts.answers = (route) => {
    const starts = STARTS[route];
    if (starts === undefined) return undefined;
    facts.health = { ...facts.health, starts };
    return { says: starts.allowed ? 'Workers are started again.' : 'No worker is started.' };
  };
  return facts;
}
