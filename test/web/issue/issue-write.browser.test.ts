/**
 * Tests drafts on an issue's page in a real browser. A draft is kept until the daemon has accepted
 * it.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts } from './issue-facts.ts';
import { createRunningIssue, ID } from './running-issue.ts';

const QUESTION = {
  question: 3,
  mode: 'implement' as const,
  text: 'May rows of cancelled customers be dropped?',
  askedAt: Date.now() - 60_000,
};

describe.runIf(chromiumPath !== undefined)('drafts on an issue page', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue-write');
  });
  afterAll(() => browser.close());

  test('keep a comment across tabs, a reload and a refusal', async () => {
    await using dashboard = await browser.open(createIssueFacts(createRunningIssue()), {
      path: `issues/${ID}?tab=discussion`,
    });
    const { page, fixture } = dashboard;
    const box = page.getByRole('textbox', { name: 'Comment' });
    await box.fill('Order per customer.');
    await page.getByRole('tab', { name: 'Gates' }).click();
    await page.getByRole('tab', { name: 'Discussion' }).click();
    expect(await box.inputValue()).toBe('Order per customer.');
    await page.reload();
    await expect.poll(() => box.inputValue()).toBe('Order per customer.');
    fixture.refuse(`POST /issues/${ID}/comments`, {
      status: 409,
      code: 'tracker.conflict',
      message: 'Someone was faster.',
      next: 'Look again.',
    });
    await box.press('Control+Enter');
    await page.getByRole('alert').getByText('Look again.').waitFor();
    expect(await box.inputValue()).toBe('Order per customer.');
  });

  test('discard a comment that was accepted, even if its input box is gone by then', async () => {
    await using dashboard = await browser.open(createIssueFacts(createRunningIssue()), {
      path: `issues/${ID}?tab=discussion`,
    });
    const { page, fixture } = dashboard;
    const release = fixture.hold(`POST /issues/${ID}/comments`);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Order per customer.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('tab', { name: 'Gates' }).click();
    await page.getByRole('textbox', { name: 'Comment' }).waitFor({ state: 'detached' });
    release();
    await page.getByText(`Done: POST /issues/${ID}/comments`).waitFor();
    await page.getByRole('tab', { name: 'Discussion' }).click();
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('');
  });

  test('are shared with the inbox: an answer started there can be continued here', async () => {
    const facts = createRunningIssue();
    facts.explanation = { ...facts.explanation, openQuestions: [QUESTION] };
    const day = createIssueFacts(facts);
    day.inbox = [
      {
        kind: 'question',
        issue: ID,
        title: 'Rows',
        text: QUESTION.text,
        since: QUESTION.askedAt,
        question: QUESTION.question,
        mode: QUESTION.mode,
        next: `legion answer ${ID} --question 3 "…"`,
      },
    ];
    await using dashboard = await browser.open(day, { path: 'inbox' });
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: `Your answer to ${ID}` }).fill('Yes, after a month.');
    await page.getByRole('link', { name: 'Rows' }).click();
    const box = page.getByRole('textbox', { name: 'Answer to question 3' });
    await expect.poll(() => box.inputValue()).toBe('Yes, after a month.');
    await box.press('Control+Enter');
    await expect
      .poll(() => fixture.requests)
      .toEqual([{ route: `POST /issues/${ID}/answer`, body: { text: 'Yes, after a month.', question: 3 } }]);
    await expect.poll(() => box.inputValue()).toBe('');
  });
});
