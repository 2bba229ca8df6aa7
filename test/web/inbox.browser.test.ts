/** Tests the inbox in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findAccessibilityViolations } from './support/accessibility.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { createBusyDay } from './support/facts.ts';
import { createFullInbox, item } from './support/inbox-facts.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe.runIf(chromiumPath !== undefined)('inbox', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'inbox');
  });
  afterAll(() => browser.close());
  const open = (facts = createFullInbox()) => browser.open(facts, { path: 'inbox' });

  test('groups items by kind, oldest first, and shows in each item the information that the decision needs', async () => {
    await using dashboard = await open();
    const { page, pageErrors } = dashboard;
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
    await page.getByText('6 of 7 conditions are met').waitFor();
    expect(await page.locator('.check-name').getByText('CI passes at this commit').count()).toBe(1);
    await page.getByText('ZIP, because accountants open it everywhere').waitFor();
    await page.getByText('test, attempt 2, died with exit code 137; the issue is paused').waitFor();
    await page.getByText('--reporter=the short one').waitFor();
    const log = page.getByRole('region', { name: 'End of the log of unit' });
    expect(await log.textContent()).toContain('not ok 2 - <b>the total</b> is below the table');
    const checks = page.getByRole('link', { name: 'Show all checks' });
    expect(await checks.getAttribute('href')).toMatch(/\/issues\/DEMO-18\?tab=ci$/);
    await expect.poll(() => page.title()).toBe('(10) Inbox · invoices');
    expect(pageErrors).toEqual([]);
  });

  test('sends an answer with Ctrl+Enter, shows that the question is answered, and moves to the next question', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Your answer to DEMO-20' }).fill('No, never.');
    const letGo = fixture.hold('POST /issues/DEMO-20/answer');
    await page.keyboard.press('Control+Enter');
    const box = page.getByRole('textbox', { name: 'Your answer to DEMO-20' });
    await expect.poll(() => box.isEditable()).toBe(false);
    expect(await page.getByRole('button', { name: 'Sending…' }).isEnabled()).toBe(false);
    letGo();
    await page.getByText('The question of DEMO-20 is answered').waitFor();
    await page.getByRole('region', { name: 'Questions 1' }).waitFor();
    expect(fixture.requests[0]?.body).toEqual({ text: 'No, never.', question: 2 });
    expect(await focused(page)).toBe('Send reminders for unpaid invoices');
    await expect.poll(() => page.title()).toBe('(9) Inbox · invoices');
  });

  test('keeps typed text and the caret position while the list of items changes', async () => {
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
    fixture.emitEvent('question.asked', { issue: 'DEMO-2' });
    await page.getByRole('region', { name: 'Questions 3' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' days.');
    const box = page.getByRole('textbox', { name: 'Your answer to DEMO-22' });
    expect(await box.inputValue()).toBe('Fourteen days.');
    await page.reload();
    expect(await box.inputValue()).toBe('Fourteen days.');
  });

  test('keeps the text that a person wrote in an item even if the item is settled elsewhere', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('textbox', { name: 'Your answer to DEMO-22' }).fill('Half a thought');
    await live(page);
    fixture.facts.inbox = fixture.facts.inbox.filter(({ issue }) => issue !== 'DEMO-22');
    fixture.emitEvent('question.answered', { issue: 'DEMO-22' });
    await page.getByText('This was settled elsewhere while you were writing.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Your answer to DEMO-22' }).inputValue()).toBe(
      'Half a thought',
    );
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: 'Questions 1' }).waitFor();
  });

  test('shows why an answer was refused and the next step, and keeps the answer', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    fixture.refuse('POST /issues/DEMO-20/answer', {
      status: 409,
      code: 'question.none_open',
      message: 'Someone was faster.',
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

  test('asks for confirmation of an approval only if the approval leads to a merge', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('DEMO-28 is approved and continues.').waitFor();
    await page.getByRole('button', { name: 'Approve merge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(fixture.requests.map(({ route }) => route)).toEqual(['POST /issues/DEMO-28/approve']);
    await page.getByRole('button', { name: 'Approve merge' }).click();
    await dialog.getByRole('button', { name: 'Approve merge' }).click();
    await page.getByText('DEMO-15 is approved and continues.').waitFor();
    await expect.poll(() => page.getByRole('region', { name: /^Approvals/ }).count()).toBe(0);
  });

  test('can be used with the keyboard alone to move between items, answer, approve, resume and open them', async () => {
    await using dashboard = await open();
    const { page, fixture } = dashboard;
    await page.getByRole('region', { name: 'Questions 2' }).waitFor();
    await page.getByText('6 of 7 conditions are met').waitFor();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Invoice numbers skip after a failed payment');
    await page.keyboard.press('a');
    await page.keyboard.type('jak: never'); // letters are not shortcuts while typing
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
    expect(fixture.requests.map(({ route }) => route)).toEqual([
      'POST /issues/DEMO-28/approve',
      'POST /issues/DEMO-18/resume',
    ]);
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('Cache exchange rates for an hour');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/issues\/DEMO-15$/);
  });

  test('approves exactly the commands whose fingerprint it shows; stops a worker after confirmation; lets workers start again', async () => {
    const facts = createFullInbox();
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
    await page.getByRole('button', { name: 'Approve exactly these commands' }).click();
    await page.getByText('The commands of invoices are approved.').waitFor();
    await page.getByRole('button', { name: 'Stop worker…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop worker' }).click();
    await page.getByText('demo-19-test has been asked to stop.').waitFor();
    await page.getByRole('button', { name: 'Resume starts' }).click();
    await page.getByText('Workers can start again.').waitFor();
    expect(fixture.requests.map(({ route }) => route)).toEqual([
      'POST /repositories/commands/approve',
      'DELETE /workers/demo-19-test',
      'POST /resume',
    ]);
    expect(fixture.requests[0]?.body).toEqual({
      repo: 'invoices',
      fingerprint: '5d41402abc4b2a76b9719d911017c592',
    });
  });

  test('shows a next step as a terminal command only if it is a command, not if it is a sentence', async () => {
    const facts = createFullInbox();
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

  test('shows only one entry for a problem that blocks every start, although the problem is both an inbox item and a reported problem of the daemon', async () => {
    const facts = createFullInbox();
    const message = 'No agent is ready.';
    facts.inbox = [
      item('problem', null, 'No worker is started', { text: message, since: 1, next: 'legion doctor' }),
    ];
    const trouble = { code: 'preflight.agents', message, next: 'Log in.', since: 1 };
    const other = {
      code: 'tracker.down',
      message: 'The tracker is unreachable.',
      next: 'Wait for it.',
      since: 1,
    };
    facts.health = { ...facts.health, ok: false, troubles: [trouble, other] };
    await using dashboard = await open(facts);
    const { page } = dashboard;
    await page.getByRole('region', { name: 'Problems 1' }).getByText('The tracker is unreachable.').waitFor();
    await page.getByRole('region', { name: 'Nothing can start 1' }).waitFor();
    expect(await page.getByText(message).count()).toBe(1);
  });

  test('shows problems of the whole legion next to the items', async () => {
    const facts = createFullInbox();
    facts.health = {
      ...facts.health,
      ok: false,
      troubles: [
        {
          code: 'tracker.down',
          message: 'The tracker is unreachable.',
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

  test('reports that nothing needs a person, and shows what the legion is doing', async () => {
    const facts = createBusyDay();
    facts.inbox = [];
    await using dashboard = await open(facts);
    const { page } = dashboard;
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
    await page.getByText('Meanwhile 5 workers are running.').waitFor();
    expect(await page.getByRole('list', { name: 'Running now' }).textContent()).toContain(
      'DEMO-21 · implement · npm test -- parser',
    );
    await expect.poll(() => page.title()).toBe('Inbox · invoices');
  });

  test('shows the next step if the inbox cannot be read', async () => {
    await using dashboard = await browser.open(createFullInbox(), { path: 'nowhere' });
    const { page, fixture } = dashboard;
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    // Refuses every request, not only one, because the badge reads the inbox too.
    const allow = fixture.keepRefusing('GET /inbox', {
      status: 502,
      code: 'tracker.down',
      message: 'The tracker is unreachable.',
      next: 'Wait for it.',
    });
    await page.goto(`${fixture.url}/ui/inbox`);
    await page.getByText('Wait for it.').waitFor();
    // Holds back the page's own refetch. If it succeeded before the click, it would remove the
    // button.
    const answer = fixture.hold('GET /inbox');
    allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await page.getByRole('region', { name: 'Questions 2' }).waitFor();
  });

  for (const [name, look] of [
    ['in light mode', { colorScheme: 'light' }],
    ['in dark mode', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const) {
    test(`has no accessibility violations ${name}`, async () => {
      await using dashboard = await browser.open(createFullInbox(), {
        path: 'inbox',
        reducedMotion: 'reduce',
        ...look,
      });
      const { page } = dashboard;
      await page.getByText('6 of 7 conditions are met').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  }

  test('shows untrusted text as plain text', async () => {
    const hostile =
      '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202Egnp.exe\u001b[31mred';
    const facts = createFullInbox();
    facts.inbox = [
      item('question', 'A-1', hostile, {
        text: `plan asks: ${hostile}`,
        mode: 'plan',
        since: 1,
        question: 1,
        next: hostile,
      }),
      item('message', null, hostile, { text: hostile, since: 1, next: 'read it: no worker has this role' }),
    ];
    await using dashboard = await open(facts);
    const { page, pageErrors } = dashboard;
    await page.getByRole('region', { name: 'Questions 1' }).waitFor();
    const shown = '<img src=x onerror="document.title=1"><script>alert(1)</script>·gnp.exered';
    expect(await page.locator('[data-title]').allTextContents()).toEqual([shown, shown]);
    expect(await page.locator('.inbox img, .inbox script').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });
});

type Page = Awaited<ReturnType<DashboardBrowser['open']>>['page'];

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement?.textContent');
}

/** Waits until the health dialog shows that the stream is connected. */
async function live(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByText('live: changes appear immediately').waitFor();
  await page.keyboard.press('Escape');
}
