/** What a person does to an issue on its page, with a real daemon that begins nothing by itself: seen on the page, and in what the daemon says afterwards. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { NewIssueRequest } from '../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../src/protocol/endpoints/issues.ts';
import type { AdvanceAnswer } from '../../../src/protocol/operator.ts';
import { MERGING } from '../../e2e/support/legion.ts';
import { git } from '../../ports/forge/git.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { until } from '../../support/running-daemon.ts';
import { cardIn, stage } from './dashboard-legion.ts';

const CLEAR: Partial<NewIssueRequest> = {
  body: 'The library should export a function that greets a person by name; an empty name must be refused.',
  labels: ['chore'],
};
/** What is waited for takes seconds on a quiet machine. */
const THERE_WITHIN_MS = 90_000;
const HEARD = 'I have heard it and look again.';

describe.runIf(chromiumPath !== undefined)('a person at the page of an issue', () => {
  const house = stage({
    yaml: 'auto_advance: false\n',
    files: MERGING,
    scenario: [
      { title: 'listens', mode: 'plan', purpose: 'operator', steps: [{ say: HEARD }, { done: 'looked' }] },
      // From the third on it does what is usual.
      { title: 'breaks', attempt: 1, steps: [{ crash: 1 }] },
      { title: 'breaks', attempt: 2, steps: [{ crash: 1 }] },
    ],
  });

  /** The page of a new issue, once it can be acted on. */
  async function openIssue(issue: Partial<NewIssueRequest>) {
    const id = await house.add({ ...CLEAR, ...issue });
    const visit = await house.visit(`/ui/issues/${id}`);
    await ready(visit.page);
    return { id, visit };
  }
  const detail = (id: string) => house.daemon.get<IssueDetail>(`/issues/${id}`);
  const untilIssue = (id: string, wanted: (seen: IssueDetail) => boolean) =>
    until(() => detail(id), wanted, THERE_WITHIN_MS);
  const journalOf = async (id: string): Promise<Event[]> =>
    (await house.daemon.events()).filter((event) =>
      JSON.stringify(event).toLowerCase().includes(id.toLowerCase()),
    );

  test('dispatches a worker by hand and says something to it: it is started, and hears both', async () => {
    const { id, visit } = await openIssue({ title: 'One that listens', status: 'Todo' });
    await using _ = visit;
    const { page, complaints } = visit;
    await page.keyboard.press('Shift+D');
    const dispatch = page.getByRole('dialog', { name: `Dispatch a worker on ${id}` });
    expect(await dispatch.getByRole('combobox', { name: 'Mode' }).inputValue()).toBe('plan');
    await dispatch.getByRole('textbox', { name: /What else/ }).fill('Mind the empty name.');
    await dispatch.getByRole('button', { name: 'Dispatch' }).click();
    await page.getByText(`A worker for plan was dispatched on ${id}.`).waitFor();
    await untilIssue(id, ({ workers }) => workers[0]?.status === 'finished');
    await page.locator('.issue-facts').getByText('plan').waitFor();

    await page.keyboard.press('p');
    const say = page.getByRole('dialog', { name: 'Say something to a worker' });
    await say.getByRole('textbox', { name: 'What should plan hear?' }).fill('Look at the accents too.');
    await say.getByRole('button', { name: 'Send' }).click();
    await page.getByText('continues with this now').waitFor();
    await page.getByRole('tab', { name: /^Transcript/ }).click();
    await page.getByText(HEARD).waitFor();
    await page.getByRole('tab', { name: /^Timeline/ }).click();
    await page.getByText(/message \d+ to .* was queued: .*Look at the accents too/).waitFor();

    for (const text of ['Mind the empty name.', 'Look at the accents too.'])
      expect(heardBy(house.legion.state, id), text).toContain(text);
    const { workers } = await untilIssue(id, ({ workers: [one] }) => one?.status === 'finished');
    expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([['plan', 2]]);
    const messages = (await journalOf(id)).filter((event) => event.type === 'message.queued');
    expect(messages.map(({ body }) => body.split('\n').at(-1))).toEqual([
      'Mind the empty name.',
      'Look at the accents too.',
    ]);
    expect(complaints).toEqual([]);
  });

  test('advances it: the step is shown first, and only what was shown is done', async () => {
    const { id, visit } = await openIssue({ title: 'Greet by name', status: 'Todo' });
    await using _ = visit;
    const { page, complaints } = visit;
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog', { name: `Advance ${id}` });
    await dialog.getByText('Due: send a planner.').waitFor();
    expect((await detail(id)).workers).toEqual([]);
    await dialog.getByRole('button', { name: 'Take this step' }).click();
    await page.getByText(`${id} was advanced.`).waitFor();
    await page.locator('.issue-facts').getByText('finished').waitFor();
    const { workers } = await detail(id);
    expect(workers.map(({ mode }) => mode)).toEqual(['plan']);
    const decided = (await journalOf(id)).filter((event) => event.type === 'decision.made');
    expect(decided.map(({ action }) => action)).toEqual(['dispatch_planner']);
    expect(complaints).toEqual([]);
  });

  test('pauses it with a reason, finds nothing to be done meanwhile, and resumes it', async () => {
    const { id, visit } = await openIssue({ title: 'Greet in Latin', status: 'Todo' });
    await using _ = visit;
    const { page, complaints } = visit;
    await page.getByRole('button', { name: 'Pause…' }).click();
    const dialog = page.getByRole('dialog', { name: `Pause ${id}` });
    await dialog.getByRole('textbox').fill('The Romans are away.');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.issue-labels').getByText('legion-paused').waitFor();
    const paused = await detail(id);
    expect(paused.issue.labels).toContain('legion-paused');
    expect(paused.comments.map(({ text }) => text).join()).toContain('The Romans are away.');

    await page.keyboard.press('d');
    await page.getByRole('dialog').getByText('There is nothing to do now.').waitFor();
    expect(await page.getByRole('button', { name: 'Take this step' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.issue-labels').getByText('legion-paused').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    expect((await detail(id)).issue.labels).not.toContain('legion-paused');
    expect(complaints).toEqual([]);
  });

  test('is refused with the next step where a worker crashed too often, and clears its crashes', async () => {
    const { id, visit } = await openIssue({ title: 'One that breaks', status: 'Todo' });
    await using _ = visit;
    const { page, complaints } = visit;
    // It is begun again once; then a person has to look.
    const advance = () => house.daemon.post<AdvanceAnswer>('/state/advance', { issue: id });
    await until(
      advance,
      ({ decisions }) => decisions.some(({ reason }) => reason === 'crash_limit'),
      THERE_WITHIN_MS,
    );
    await page.keyboard.press('Shift+D');
    const dispatch = page.getByRole('dialog', { name: `Dispatch a worker on ${id}` });
    await dispatch.getByRole('button', { name: 'Dispatch' }).click();
    const refusal = dispatch.getByRole('alert');
    await refusal.getByText('issue.paused').waitFor();
    expect(await refusal.textContent()).toContain(`legion resume ${id}`);
    await page.keyboard.press('Escape');

    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Clear the crashes of plan…' }).click();
    const clear = page.getByRole('dialog', { name: 'Clear the crashes of plan' });
    await clear.getByRole('button', { name: 'Clear them' }).click();
    await page.getByText('are forgotten').waitFor();
    expect((await detail(id)).workers.map(({ crashes }) => crashes)).toEqual([0]);
    expect((await journalOf(id)).map(({ type }) => type)).toContain('crashes.reset');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause…' }).waitFor();
    await page.keyboard.press('Shift+D');
    await dispatch.getByRole('button', { name: 'Dispatch' }).click();
    await page.getByText(`A worker for plan was dispatched on ${id}.`).waitFor();
    await page.locator('.issue-facts').getByText('finished').waitFor();
    expect(complaints.filter((text) => !/status of 409/.test(text))).toEqual([]);
  });

  test('opens the revert of a merge after the id was typed, and merges it only once CI is green', async () => {
    const { id, visit } = await openIssue({ title: 'Greet by night', status: 'In Progress' });
    await using _ = visit;
    const { page, complaints } = visit;
    const onward = async () => {
      await house.daemon.post('/state/advance', { issue: id });
      return detail(id);
    };
    await until(onward, ({ issue }) => issue.status === 'Done', THERE_WITHIN_MS);
    await page.locator('.issue-line').getByText('Done').waitFor();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Roll back…' }).click();
    const dialog = page.getByRole('dialog', { name: `Roll ${id} back` });
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
    const files = await git(house.legion.repository, 'ls-tree', '-r', '--name-only', undone?.branch ?? '');
    expect(files).not.toContain(`docs/changes/${id}.md`);
    expect(await git(house.legion.repository, 'ls-tree', '-r', '--name-only', 'main')).toContain(
      `docs/changes/${id}.md`,
    );

    // No CI is configured, so the page refuses and names the way that is journaled.
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Merge revert…' }).click();
    await page
      .getByRole('dialog', { name: `Merge the revert of ${id}` })
      .getByRole('button', { name: 'Merge revert' })
      .click();
    await page.getByText('The revert was not merged').waitFor();
    await page.getByText(/legion pr merge N --force/).waitFor();
    await house.daemon.post(`/pull-requests/${undone?.revert}/merge`, { force: true });
    await page.getByText(/merged the revert, pull request \d+/).waitFor();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Advance…' }).waitFor();
    await page.getByRole('menuitem', { name: 'Merge revert…' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([expect.stringContaining('409 (Conflict)')]);
  });

  test('moves a card at once, and sees it go back with the reason where the daemon cannot write', async () => {
    const id = await house.add({ ...CLEAR, title: 'Greet in Greek', status: 'Icebox' });
    await using visit = await house.visit('/ui/');
    const { page, complaints } = visit;
    await cardIn(page, 'Icebox', id).focus();
    await page.evaluate(watchColumnsOf(id));
    const board = new DatabaseSync(join(house.legion.state, 'board.db'));
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
    await cardIn(page, 'Icebox', id).waitFor();
    expect(await page.evaluate('window.columns')).toEqual(['Backlog', 'Icebox']);
    expect((await detail(id)).issue.status).toBe('Icebox');
    expect(complaints.filter((text) => !/status of 503/.test(text))).toEqual([]);
  });

  test('edits everything an issue says, and learns that somebody else was faster', async () => {
    const blocker = await house.add({ ...CLEAR, title: 'First', status: 'Icebox' });
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
    await house.daemon.request('PATCH', `/issues/${id}`, { title: 'Theirs' });
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

/** Writes down each column the card comes to: it may be in one for less than a second. */
function watchColumnsOf(id: string): string {
  return `window.columns = []; new MutationObserver(() => {
    const column = document.querySelector('[data-card="${id}"]')?.closest('section[aria-label]').getAttribute('aria-label').split(',')[0];
    if (column !== undefined && column !== (window.columns.at(-1) ?? 'Icebox')) window.columns.push(column);
  }).observe(document.body, { childList: true, subtree: true }); undefined`;
}

/** Everything workers of this issue were prompted with. */
function heardBy(state: string, id: string): string {
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
