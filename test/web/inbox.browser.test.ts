/** The inbox in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { barriersOn } from './support/accessibility.ts';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay } from './support/facts.ts';
import { fullInbox, item } from './support/inbox-facts.ts';

/** The machine may be busy: how long something may take to show. */
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe.runIf(chromiumPath !== undefined)('the inbox', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'inbox');
  });
  afterAll(() => stage.close());
  const open = (facts = fullInbox()) => stage.open(facts, { path: 'inbox' });

  test('shows what waits by kind, the oldest first, each with what is needed to decide', async () => {
    await using dashboard = await open();
    const { page, complaints } = dashboard;
    const questions = page.getByRole('region', { name: 'Questions 2' });
    await questions.waitFor();
    expect(await questions.locator('.inbox-issue').allTextContents()).toEqual(['DEMO-20', 'DEMO-22']);
    const asked = page.getByRole('article', { name: 'Invoice numbers skip after a failed payment' });
    const said = await asked.textContent();
    for (const part of [
      'The implement worker asks',
      'May numbers of cancelled invoices be reused?',
      '26m ago',
    ]) {
      expect(said).toContain(part);
    }
    await page.getByText('6 of 7 conditions hold').waitFor();
    expect(await page.locator('.check-name').getByText('CI passes at this commit').count()).toBe(1);
    await page.getByText('ZIP, because accountants open it everywhere').waitFor();
    await page.getByText('test, attempt 2, died with exit code 137; the issue is paused').waitFor();
    await page.getByText('--reporter=the short one').waitFor();
    const log = page.getByRole('region', { name: 'End of the log of unit' });
    expect(await log.textContent()).toContain('not ok 2 - <b>the total</b> is below the table');
    const checks = page.getByRole('link', { name: 'Show all checks' });
    expect(await checks.getAttribute('href')).toMatch(/\/issues\/DEMO-18\?tab=ci$/);
    await expect.poll(() => page.title()).toBe('(10) Inbox · invoices');
    expect(complaints).toEqual([]);
  });

  test('sends an answer with Ctrl+Enter, says so, and leads on to the next question', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Your answer to DEMO-20' }).fill('No, never.');
    const letGo = fixture.hold('POST /issues/DEMO-20/answer');
    await page.keyboard.press('Control+Enter');
    const box = page.getByRole('textbox', { name: 'Your answer to DEMO-20' });
    await expect.poll(() => box.isEditable()).toBe(false);
    expect(await page.getByRole('button', { name: 'Sending …' }).isEnabled()).toBe(false);
    letGo();
    await page.getByText('The question of DEMO-20 is answered').waitFor();
    await page.getByRole('region', { name: 'Questions 1' }).waitFor();
    expect(fixture.asked[0]?.body).toEqual({ text: 'No, never.', question: 2 });
    expect(await focused(page)).toBe('Send reminders for unpaid invoices');
    await expect.poll(() => page.title()).toBe('(9) Inbox · invoices');
  });

  test('keeps what is being written while the list changes around it, and the caret in it', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Your answer to DEMO-22' }).pressSequentially('Fourteen');
    await live(page);
    fixture.facts.inbox = [
      ...fixture.facts.inbox,
      item('question', 'DEMO-2', 'An older one', {
        text: 'test asks: Which?',
        mode: 'test',
        since: 1,
        question: 1,
        next: 'legion answer DEMO-2 "…"',
      }),
    ];
    await page.getByRole('textbox', { name: 'Your answer to DEMO-22' }).focus();
    fixture.tell('question.asked', { issue: 'DEMO-2' });
    await page.getByRole('region', { name: 'Questions 3' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' days.');
    const box = page.getByRole('textbox', { name: 'Your answer to DEMO-22' });
    expect(await box.inputValue()).toBe('Fourteen days.');
    await page.reload();
    expect(await box.inputValue()).toBe('Fourteen days.');
  });

  test('keeps words that were written to something that is settled elsewhere meanwhile', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Your answer to DEMO-22' }).fill('Half a thought');
    await live(page);
    fixture.facts.inbox = fixture.facts.inbox.filter(({ issue }) => issue !== 'DEMO-22');
    fixture.tell('question.answered', { issue: 'DEMO-22' });
    await page.getByText('This was settled elsewhere while you wrote.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Your answer to DEMO-22' }).inputValue()).toBe(
      'Half a thought',
    );
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: 'Questions 1' }).waitFor();
  });

  test('says why an answer was refused and what to do, and keeps it', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    fixture.refuse('POST /issues/DEMO-20/answer', {
      status: 409,
      code: 'question.none_open',
      message: 'Somebody was faster.',
      next: 'Look at the issue again.',
    });
    const box = page.getByRole('textbox', { name: 'Your answer to DEMO-20' });
    await box.fill('Yes');
    await page.getByRole('button', { name: 'Answer' }).first().click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('Look at the issue again.');
    expect(await box.inputValue()).toBe('Yes');
    expect(await box.isEditable()).toBe(true);
  });

  test('asks before an approval that merges, and not before one that does not', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('DEMO-28 is approved and goes on.').waitFor();
    await page.getByRole('button', { name: 'Approve the merge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(fixture.asked.map(({ route }) => route)).toEqual(['POST /issues/DEMO-28/approve']);
    await page.getByRole('button', { name: 'Approve the merge' }).click();
    await dialog.getByRole('button', { name: 'Approve the merge' }).click();
    await page.getByText('DEMO-15 is approved and goes on.').waitFor();
    await expect.poll(() => page.getByRole('region', { name: /^Approvals/ }).count()).toBe(0);
  });

  test('is worked by keyboard alone: from item to item, answered, approved, resumed, opened', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('region', { name: 'Questions 2' }).waitFor();
    await page.getByText('6 of 7 conditions hold').waitFor();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Invoice numbers skip after a failed payment');
    await page.keyboard.press('a');
    await page.keyboard.type('jak: never'); // its letters are no shortcuts while one types
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Invoice numbers skip after a failed payment');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Export all invoices of a year as one archive');
    await page.keyboard.press('a');
    await expect.poll(() => focused(page)).toBe('Cache exchange rates for an hour');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('r');
    await expect.poll(() => focused(page)).toBe('Upgrade the PDF library');
    expect(fixture.asked.map(({ route }) => route)).toEqual([
      'POST /issues/DEMO-28/approve',
      'POST /issues/DEMO-18/resume',
    ]);
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('Cache exchange rates for an hour');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/issues\/DEMO-15$/);
  });

  test('approves commands by the fingerprint of what it shows, stops a worker after asking, and starts workers again', async () => {
    const facts = fullInbox();
    facts.inbox = [
      ...facts.inbox,
      item('paused', null, 'No worker is started', {
        text: '3 workers died within 30 s',
        since: 1,
        next: 'legion resume',
      }),
    ];
    await using dashboard = await open(facts);
    const { page, fixture } = dashboard;
    await page.getByText('Prompt plan').click();
    await page.getByText('Never touch the ledger.').waitFor();
    await page.getByRole('button', { name: 'Approve exactly this' }).click();
    await page.getByText('The commands of invoices are approved.').waitFor();
    await page.getByRole('button', { name: 'Stop it …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the worker' }).click();
    await page.getByText('demo-19-test is asked to stop.').waitFor();
    await page.getByRole('button', { name: 'Start workers again' }).click();
    await page.getByText('Workers are started again.').waitFor();
    expect(fixture.asked.map(({ route }) => route)).toEqual([
      'POST /repositories/commands/approve',
      'DELETE /workers/demo-19-test',
      'POST /resume',
    ]);
    expect(fixture.asked[0]?.body).toEqual({
      repo: 'invoices',
      fingerprint: '5d41402abc4b2a76b9719d911017c592',
    });
  });

  test('tells a command to type from a sentence that says what to change', async () => {
    const facts = fullInbox();
    const next = 'Raise the budget in legion.yaml, or set it to `none`.';
    facts.inbox = [
      item('problem', null, 'No worker is started for shop', {
        text: 'No agent is ready.',
        since: 1,
        next: 'legion doctor',
      }),
      item('budget', null, 'A budget of 0 starts no worker', { text: 'Nothing starts.', since: 1, next }),
    ];
    await using dashboard = await open(facts);
    const { page } = dashboard;
    const problem = page.getByRole('region', { name: 'Nothing can start 1' });
    expect(await problem.locator('.inbox-next').textContent()).toBe('In a terminal: legion doctor');
    const budget = page.getByRole('region', { name: 'Budgets 1' });
    expect(await budget.locator('.inbox-next').textContent()).toBe(next.replaceAll('`', ''));
    expect(await budget.locator('.inbox-next code').allTextContents()).toEqual(['none']);
  });

  test('shows a problem that stops every start once, although the daemon reports it as its own, too', async () => {
    const facts = fullInbox();
    const message = 'No agent is ready.';
    facts.inbox = [
      item('problem', null, 'No worker is started', { text: message, since: 1, next: 'legion doctor' }),
    ];
    const trouble = { code: 'preflight.agents', message, next: 'Log in.', since: 1 };
    const other = { code: 'tracker.down', message: 'The tracker is away.', next: 'Wait for it.', since: 1 };
    facts.health = { ...facts.health, ok: false, troubles: [trouble, other] };
    await using dashboard = await open(facts);
    const { page } = dashboard;
    await page.getByRole('region', { name: 'Problems 1' }).getByText('The tracker is away.').waitFor();
    await page.getByRole('region', { name: 'Nothing can start 1' }).waitFor();
    expect(await page.getByText(message).count()).toBe(1);
  });

  test('shows what is wrong with the legion itself beside everything else', async () => {
    const facts = fullInbox();
    facts.health = {
      ...facts.health,
      ok: false,
      troubles: [
        {
          code: 'tracker.down',
          message: 'The tracker is away.',
          next: 'Wait for it.',
          since: Date.now() - 60_000,
        },
      ],
    };
    await using dashboard = await open(facts);
    const troubles = dashboard.page.getByRole('region', { name: 'Problems 1' });
    await troubles.waitFor();
    expect(await troubles.textContent()).toContain('Wait for it.');
  });

  test('says that nothing needs anybody, and what the legion does meanwhile', async () => {
    const facts = busyDay();
    facts.inbox = [];
    await using dashboard = await open(facts);
    const { page } = dashboard;
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
    await page.getByText('Meanwhile 5 workers are at work.').waitFor();
    expect(await page.getByRole('list', { name: 'At work now' }).textContent()).toContain(
      'DEMO-21 · implement · npm test -- parser',
    );
    await expect.poll(() => page.title()).toBe('Inbox · invoices');
  });

  test('says what to do where it cannot be read', async () => {
    await using dashboard = await stage.open(fullInbox(), { path: 'nowhere' });
    const { page, fixture } = dashboard;
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    // Refused every time, because the badge reads it too.
    const allow = fixture.keepRefusing('GET /inbox', {
      status: 502,
      code: 'tracker.down',
      message: 'The tracker is away.',
      next: 'Wait for it.',
    });
    await page.goto(`${fixture.url}/ui/inbox`);
    await page.getByText('Wait for it.').waitFor();
    // Until the click, the page's own reading must not succeed: it would take the button away.
    const answer = fixture.hold('GET /inbox');
    allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await page.getByRole('region', { name: 'Questions 2' }).waitFor();
  });

  for (const [name, look] of [
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const) {
    test(`has no barrier ${name}`, async () => {
      await using dashboard = await stage.open(fullInbox(), {
        path: 'inbox',
        reducedMotion: 'reduce',
        ...look,
      });
      const { page } = dashboard;
      await page.getByText('6 of 7 conditions hold').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  }

  test('shows foreign text as text', async () => {
    const hostile =
      '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202Egnp.exe\u001b[31mred';
    const facts = fullInbox();
    facts.inbox = [
      item('question', 'A-1', hostile, {
        text: `plan asks: ${hostile}`,
        mode: 'plan',
        since: 1,
        question: 1,
        next: hostile,
      }),
      item('message', null, hostile, { text: hostile, since: 1, next: 'read it: nobody holds this role' }),
    ];
    await using dashboard = await open(facts);
    const { page, complaints } = dashboard;
    await page.getByRole('region', { name: 'Questions 1' }).waitFor();
    const shown = '<img src=x onerror="document.title=1"><script>alert(1)</script>·gnp.exered';
    expect(await page.locator('[data-title]').allTextContents()).toEqual([shown, shown]);
    expect(await page.locator('.inbox img, .inbox script').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

type Page = Awaited<ReturnType<Stage['open']>>['page'];

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement?.textContent');
}

/** The health dialog says when the stream is there. */
async function live(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByText('live: changes show at once').waitFor();
  await page.keyboard.press('Escape');
}
