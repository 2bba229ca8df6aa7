/**
 * Tests a person's actions on an issue's page with a real daemon that starts nothing by itself.
 * Checks the effects both on the page and in the daemon's state.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { NewIssueRequest } from '../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../src/protocol/endpoints/issues.ts';
import type { AdvanceAnswer } from '../../../src/protocol/operator.ts';
import { AUTO_MERGE_FILES } from '../../e2e/support/legion.ts';
import { git } from '../../ports/forge/git.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { until } from '../../support/running-daemon.ts';
import { findCard, setUpDashboard } from './dashboard-legion.ts';

const CLEAR: Partial<NewIssueRequest> = {
  body: 'The library should export a function that greets a person by name; an empty name must be refused.',
  labels: ['chore'],
};
/** Maximum wait for a condition. On an idle machine, each condition is met within seconds. */
const MAX_WAIT_MS = 90_000;
const RECORD_ANNOUNCEMENTS = 'I got the message and will look again.';

describe.runIf(chromiumPath !== undefined)('person on an issue page', () => {
  const suite = setUpDashboard({
    yaml: 'auto_advance: false\n',
    files: AUTO_MERGE_FILES,
    scenario: [
      {
        title: 'listens',
        mode: 'plan',
        purpose: 'operator',
        steps: [{ say: RECORD_ANNOUNCEMENTS }, { done: 'looked' }],
      },
      // The rules cover the first two attempts. From the third attempt on, the worker behaves
      // normally.
      { title: 'breaks', attempt: 1, steps: [{ crash: 1 }] },
      { title: 'breaks', attempt: 2, steps: [{ crash: 1 }] },
    ],
  });

  /** Opens the page of a new issue and waits until actions are available. */
  async function openIssue(issue: Partial<NewIssueRequest>) {
    const id = await suite.add({ ...CLEAR, ...issue });
    const visit = await suite.visit(`/ui/issues/${id}`);
    await ready(visit.page);
    return { id, visit };
  }
  const detail = (id: string) => suite.daemon.get<IssueDetail>(`/issues/${id}`);
  const untilIssue = (id: string, wanted: (seen: IssueDetail) => boolean) =>
    until(() => detail(id), wanted, MAX_WAIT_MS);
  const journalOf = async (id: string): Promise<Event[]> =>
    (await suite.daemon.events()).filter((event) =>
      JSON.stringify(event).toLowerCase().includes(id.toLowerCase()),
    );

  test('dispatches a worker with instructions and then sends it a message; the worker receives both texts', async () => {
    const { id, visit } = await openIssue({ title: 'One that listens', status: 'Todo' });
    await using _ = visit;
    const { page, pageErrors } = visit;
    await page.keyboard.press('Shift+D');
    const dispatch = page.getByRole('dialog', { name: `Dispatch a worker on ${id}` });
    expect(await dispatch.getByRole('combobox', { name: 'Mode' }).inputValue()).toBe('plan');
    await dispatch.getByRole('textbox', { name: /^Additional instructions/ }).fill('Mind the empty name.');
    await dispatch.getByRole('button', { name: 'Dispatch' }).click();
    await page.getByText(`The plan worker was dispatched on ${id}.`).waitFor();
    await untilIssue(id, ({ workers }) => workers[0]?.status === 'finished');
    await page.locator('.issue-facts').getByText('plan').waitFor();

    await page.keyboard.press('p');
    const say = page.getByRole('dialog', { name: 'Send a message to a worker' });
    await say.getByRole('textbox', { name: 'Message to the plan worker' }).fill('Look at the accents too.');
    await say.getByRole('button', { name: 'Send' }).click();
    await page.getByText('continues with this now').waitFor();
    await page.getByRole('tab', { name: /^Transcript/ }).click();
    await page.getByText(RECORD_ANNOUNCEMENTS).waitFor();
    await page.getByRole('tab', { name: /^Timeline/ }).click();
    await page.getByText(/message \d+ to .* was queued: .*Look at the accents too/).waitFor();

    for (const text of ['Mind the empty name.', 'Look at the accents too.'])
      expect(readAnnouncements(suite.legion.state, id), text).toContain(text);
    const { workers } = await untilIssue(id, ({ workers: [one] }) => one?.status === 'finished');
    expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([['plan', 2]]);
    const messages = (await journalOf(id)).filter((event) => event.type === 'message.queued');
    expect(messages.map(({ body }) => body.split('\n').at(-1))).toEqual([
      'Mind the empty name.',
      'Look at the accents too.',
    ]);
    expect(pageErrors).toEqual([]);
  });

  test('advances the issue after seeing the next step, and only that step is taken', async () => {
    const { id, visit } = await openIssue({ title: 'Greet by name', status: 'Todo' });
    await using _ = visit;
    const { page, pageErrors } = visit;
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog', { name: `Advance ${id}` });
    await dialog.getByText('Due: start a planner.').waitFor();
    expect((await detail(id)).workers).toEqual([]);
    await dialog.getByRole('button', { name: 'Take this step' }).click();
    await page.getByText(`${id} was advanced.`).waitFor();
    await page.locator('.issue-facts').getByText('finished').waitFor();
    const { workers } = await detail(id);
    expect(workers.map(({ mode }) => mode)).toEqual(['plan']);
    const decided = (await journalOf(id)).filter((event) => event.type === 'decision.made');
    expect(decided.map(({ action }) => action)).toEqual(['dispatch_planner']);
    expect(pageErrors).toEqual([]);
  });

  test('pauses the issue with a reason, sees that no step is due, and resumes it', async () => {
    const { id, visit } = await openIssue({ title: 'Greet in Latin', status: 'Todo' });
    await using _ = visit;
    const { page, pageErrors } = visit;
    await page.getByRole('button', { name: 'Pause…' }).click();
    const dialog = page.getByRole('dialog', { name: `Pause ${id}` });
    await dialog.getByRole('textbox').fill('The Romans are away.');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.issue-labels').getByText('legion-paused').waitFor();
    const paused = await detail(id);
    expect(paused.issue.labels).toContain('legion-paused');
    expect(paused.comments.map(({ text }) => text).join()).toContain('The Romans are away.');

    await page.keyboard.press('d');
    await page.getByRole('dialog').getByText('Nothing to do now.').waitFor();
    expect(await page.getByRole('button', { name: 'Take this step' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.issue-labels').getByText('legion-paused').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    expect((await detail(id)).issue.labels).not.toContain('legion-paused');
    expect(pageErrors).toEqual([]);
  });

  test('sees the next step when a worker has crashed too often, and resets its crash count', async () => {
    const { id, visit } = await openIssue({ title: 'One that breaks', status: 'Todo' });
    await using _ = visit;
    const { page, pageErrors } = visit;
    // The worker is restarted once. Then a person has to step in.
    const advance = () => suite.daemon.post<AdvanceAnswer>('/state/advance', { issue: id });
    await until(
      advance,
      ({ decisions }) => decisions.some(({ reason }) => reason === 'crash_limit'),
      MAX_WAIT_MS,
    );
    await page.keyboard.press('Shift+D');
    const dispatch = page.getByRole('dialog', { name: `Dispatch a worker on ${id}` });
    await dispatch.getByRole('button', { name: 'Dispatch' }).click();
    const refusal = dispatch.getByRole('alert');
    await refusal.getByText('issue.paused').waitFor();
    expect(await refusal.textContent()).toContain(`legion resume ${id}`);
    await page.keyboard.press('Escape');

    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Reset the crash count of plan…' }).click();
    const clear = page.getByRole('dialog', { name: 'Reset the crash count of plan' });
    await clear.getByRole('button', { name: 'Reset crash count' }).click();
    await page.getByText('was reset').waitFor();
    expect((await detail(id)).workers.map(({ crashes }) => crashes)).toEqual([0]);
    expect((await journalOf(id)).map(({ type }) => type)).toContain('crashes.reset');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    await page.keyboard.press('Shift+D');
    await dispatch.getByRole('button', { name: 'Dispatch' }).click();
    await page.getByText(`The plan worker was dispatched on ${id}.`).waitFor();
    await page.locator('.issue-facts').getByText('finished').waitFor();
    expect(pageErrors.filter((text) => !/status of 409/.test(text))).toEqual([]);
  });

  test('opens a revert of a merge after typing the id of the issue; cannot merge the revert without green CI, except by force', async () => {
    const { id, visit } = await openIssue({ title: 'Greet by night', status: 'In Progress' });
    await using _ = visit;
    const { page, pageErrors } = visit;
    const onward = async () => {
      await suite.daemon.post('/state/advance', { issue: id });
      return detail(id);
    };
    await until(onward, ({ issue }) => issue.status === 'Done', MAX_WAIT_MS);
    await page.locator('.issue-line').getByText('Done').waitFor();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Roll back…' }).click();
    const dialog = page.getByRole('dialog', { name: `Roll back ${id}` });
    await dialog.getByRole('textbox').fill(id);
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('main still contains the change').first().waitFor();
    await page.locator('.issue-line').getByText('Todo').waitFor();
    await page.locator('.issue-labels').getByText('rollback').waitFor();
    await page.getByRole('tab', { name: /^Timeline/ }).click();
    await page.getByText(/opened pull request \d+, which reverts the merge/).waitFor();

    const { issue } = await detail(id);
    expect([issue.status, issue.labels]).toEqual(['Todo', ['chore', 'needs-approval', 'rollback']]);
    const undone = (await journalOf(id)).find((event) => event.type === 'merge.undone');
    const files = await git(suite.legion.repository, 'ls-tree', '-r', '--name-only', undone?.branch ?? '');
    expect(files).not.toContain(`docs/changes/${id}.md`);
    expect(await git(suite.legion.repository, 'ls-tree', '-r', '--name-only', 'main')).toContain(
      `docs/changes/${id}.md`,
    );

    // No CI is configured, so the page refuses to merge. It offers a forced merge instead, which
    // the journal records.
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Merge revert…' }).click();
    await page
      .getByRole('dialog', { name: `Merge the revert of ${id}` })
      .getByRole('button', { name: 'Merge revert' })
      .click();
    await page.getByText('The revert was not merged').waitFor();
    await page.getByText(/legion pr merge N --force/).waitFor();
    await suite.daemon.post(`/pull-requests/${undone?.revert}/merge`, { force: true });
    await page.getByText(/merged the revert, pull request \d+/).waitFor();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Advance…' }).waitFor();
    await page.getByRole('menuitem', { name: 'Merge revert…' }).waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([expect.stringContaining('409 (Conflict)')]);
  });

  test('moves a card at once, and sees it return with the reason if the daemon cannot write to the board', async () => {
    const id = await suite.add({ ...CLEAR, title: 'Greet in Greek', status: 'Icebox' });
    await using visit = await suite.visit('/ui/');
    const { page, pageErrors } = visit;
    await findCard(page, 'Icebox', id).focus();
    await page.evaluate(watchColumnsOf(id));
    const board = new DatabaseSync(join(suite.legion.state, 'board.db'));
    board.exec('BEGIN IMMEDIATE');
    try {
      await page.keyboard.press('m');
      await page.getByRole('menuitemradio', { name: 'Backlog' }).click();
      const notice = page.getByRole('alert').filter({ hasText: `${id} stays in Icebox` });
      await notice.getByText('tracker.busy').waitFor();
      expect(await notice.textContent()).toContain('Try again');
    } finally {
      board.close();
    }
    await findCard(page, 'Icebox', id).waitFor();
    expect(await page.evaluate('window.columns')).toEqual(['Backlog', 'Icebox']);
    expect((await detail(id)).issue.status).toBe('Icebox');
    expect(pageErrors.filter((text) => !/status of 503/.test(text))).toEqual([]);
  });

  test('edits every field of an issue, and sees a notice if someone else has changed the issue first', async () => {
    const blocker = await suite.add({ ...CLEAR, title: 'First', status: 'Icebox' });
    const { id, visit } = await openIssue({ title: 'Greet', status: 'Icebox', body: 'Old text.' });
    await using _ = visit;
    const { page } = visit;
    await page.keyboard.press('Shift+E');
    const dialog = page.getByRole('dialog', { name: `Edit ${id}` });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Greet by name');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('New text.');
    await dialog.getByRole('combobox', { name: 'Priority' }).selectOption('High');
    await dialog.getByRole('button', { name: 'Remove label chore' }).click();
    await dialog.getByRole('combobox', { name: 'Add a label' }).fill('feature');
    await dialog.getByRole('combobox', { name: 'Add a blocker' }).fill(blocker.toLowerCase());
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Greet by name' }).waitFor();
    expect((await detail(id)).issue).toMatchObject({
      title: 'Greet by name',
      body: 'New text.',
      priority: 2,
      labels: ['feature'],
      blockedBy: [blocker],
    });

    await page.keyboard.press('Shift+E');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Mine');
    await suite.daemon.request('PATCH', `/issues/${id}`, { title: 'Theirs' });
    await dialog.getByText('Someone else changed the title while you were editing.').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Mine');
    await dialog.getByRole('button', { name: 'Keep my title' }).click();
    await dialog.getByRole('textbox', { name: 'Title' }).fill(' ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('input.invalid').waitFor();
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Mine');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await detail(id)).issue.title).toBe('Mine');
  });
});

/**
 * Records each column the card enters, because the card may stay in a column for less than a
 * second.
 */
function watchColumnsOf(id: string): string {
  return `window.columns = []; new MutationObserver(() => {
    const column = document.querySelector('[data-card="${id}"]')?.closest('section[aria-label]').getAttribute('aria-label').split(',')[0];
    if (column !== undefined && column !== (window.columns.at(-1) ?? 'Icebox')) window.columns.push(column);
  }).observe(document.body, { childList: true, subtree: true }); undefined`;
}

/** Collects all prompts that this issue's workers received. */
function readAnnouncements(state: string, id: string): string {
  const folder = join(state, 'scripted');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(`"issue":"${id}"`))
    .join('\n');
}

async function ready(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'All actions', disabled: false }).waitFor();
}
