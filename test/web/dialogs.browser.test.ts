/**
 * Tests every dialog with the keyboard alone. Each is accessible, traps the focus while it is open,
 * and returns the focus when it closes.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createIssueFacts } from './issue/issue-facts.ts';
import { createRunningIssue, ID } from './issue/running-issue.ts';
import { findAccessibilityViolations } from './support/accessibility.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { createBusyDay } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';
import { createFleetFacts } from './support/fleet-facts.ts';
import { createFullInbox } from './support/inbox-facts.ts';

/**
 * The accessibility checker scans the whole page for each dialog, which takes a second or two on a
 * busy machine.
 */
const MAX_TEST_MS = 90_000;
/**
 * Larger than the number of controls in any dialog, so that the focus wraps around at least once.
 */
const TABS_AROUND = 16;
/**
 * The focused element. If it is the page's body, Tab has reached the browser's own buttons, which
 * are part of the cycle.
 */
const FOCUS_IS =
  'document.activeElement === document.body ? "at nothing" : document.querySelector("dialog[open]").contains(document.activeElement) ? "in the dialog" : document.activeElement.outerHTML';
const FOCUS_NAME =
  'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()';

/**
 * A way to open a dialog from a focused element. The element gets the focus back when the dialog
 * closes.
 */
interface Way {
  /** Title of the dialog. */
  readonly dialog: string;
  /**
   * Name of the button that opens the dialog. If a key opens the dialog, this is the name of the
   * button that has the focus at that time.
   */
  readonly from: string;
  readonly key?: string;
  /** Entry of the menu that `from` opens. */
  readonly entry?: string;
}

interface DialogCase {
  readonly path: string;
  readonly facts: () => Facts;
  readonly ways: readonly Way[];
}

const MORE = 'All actions';
const DIALOGS: Readonly<Record<string, DialogCase>> = {
  'that every page offers': {
    path: '',
    facts: createBusyDay,
    ways: [
      { dialog: 'Status', from: 'Health: ' },
      { dialog: 'Keyboard', from: 'Health: ', key: '?' },
      { dialog: 'Keyboard', from: 'More', entry: 'Keyboard' },
    ],
  },
  'of an issue page': {
    path: `issues/${ID}`,
    facts: issueToApprove,
    ways: [
      { dialog: `Approve ${ID}`, from: 'Approve the specification…' },
      { dialog: 'Send a message to a worker', from: MORE, key: 'p' },
      { dialog: 'Send a message to a worker', from: 'Send a message…' },
      { dialog: `Advance ${ID}`, from: MORE, key: 'd' },
      { dialog: `Pause ${ID}`, from: MORE, entry: 'Pause…' },
      { dialog: `Dispatch a worker on ${ID}`, from: MORE, entry: 'Dispatch a worker…' },
      {
        dialog: 'Reset the crash count of implement',
        from: MORE,
        entry: 'Reset the crash count of implement…',
      },
      { dialog: 'Stop the implement worker', from: MORE, entry: 'Stop the implement worker…' },
    ],
  },
  'of the page of an issue that is Done': {
    path: `issues/${ID}`,
    facts: issueDone,
    ways: [{ dialog: `Roll back ${ID}`, from: MORE, entry: 'Roll back…' }],
  },
  'of the inbox': {
    path: 'inbox',
    facts: createFullInbox,
    ways: [
      { dialog: 'Approve the merge of DEMO-15?', from: 'Approve merge' },
      { dialog: 'Stop demo-19-test?', from: 'Stop worker…' },
    ],
  },
  'of the fleet page': {
    path: 'fleet',
    facts: createFleetFacts,
    ways: [
      {
        dialog: 'Send a message to demo-18-test',
        from: 'Actions for demo-18-test',
        entry: 'Send a message…',
      },
      {
        dialog: 'Reset the crash count of demo-18-test?',
        from: 'Actions for demo-18-test',
        entry: 'Reset crash count…',
      },
      {
        dialog: 'Stop demo-21-implement?',
        from: 'Actions for demo-21-implement',
        entry: 'Stop and hold the issue…',
      },
    ],
  },
};

