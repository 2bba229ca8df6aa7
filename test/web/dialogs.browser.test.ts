/** Every dialog, by keyboard alone: nobody is shut out of it, it keeps the focus while it is open, and gives it back when it closes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { dayOf } from './issue/issue-facts.ts';
import { ID, issueAtWork } from './issue/running-issue.ts';
import { barriersOn } from './support/accessibility.ts';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';
import { dayOfFleet } from './support/fleet-facts.ts';
import { fullInbox } from './support/inbox-facts.ts';

/** The checker looks at the whole page for each dialog, for a second or two on a busy machine. */
const MANY_LOOKS_MS = 90_000;
/** More than any dialog has to offer, so that the focus goes round at least once. */
const ROUND_TABS = 16;
/** At nothing of the page are the browser's own buttons, which belong to the round. */
const FOCUS_IS =
  'document.activeElement === document.body ? "at nothing" : document.querySelector("dialog[open]").contains(document.activeElement) ? "in the dialog" : document.activeElement.outerHTML';
const FOCUS_NAME =
  'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()';

/** How it is opened, from a focused element that is then to get the focus back. */
interface Way {
  /** Its title. */
  readonly dialog: string;
  /** The name of the button that opens it, or of one that has the focus when a key does. */
  readonly from: string;
  readonly key?: string;
  /** Of the menu behind `from`. */
  readonly entry?: string;
}

interface Place {
  readonly path: string;
  readonly facts: () => Facts;
  readonly ways: readonly Way[];
}

const MORE = 'All actions';
const PLACES: Readonly<Record<string, Place>> = {
  'around every page': {
    path: '',
    facts: busyDay,
    ways: [
      { dialog: 'Status', from: 'Health: ' },
      { dialog: 'Keyboard', from: 'Health: ', key: '?' },
      { dialog: 'Keyboard', from: 'More', entry: 'Keyboard' },
    ],
  },
  'of an issue': {
    path: `issues/${ID}`,
    facts: issueToApprove,
    ways: [
      { dialog: `Approve ${ID}`, from: 'Approve the specification…' },
      { dialog: 'Say something to a worker', from: MORE, key: 'p' },
      { dialog: 'Say something to a worker', from: 'Say something…' },
      { dialog: `Advance ${ID}`, from: MORE, key: 'd' },
      { dialog: `Pause ${ID}`, from: MORE, entry: 'Pause…' },
      { dialog: `Dispatch a worker on ${ID}`, from: MORE, entry: 'Dispatch a worker…' },
      { dialog: 'Clear the crashes of implement', from: MORE, entry: 'Clear the crashes of implement…' },
      { dialog: 'Stop the implement worker', from: MORE, entry: 'Stop the implement worker…' },
    ],
  },
  'of an issue that is done': {
    path: `issues/${ID}`,
    facts: issueDone,
    ways: [{ dialog: `Roll ${ID} back`, from: MORE, entry: 'Roll back…' }],
  },
  'of the inbox': {
    path: 'inbox',
    facts: fullInbox,
    ways: [
      { dialog: 'Approve the merge of DEMO-15?', from: 'Approve the merge' },
      { dialog: 'Stop demo-19-test?', from: 'Stop it …' },
    ],
  },
  'of the fleet': {
    path: 'fleet',
    facts: dayOfFleet,
    ways: [
      {
        dialog: 'Say something to demo-18-test',
        from: 'Actions for demo-18-test',
        entry: 'Say something to it …',
      },
      {
        dialog: 'Forget the crashes of demo-18-test?',
        from: 'Actions for demo-18-test',
        entry: 'Forget its crashes …',
      },
      {
        dialog: 'Stop demo-21-implement?',
        from: 'Actions for demo-21-implement',
        entry: 'Stop it and hold its issue …',
      },
    ],
  },
};

