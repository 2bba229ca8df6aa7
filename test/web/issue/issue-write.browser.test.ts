/** What is written on the page of an issue, in a real browser: it is kept until it was taken, and no longer. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from '../support/browser.ts';
import { dayOf } from './issue-facts.ts';
import { ID, issueAtWork } from './running-issue.ts';

const QUESTION = {
  question: 3,
  mode: 'implement' as const,
  text: 'May rows of cancelled customers be dropped?',
  askedAt: Date.now() - 60_000,
};

describe.runIf(chromiumPath !== undefined)('writing to an issue', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'issue-write');
  });
  afterAll(() => stage.close());

  test('keeps a comment through another part of the page and a reload, and where it is refused', async () => {
    await using dashboard = await stage.open(dayOf(issueAtWork()), { path: `issues/${ID}?tab=discussion` });
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
      message: 'Somebody was faster.',
      next: 'Look again.',
    });
    await box.press('Control+Enter');
    await page.getByRole('alert').getByText('Look again.').waitFor();
    expect(await box.inputValue()).toBe('Order per customer.');
  });

  test('forgets a comment that was taken, also where its box had left by then', async () => {
    await using dashboard = await stage.open(dayOf(issueAtWork()), { path: `issues/${ID}?tab=discussion` });
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

  test('goes on with an answer that was begun in the inbox', async () => {
    const facts = issueAtWork();
    facts.explanation = { ...facts.explanation, openQuestions: [QUESTION] };
    const day = dayOf(facts);
    day.inbox = [
      {
        ...{ kind: 'question', issue: ID, title: 'Rows', text: QUESTION.text, since: QUESTION.askedAt },
        ...{ question: QUESTION.question, mode: QUESTION.mode, next: `legion answer ${ID} --question 3 "…"` },
      },
    ];
    await using dashboard = await stage.open(day, { path: 'inbox' });
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: `Your answer to ${ID}` }).fill('Yes, after a month.');
    await page.getByRole('link', { name: 'Rows' }).click();
    const box = page.getByRole('textbox', { name: 'Answer to question 3' });
    await expect.poll(() => box.inputValue()).toBe('Yes, after a month.');
    await box.press('Control+Enter');
    await expect
      .poll(() => fixture.asked)
      .toEqual([{ route: `POST /issues/${ID}/answer`, body: { text: 'Yes, after a month.', question: 3 } }]);
    await expect.poll(() => box.inputValue()).toBe('');
  });
});
