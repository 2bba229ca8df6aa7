/** What a person does on the page of an issue, in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from '../support/browser.ts';
import { dayOf, type IssueFacts } from './issue-facts.ts';
import { ID, issueAtWork } from './running-issue.ts';

describe.runIf(chromiumPath !== undefined)('acting on an issue', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'issue-actions');
  });
  afterAll(() => stage.close());

  test('prompts the worker that is at work, by keyboard alone, and cuts its turn short where asked', async () => {
    await using dashboard = await opened(stage);
    const { page, fixture } = dashboard;
    await page.keyboard.press('p');
    await page.getByRole('dialog', { name: 'Say something to a worker' }).waitFor();
    await page.keyboard.type('Use the existing pool.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => fixture.asked)
      .toEqual([
        {
          route: 'POST /workers/demo-21-implement/prompt',
          body: { text: 'Use the existing pool.', interrupt: true },
        },
      ]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Done: POST /workers/demo-21-implement/prompt').waitFor();
  });

  test('keeps what was typed and shows code and next step where the daemon refuses', async () => {
    await using dashboard = await opened(stage);
    const { page, fixture } = dashboard;
    fixture.refuse('POST /workers/demo-21-implement/prompt', {
      status: 503,
      code: 'worker.no_capacity',
      message: 'No place is free.',
      next: 'Wait, or raise limits.workers.',
    });
    await page.getByRole('button', { name: 'Say something…' }).click();
    await page.getByRole('textbox', { name: /hear/ }).fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.waitFor();
    for (const part of ['No place is free.', 'Wait, or raise limits.workers.', 'worker.no_capacity']) {
      expect(await alert.textContent()).toContain(part);
    }
    expect(await page.getByRole('textbox', { name: /hear/ }).inputValue()).toBe('Hello');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('shows the step that is due before it is taken', async () => {
    await using dashboard = await opened(stage);
    const { page, fixture } = dashboard;
    await page.keyboard.press('d');
    await page.getByText('The implementer is done and CI passes.').waitFor();
    await page.getByText('dispatch a tester').waitFor();
    expect(fixture.asked).toEqual([{ route: 'POST /state/advance', body: { issue: ID, dryRun: true } }]);
    await page.getByRole('button', { name: 'Take this step' }).click();
    await page.getByText(`${ID} was advanced.`).waitFor();
    expect(fixture.asked[1]).toEqual({ route: 'POST /state/advance', body: { issue: ID } });
  });

  test('passes the order of phases only after it was said that this is written down', async () => {
    await using dashboard = await opened(stage);
    const { page, fixture } = dashboard;
    await page.keyboard.press('Shift+D');
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('review');
    await page.getByRole('checkbox', { name: 'Even if this step is not due' }).check();
    const button = page.getByRole('button', { name: 'Dispatch out of order' });
    expect(await button.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /It is written down in the journal/ }).check();
    await button.click();
    await expect
      .poll(() => fixture.asked)
      .toEqual([{ route: 'POST /workers', body: { issue: ID, mode: 'review', force: true } }]);
  });

  test('rolls back only after the id was typed', async () => {
    const facts = issueAtWork();
    facts.issue = { ...facts.issue, status: 'Done', column: 'Done' };
    await using dashboard = await opened(stage, facts);
    const { page, fixture } = dashboard;
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Roll back…' }).click();
    const button = page.getByRole('button', { name: 'Roll back' });
    await page.keyboard.type('DEMO-2');
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect.poll(() => fixture.asked.map(({ route }) => route)).toEqual([`POST /issues/${ID}/rollback`]);
  });

  test('answers a question where it is asked', async () => {
    const facts = issueAtWork();
    const question = {
      question: 3,
      mode: 'implement' as const,
      text: 'May rows of cancelled customers be dropped?',
      askedAt: Date.now() - 60_000,
    };
    facts.explanation = { ...facts.explanation, openQuestions: [question] };
    await using dashboard = await opened(stage, facts, 'gates');
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'Answer' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('May rows of cancelled customers be dropped?').waitFor();
    await page.keyboard.type('Yes, after a month.');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => fixture.asked)
      .toEqual([{ route: `POST /issues/${ID}/answer`, body: { text: 'Yes, after a month.', question: 3 } }]);
  });

  test('approves, resumes, clears crashes and stops a worker, each after it was confirmed where that matters', async () => {
    const facts = issueAtWork();
    facts.issue = { ...facts.issue, labels: ['needs-approval', 'legion-paused'] };
    await using dashboard = await opened(stage, facts);
    const { page, fixture } = dashboard;
    await page.keyboard.press('y');
    await page
      .getByRole('dialog', { name: `Approve ${ID}` })
      .getByRole('button', { name: 'Approve' })
      .click();
    await page.getByRole('button', { name: 'Resume' }).click();
    for (const [entry, action] of [
      ['Clear the crashes of implement…', 'Clear them'],
      ['Stop the implement worker…', 'Stop it'],
    ] as const) {
      await page.getByRole('button', { name: 'All actions' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
      await page.getByRole('button', { name: action }).click();
    }
    await expect
      .poll(() => fixture.asked.map(({ route }) => route))
      .toEqual([
        `POST /issues/${ID}/approve`,
        `POST /issues/${ID}/resume`,
        'DELETE /workers/demo-21-implement/crashes',
        'DELETE /workers/demo-21-implement',
      ]);
  });

  test('says what follows from a move', async () => {
    await using dashboard = await opened(stage);
    const { page, fixture } = dashboard;
    fixture.facts.moveEffects = { notes: ['Pull request 47 stays open.'] };
    await page.keyboard.press('m');
    await page.getByRole('menuitemradio', { name: 'Done' }).click();
    await page.getByText('Pull request 47 stays open.').waitFor();
  });

  test('moves it by menu and offers to undo that; a refusal says why', async () => {
    await using dashboard = await opened(stage);
    const { page, fixture } = dashboard;
    await page.keyboard.press('m');
    await page.getByRole('menuitemradio', { name: 'Testing' }).click();
    await page.getByText(`${ID} moved to Testing`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => fixture.asked.map(({ body }) => body))
      .toEqual([{ status: 'Testing' }, { status: 'In Progress' }]);
    fixture.refuse(`POST /issues/${ID}/move`, {
      status: 409,
      code: 'tracker.conflict',
      message: 'Somebody moved it.',
      next: 'Look again.',
    });
    await page.keyboard.press('m');
    await page.getByRole('menuitemradio', { name: 'Retro' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('tracker.conflict');
  });

  test('comments on a board of its own, and says where else comments are written', async () => {
    await using dashboard = await opened(stage, issueAtWork(), 'discussion');
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Comment' }).fill('Order per customer, please.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect
      .poll(() => fixture.asked)
      .toEqual([{ route: `POST /issues/${ID}/comments`, body: { text: 'Order per customer, please.' } }]);
    await expect.poll(() => page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
    fixture.facts.session = { ...fixture.facts.session, ownBoard: false, backend: 'github' };
    await page.reload();
    await page.getByText('Comments on this board are written on github.').waitFor();
  });

  test('lists its keys in the help', async () => {
    await using dashboard = await opened(stage);
    const { page } = dashboard;
    await page.keyboard.press('?');
    const help = await page.getByRole('dialog', { name: 'Keyboard' }).textContent();
    for (const says of [
      'Say something…',
      'Advance…',
      'Pause…',
      'Dispatch a worker…',
      'Move to…',
      'Everything that can be done',
      'Timeline',
    ]) {
      expect(help).toContain(says);
    }
  });
});

async function opened(stage: Stage, facts: IssueFacts = issueAtWork(), tab = 'issue') {
  const dashboard = await stage.open(dayOf(facts), { path: `issues/${ID}?tab=${tab}` });
  await dashboard.page.getByRole('button', { name: 'All actions', disabled: false }).waitFor();
  return dashboard;
}
