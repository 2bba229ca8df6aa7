/** Tests editing an issue on its page in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findAccessibilityViolations } from '../support/accessibility.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts, type IssueFacts } from './issue-facts.ts';
import { createRunningIssue, ID } from './running-issue.ts';

describe.runIf(chromiumPath !== undefined)('issue editor', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue-edit');
  });
  afterAll(() => browser.close());

  test('sends only the changed fields and their previous values', async () => {
    await using dashboard = await open(browser, plainIssue());
    const { page, fixture } = dashboard;
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    await dialog.waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Better');
    await dialog.getByRole('combobox', { name: 'Priority' }).selectOption('Urgent');
    await dialog.getByRole('button', { name: 'Remove label bug' }).click();
    await dialog.getByRole('combobox', { name: 'Add a label' }).fill('docs');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove label docs' }).waitFor();
    // The blocker is typed but not added with Enter. It is saved nevertheless.
    await dialog.getByRole('combobox', { name: 'Add a blocker' }).fill('DEMO-20');
    expect(fixture.requests).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByText(`${ID} was saved.`).first().waitFor();
    expect(fixture.requests).toEqual([
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

  test('moves from the title to the text on Enter; shows a refusal by the daemon next to the input', async () => {
    await using dashboard = await open(browser, plainIssue());
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

  test('if someone else has changed the same field, shows both values and saves only after the person has chosen one', async () => {
    const facts = plainIssue();
    await using dashboard = await open(browser, facts);
    const { page, fixture } = dashboard;
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    const title = dialog.getByRole('textbox', { name: 'Title' });
    await title.fill('Mine');
    facts.issue = { ...facts.issue, title: 'Theirs', body: 'Their text.' };
    fixture.refuse(`PATCH /issues/${ID}`, {
      status: 409,
      code: 'issue.changed',
      message: `${ID} was changed by someone else in the meantime: its title`,
      next: 'Read the issue again.',
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else changed the title while you were editing.').waitFor();
    await dialog.locator('blockquote').getByText('Theirs').waitFor();
    expect(await title.inputValue()).toBe('Mine');
    // A field that only the other person changed shows the current value and is not overwritten.
    expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Their text.');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep my title' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(fixture.requests.map(({ body }) => body)).toEqual([
      { title: 'Mine', expected: { title: 'Theirs' } },
    ]);
  });

  test('asks before it discards input', async () => {
    await using dashboard = await open(browser, plainIssue());
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

  test('says where to edit an issue that belongs to an external service', async () => {
    const facts = createIssueFacts(plainIssue());
    facts.session = { ...facts.session, ownBoard: false, backend: 'github' };
    await using dashboard = await browser.open(facts, { path: `issues/${ID}` });
    const { page } = dashboard;
    await ready(page);
    await page.keyboard.press('E');
    const dialog = page.getByRole('dialog', { name: `Edit ${ID}` });
    await dialog.getByText('This issue is on GitHub.').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
  });
});

function plainIssue(): IssueFacts {
  const facts = createRunningIssue();
  const changes = {
    title: 'A title',
    body: 'A text.',
    priority: 0,
    labels: ['bug', 'worker-active'],
    blockedBy: [],
  } as const;
  return { ...facts, issue: { ...facts.issue, ...changes, labels: [...changes.labels], blockedBy: [] } };
}

async function open(browser: DashboardBrowser, facts: IssueFacts) {
  const dashboard = await browser.open(createIssueFacts(facts), { path: `issues/${ID}` });
  await ready(dashboard.page);
  return dashboard;
}

async function ready(page: Awaited<ReturnType<DashboardBrowser['open']>>['page']): Promise<void> {
  await page.getByRole('button', { name: 'All actions', disabled: false }).waitFor();
}