describe.runIf(chromiumPath !== undefined)('focus and accessibility', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'dialogs');
  });
  afterAll(() => browser.close());

  for (const [where, { path, facts, ways }] of Object.entries(DIALOGS)) {
    test(
      `dialogs ${where} are accessible, trap the focus, close on Escape and return the focus to the element that opened them`,
      async () => {
        await using dashboard = await browser.open(facts(), { path, reducedMotion: 'reduce' });
        const { page, pageErrors } = dashboard;
        for (const way of ways) {
          const opener = await openDialog(page, way);
          expect(await findAccessibilityViolations(page), way.dialog).toEqual([]);
          expect(await tabThrough(page), way.dialog).toEqual(new Set(['in the dialog', 'at nothing']));
          await page.keyboard.press('Escape');
          await page.locator('dialog[open]').waitFor({ state: 'detached' });
          expect(await page.evaluate(FOCUS_NAME), way.dialog).toBe(opener);
          expect(await openDialog(page, way)).toBe(opener);
          await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
          await page.locator('dialog[open]').waitFor({ state: 'detached' });
          expect(await page.evaluate(FOCUS_NAME), way.dialog).toBe(opener);
        }
        expect(pageErrors).toEqual([]);
      },
      MAX_TEST_MS,
    );
  }

  test('dialogs keep the focus on the pressed button while the daemon is slow and after it refuses the action', async () => {
    await using dashboard = await browser.open(issueToApprove(), { path: `issues/${ID}` });
    const { page, fixture } = dashboard;
    const route = `POST /issues/${ID}/pause`;
    fixture.refuse(route, { status: 503, code: 'tracker.busy', message: 'It is held.', next: 'Try again.' });
    const answer = fixture.hold(route);
    await openDialog(page, { dialog: `Pause ${ID}`, from: MORE, entry: 'Pause…' });
    const pause = page.getByRole('dialog').getByRole('button', { name: 'Pause' });
    await pause.press('Enter');
    await pause.and(page.locator('[aria-busy]')).waitFor();
    expect(await page.evaluate(FOCUS_NAME)).toBe('Pause');
    // Pressing the key again must have no effect.
    await page.keyboard.press('Enter');
    answer();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.evaluate(FOCUS_NAME)).toBe('Pause');
    expect(fixture.requests).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(await page.evaluate(FOCUS_NAME)).toBe(MORE);
    expect(fixture.requests.map(({ route: asked }) => asked)).toEqual([route]);
  });

  test('dialogs that ask for confirmation return the focus to the element that opened them, both during the action and afterwards', async () => {
    await using dashboard = await browser.open(issueToApprove(), { path: `issues/${ID}` });
    const { page, fixture } = dashboard;
    const answer = fixture.hold(`POST /issues/${ID}/approve`);
    await openDialog(page, { dialog: `Approve ${ID}`, from: 'Approve the specification…' });
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

  test('the field for a new issue is accessible, closes on Escape and returns the focus to the button that opened it', async () => {
    await using dashboard = await browser.open(createBusyDay(), { reducedMotion: 'reduce' });
    const { page } = dashboard;
    const button = page.getByRole('button', { name: 'Add an issue to Todo' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.locator('.quick-add').getByRole('button', { name: 'Close' }).press('Enter'),
    ]) {
      await button.press('Enter');
      expect(await page.evaluate(FOCUS_NAME)).toBe('Title of the new issue in Todo');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await close();
      await page.locator('.quick-add').waitFor({ state: 'detached' });
      expect(await page.evaluate(FOCUS_NAME)).toBe('Add an issue to Todo');
    }
  });
});

/** Opens the dialog. Resolves to the name of the element that had the focus before. */
async function openDialog(page: Page, { dialog, from, key, entry }: Way): Promise<unknown> {
  const button = page.getByRole('button', { name: from, disabled: false }).first();
  await button.focus();
  const opener = await page.evaluate(FOCUS_NAME);
  await page.keyboard.press(key ?? 'Enter');
  if (entry !== undefined) await page.getByRole('menuitem', { name: entry }).press('Enter');
  await page.getByRole('dialog', { name: dialog }).waitFor();
  return opener;
}

/** Collects the elements that Tab reaches, forwards and backwards. */
async function tabThrough(page: Page): Promise<ReadonlySet<unknown>> {
  const seen = new Set([await page.evaluate(FOCUS_IS)]);
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < TABS_AROUND; step += 1) {
      await page.keyboard.press(key);
      seen.add(await page.evaluate(FOCUS_IS));
    }
  }
  return seen;
}

function issueToApprove(): Facts {
  const facts = createRunningIssue();
  facts.issue = { ...facts.issue, labels: ['needs-approval'] };
  return createIssueFacts(facts);
}

function issueDone(): Facts {
  const facts = createRunningIssue();
  facts.issue = { ...facts.issue, status: 'Done', column: 'Done' };
  return createIssueFacts(facts);
}
