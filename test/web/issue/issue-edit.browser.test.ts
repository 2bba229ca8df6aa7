/** Editing an issue on its page, in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { barriersOn } from '../support/accessibility.ts';
import { chromiumPath, openStage, type Stage } from '../support/browser.ts';
import { dayOf, type IssueFacts } from './issue-facts.ts';
import { ID, issueAtWork } from './running-issue.ts';

describe.runIf(chromiumPath !== undefined)('editing an issue', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'issue-edit');
  });
  afterAll(() => stage.close());

  test('sends what was changed and what it was before, and nothing else', async () => {
    await using dashboard = await open(stage, plainIssue());
    const { page, fixture } = dashboard;
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    await dialog.waitFor();
    expect(await barriersOn(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Better');
    await dialog.getByRole('combobox', { name: 'Priority' }).selectOption('Urgent');
    await dialog.getByRole('button', { name: 'Remove label bug' }).click();
    await dialog.getByRole('combobox', { name: 'Add a label' }).fill('docs');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove label docs' }).waitFor();
    // Typed and not added with Enter, which is meant all the same.
    await dialog.getByRole('combobox', { name: 'Add a blocker' }).fill('DEMO-20');
    expect(fixture.asked).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByText(`${ID} was saved.`).first().waitFor();
    expect(fixture.asked).toEqual([
      {
        route: `PATCH /issues/${ID}`,
        body: {
          title: 'Better',
          priority: 1,
          expected: { title: 'A title', priority: 0 },
          labels: { add: ['docs'], remove: ['bug'] },
          blockers: { add: ['DEMO-20'], remove: [] },
        },
      },
    ]);
    await dialog.waitFor({ state: 'detached' });
  });

  test('leads from the title to the text on Enter, and shows a refusal beside what was typed', async () => {
    await using dashboard = await open(stage, plainIssue());
    const { page, fixture } = dashboard;
    fixture.refuse(`PATCH /issues/${ID}`, {
      status: 409,
      code: 'tracker.cycle',
      message: 'They would wait for each other.',
      next: 'Remove one of the blockers first.',
    });
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    await dialog.getByRole('textbox', { name: 'Title' }).press('Enter');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' More.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    for (const part of ['They would wait', 'Remove one of the blockers first.', 'tracker.cycle'])
      expect(await alert.textContent()).toContain(part);
    const text = await dialog.getByRole('textbox', { name: 'Text' }).inputValue();
    expect(text).toBe('A text. More.');
  });

  test('says that somebody else changed the same part, keeps what was typed, and lets the person choose', async () => {
    const facts = plainIssue();
    await using dashboard = await open(stage, facts);
    const { page, fixture } = dashboard;
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    const title = dialog.getByRole('textbox', { name: 'Title' });
    await title.fill('Mine');
    facts.issue = { ...facts.issue, title: 'Theirs', body: 'Their text.' };
    fixture.refuse(`PATCH /issues/${ID}`, {
      status: 409,
      code: 'issue.changed',
      message: `${ID} was changed by someone else meanwhile: its title`,
      next: 'Read the issue again.',
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else changed the title while you were editing.').waitFor();
    await dialog.locator('blockquote').getByText('Theirs').waitFor();
    expect(await title.inputValue()).toBe('Mine');
    // What only the other one changed is shown as it is now, and is not overwritten.
    expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Their text.');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep my title' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(fixture.asked.map(({ body }) => body)).toEqual([{ title: 'Mine', expected: { title: 'Theirs' } }]);
  });

  test('asks before it throws away what was typed', async () => {
    await using dashboard = await open(stage, plainIssue());
    const { page } = dashboard;
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Mine');
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    expect(await dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Mine');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('says where to edit an issue that lives on a service', async () => {
    const facts = dayOf(plainIssue());
    facts.session = { ...facts.session, ownBoard: false, backend: 'github' };
    await using dashboard = await stage.open(facts, { path: `issues/${ID}` });
    const { page } = dashboard;
    await ready(page);
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    await dialog.getByText('This issue lives on GitHub.').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
  });
});

function plainIssue(): IssueFacts {
  const facts = issueAtWork();
  const changes = {
    title: 'A title',
    body: 'A text.',
    priority: 0,
    labels: ['bug', 'worker-active'],
    blockedBy: [],
  } as const;
  return { ...facts, issue: { ...facts.issue, ...changes, labels: [...changes.labels], blockedBy: [] } };
}

async function open(stage: Stage, facts: IssueFacts) {
  const dashboard = await stage.open(dayOf(facts), { path: `issues/${ID}` });
  await ready(dashboard.page);
  return dashboard;
}

async function ready(page: Awaited<ReturnType<Stage['open']>>['page']): Promise<void> {
  await page.getByRole('button', { name: 'All actions', disabled: false }).waitFor();
}