describe.runIf(chromiumPath !== undefined)('the dialogs', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'dialogs');
  });
  afterAll(() => stage.close());

  for (const [where, { path, facts, ways }] of Object.entries(PLACES)) {
    test(
      `${where} shut nobody out, keep the focus, close by Escape and give it back`,
      async () => {
        await using dashboard = await stage.open(facts(), { path, reducedMotion: 'reduce' });
        const { page, complaints } = dashboard;
        for (const way of ways) {
          const opener = await opened(page, way);
          expect(await barriersOn(page), way.dialog).toEqual([]);
          expect(await focusRound(page), way.dialog).toEqual(new Set(['in the dialog', 'at nothing']));
          await page.keyboard.press('Escape');
          await page.locator('dialog[open]').waitFor({ state: 'detached' });
          expect(await page.evaluate(FOCUS_NAME), way.dialog).toBe(opener);
          expect(await opened(page, way)).toBe(opener);
          await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
          await page.locator('dialog[open]').waitFor({ state: 'detached' });
          expect(await page.evaluate(FOCUS_NAME), way.dialog).toBe(opener);
        }
        expect(complaints).toEqual([]);
      },
      MANY_LOOKS_MS,
    );
  }

  test('keep the focus where the daemon takes its time and where it refuses', async () => {
    await using dashboard = await stage.open(issueToApprove(), { path: `issues/${ID}` });
    const { page, fixture } = dashboard;
    const route = `POST /issues/${ID}/pause`;
    fixture.refuse(route, { status: 503, code: 'tracker.busy', message: 'It is held.', next: 'Try again.' });
    const answer = fixture.hold(route);
    await opened(page, { dialog: `Pause ${ID}`, from: MORE, entry: 'Pause…' });
    const pause = page.getByRole('dialog').getByRole('button', { name: 'Pause' });
    await pause.press('Enter');
    await pause.and(page.locator('[aria-busy]')).waitFor();
    expect(await page.evaluate(FOCUS_NAME)).toBe('Pause');
    // Once is enough, however often it is pressed.
    await page.keyboard.press('Enter');
    answer();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.evaluate(FOCUS_NAME)).toBe('Pause');
    expect(fixture.asked).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(await page.evaluate(FOCUS_NAME)).toBe(MORE);
    expect(fixture.asked.map(({ route: asked }) => asked)).toEqual([route]);
  });

  test('that ask a question leave the focus at who asked it, while it is done and afterwards', async () => {
    await using dashboard = await stage.open(issueToApprove(), { path: `issues/${ID}` });
    const { page, fixture } = dashboard;
    const answer = fixture.hold(`POST /issues/${ID}/approve`);
    await opened(page, { dialog: `Approve ${ID}`, from: 'Approve the specification…' });
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter');
    await page
      .getByRole('button', { name: 'Approve the specification…' })
      .and(page.locator('[aria-busy]'))
      .waitFor();
    expect(await page.evaluate(FOCUS_NAME)).toBe('Approve the specification…');
    answer();
    await page.getByText(`Done: POST /issues/${ID}/approve`).waitFor();
    expect(await page.evaluate(FOCUS_NAME)).toBe('Approve the specification…');
  });

  test('have a sister in the field for a new issue: no barrier, Escape closes it, the focus goes back', async () => {
    await using dashboard = await stage.open(busyDay(), { reducedMotion: 'reduce' });
    const { page } = dashboard;
    const button = page.getByRole('button', { name: 'Add an issue to Todo' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.locator('.quick-add').getByRole('button', { name: 'Close' }).press('Enter'),
    ]) {
      await button.press('Enter');
      expect(await page.evaluate(FOCUS_NAME)).toBe('Title of the new issue in Todo');
      expect(await barriersOn(page)).toEqual([]);
      await close();
      await page.locator('.quick-add').waitFor({ state: 'detached' });
      expect(await page.evaluate(FOCUS_NAME)).toBe('Add an issue to Todo');
    }
  });
});

/** Resolves to the name of what has the focus before. */
async function opened(page: Page, { dialog, from, key, entry }: Way): Promise<unknown> {
  const button = page.getByRole('button', { name: from, disabled: false }).first();
  await button.focus();
  const opener = await page.evaluate(FOCUS_NAME);
  await page.keyboard.press(key ?? 'Enter');
  if (entry !== undefined) await page.getByRole('menuitem', { name: entry }).press('Enter');
  await page.getByRole('dialog', { name: dialog }).waitFor();
  return opener;
}

/** Where Tab leads, forwards and back again. */
async function focusRound(page: Page): Promise<ReadonlySet<unknown>> {
  const seen = new Set([await page.evaluate(FOCUS_IS)]);
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < ROUND_TABS; step += 1) {
      await page.keyboard.press(key);
      seen.add(await page.evaluate(FOCUS_IS));
    }
  }
  return seen;
}

function issueToApprove(): Facts {
  const facts = issueAtWork();
  facts.issue = { ...facts.issue, labels: ['needs-approval'] };
  return dayOf(facts);
}

function issueDone(): Facts {
  const facts = issueAtWork();
  facts.issue = { ...facts.issue, status: 'Done', column: 'Done' };
  return dayOf(facts);
}
