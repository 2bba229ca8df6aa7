/** Tests actions on an issue's page in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts, type IssueFacts } from './issue-facts.ts';
import { createRunningIssue, ID } from './running-issue.ts';

describe.runIf(chromiumPath !== undefined)('issue actions', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue-actions');
  });
  afterAll(() => browser.close());

  test('send a message to the running worker with the keyboard alone, and interrupt its turn on request', async () => {
    await using dashboard = await opened(browser);
    const { page, fixture } = dashboard;
    await page.keyboard.press('p');
    await page.getByRole('dialog', { name: 'Send a message to a worker' }).waitFor();
    await page.keyboard.type('Use the existing pool.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => fixture.requests)
      .toEqual([
        {
          route: 'POST /workers/demo-21-implement/prompt',
          body: { text: 'Use the existing pool.', interrupt: true },
        },
      ]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Done: POST /workers/demo-21-implement/prompt').waitFor();
  });

  test('keep the input and show the fault code and next step if the daemon refuses', async () => {
    await using dashboard = await opened(browser);
    const { page, fixture } = dashboard;
    fixture.refuse('POST /workers/demo-21-implement/prompt', {
      status: 503,
      code: 'worker.no_capacity',
      message: 'No slot is free.',
      next: 'Wait, or raise limits.workers.',
    });
    await page.getByRole('button', { name: 'Send a message…' }).click();
    await page.getByRole('textbox', { name: 'Message to the implement worker' }).fill('Hello');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.waitFor();
    for (const part of ['No slot is free.', 'Wait, or raise limits.workers.', 'worker.no_capacity']) {
      expect(await alert.textContent()).toContain(part);
    }
    expect(await page.getByRole('textbox', { name: 'Message to the implement worker' }).inputValue()).toBe(
      'Hello',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('show the next step of the issue first, and take it only on request', async () => {
    await using dashboard = await opened(browser);
    const { page, fixture } = dashboard;
    await page.keyboard.press('d');
    await page.getByText('The implementer is done and CI passes.').waitFor();
    await page.getByText('dispatch a tester').waitFor();
    expect(fixture.requests).toEqual([{ route: 'POST /state/advance', body: { issue: ID, dryRun: true } }]);
    await page.getByRole('button', { name: 'Take this step' }).click();
    await page.getByText(`${ID} was advanced.`).waitFor();
    expect(fixture.requests[1]).toEqual({ route: 'POST /state/advance', body: { issue: ID } });
  });

  test('dispatch a worker out of phase order only after the person has ticked the box “The journal records this”', async () => {
    await using dashboard = await opened(browser);
    const { page, fixture } = dashboard;
    await page.keyboard.press('Shift+D');
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('review');
    await page.getByRole('checkbox', { name: 'Start the worker even if this step is not due' }).check();
    const button = page.getByRole('button', { name: 'Dispatch out of order' });
    expect(await button.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /The journal records this/ }).check();
    await button.click();
    await expect
      .poll(() => fixture.requests)
      .toEqual([{ route: 'POST /workers', body: { issue: ID, mode: 'review', force: true } }]);
  });

  test("roll back only after the person has typed the issue's id", async () => {
    const facts = createRunningIssue();
    facts.issue = { ...facts.issue, status: 'Done', column: 'Done' };
    await using dashboard = await opened(browser, facts);
    const { page, fixture } = dashboard;
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Roll back…' }).click();
    const button = page.getByRole('button', { name: 'Roll back' });
    await page.keyboard.type('DEMO-2');
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => fixture.requests.map(({ route }) => route))
      .toEqual([`POST /issues/${ID}/rollback`]);
  });

  test("answer a question on the issue's page", async () => {
    const facts = createRunningIssue();
    const question = {
      question: 3,
      mode: 'implement' as const,
      text: 'May rows of cancelled customers be dropped?',
      askedAt: Date.now() - 60_000,
    };
    facts.explanation = { ...facts.explanation, openQuestions: [question] };
    await using dashboard = await opened(browser, facts, 'gates');
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'Answer' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('May rows of cancelled customers be dropped?').waitFor();
    await page.keyboard.type('Yes, after a month.');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => fixture.requests)
      .toEqual([{ route: `POST /issues/${ID}/answer`, body: { text: 'Yes, after a month.', question: 3 } }]);
  });

  test('approve and resume the issue, reset a crash count and stop a worker; all of these except the resume need a confirmation', async () => {
    const facts = createRunningIssue();
    facts.issue = { ...facts.issue, labels: ['needs-approval', 'legion-paused'] };
    await using dashboard = await opened(browser, facts);
    const { page, fixture } = dashboard;
    await page.keyboard.press('y');
    await page
      .getByRole('dialog', { name: `Approve ${ID}` })
      .getByRole('button', { name: 'Approve' })
      .click();
    await page.getByRole('button', { name: 'Resume' }).click();
    for (const [entry, action] of [
      ['Reset the crash count of implement…', 'Reset crash count'],
      ['Stop the implement worker…', 'Stop worker'],
    ] as const) {
      await page.getByRole('button', { name: 'All actions' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
      await page.getByRole('button', { name: action }).click();
    }
    await expect
      .poll(() => fixture.requests.map(({ route }) => route))
      .toEqual([
        `POST /issues/${ID}/approve`,
        `POST /issues/${ID}/resume`,
        'DELETE /workers/demo-21-implement/crashes',
        'DELETE /workers/demo-21-implement',
      ]);
  });

  test('show the consequences of a move', async () => {
    await using dashboard = await opened(browser);
    const { page, fixture } = dashboard;
    fixture.facts.moveEffects = { notes: ['Pull request 47 stays open.'] };
    await page.keyboard.press('m');
    await page.getByRole('menuitemradio', { name: 'Done' }).click();
    await page.getByText('Pull request 47 stays open.').waitFor();
  });

  test('move the issue by menu, undo the move on request, and show why a move is refused', async () => {
    await using dashboard = await opened(browser);
    const { page, fixture } = dashboard;
    await page.keyboard.press('m');
    await page.getByRole('menuitemradio', { name: 'Testing' }).click();
    await page.getByText(`${ID} moved to Testing`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => fixture.requests.map(({ body }) => body))
      .toEqual([{ status: 'Testing' }, { status: 'In Progress' }]);
    fixture.refuse(`POST /issues/${ID}/move`, {
      status: 409,
      code: 'tracker.conflict',
      message: 'Someone moved it.',
      next: 'Look again.',
    });
    await page.keyboard.press('m');
    await page.getByRole('menuitemradio', { name: 'Retro' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('tracker.conflict');
  });

  test('add a comment if the board is local; otherwise, say where to comment', async () => {
    await using dashboard = await opened(browser, createRunningIssue(), 'discussion');
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Comment' }).fill('Order per customer, please.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect
      .poll(() => fixture.requests)
      .toEqual([{ route: `POST /issues/${ID}/comments`, body: { text: 'Order per customer, please.' } }]);
    await expect.poll(() => page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
    fixture.facts.session = { ...fixture.facts.session, ownBoard: false, backend: 'github' };
    await page.reload();
    await page.getByText('To comment on this issue, use github.').waitFor();
  });

  test('list their keyboard shortcuts in the help', async () => {
    await using dashboard = await opened(browser);
    const { page } = dashboard;
    await page.keyboard.press('?');
    const help = await page.getByRole('dialog', { name: 'Keyboard' }).textContent();
    for (const says of [
      'Send a message…',
      'Advance…',
      'Pause…',
      'Dispatch a worker…',
      'Move to…',
      'Show all actions',
      'Timeline',
    ]) {
      expect(help).toContain(says);
    }
  });
});

async function opened(browser: DashboardBrowser, facts: IssueFacts = createRunningIssue(), tab = 'issue') {
  const dashboard = await browser.open(createIssueFacts(facts), { path: `issues/${ID}?tab=${tab}` });
  await dashboard.page.getByRole('button', { name: 'All actions', disabled: false }).waitFor();
  return dashboard;
}
