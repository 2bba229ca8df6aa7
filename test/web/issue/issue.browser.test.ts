/** Tests the tabs of an issue's page in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts } from './issue-facts.ts';
import { createRunningIssue, ID } from './running-issue.ts';

describe.runIf(chromiumPath !== undefined)('issue page', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue');
  });
  afterAll(() => browser.close());

  test('shows the issue, its status and the reason', async () => {
    await using dashboard = await at(browser, 'issue');
    const { page, pageErrors } = dashboard;
    await page.getByText('The implementer is running.').waitFor();
    const head = await page.locator('.issue-head').textContent();
    for (const part of [ID, 'In Progress', 'DEMO-12']) expect(head).toContain(part);
    const facts = await page.getByRole('complementary', { name: 'Facts' }).textContent();
    for (const part of ['working', 'implement', '#47', 'CI pending', 'no review', '$2.83']) {
      expect(facts).toContain(part);
    }
    const why = await page.getByRole('tabpanel').textContent();
    for (const part of [
      'the worker reports, asks a question or fails',
      'ci failure 1',
      'pullRequest=47 open',
      'healthy',
      'Two hours in the same tool',
    ]) {
      expect(why).toContain(part);
    }
    await expect.poll(() => page.title()).toContain(`${ID} A queue for outgoing webhooks`);
    expect(pageErrors).toEqual([]);
  });

  test('opens each tab by its number key and by its address, and goes back through the opened tabs', async () => {
    await using dashboard = await at(browser, 'issue');
    const { page } = dashboard;
    await page.getByText('The implementer is running.').waitFor();
    for (const [key, name] of [
      'Issue',
      'Timeline',
      'Transcript',
      'Diff',
      'CI',
      'Gates',
      'Handoffs',
      'Attempts',
      'Discussion',
    ].entries()) {
      await page.keyboard.press(String(key + 1));
      await page.getByRole('tab', { name, selected: true }).waitFor();
    }
    await page.getByText('Order matters per customer only.').waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('discussion');
    await page.goBack();
    await page.getByRole('tab', { name: 'Attempts', selected: true }).waitFor();
    await page.reload();
    await page.getByText('it crashed: its process was gone').waitFor();
  });

  test('shows the timeline newest first, filters it by actor, and loads older entries on demand', async () => {
    await using dashboard = await at(browser, 'timeline');
    const { page } = dashboard;
    const lines = page.locator('[data-entry]');
    await lines.first().waitFor();
    expect(await page.getByText('has used 3 turns').count()).toBe(0);
    await page.getByRole('button', { name: 'Every step' }).click();
    await expect.poll(() => lines.count()).toBe(40);
    expect(await page.getByText('has used 3 turns').count()).toBe(6);
    expect(await lines.first().getAttribute('data-entry')).toBe('1089');
    await page.getByRole('button', { name: 'Show older' }).click();
    await expect.poll(() => lines.count()).toBe(80);
    await page.getByRole('button', { name: 'People' }).click();
    await expect
      .poll(async () => new Set(await page.locator('.story-says').allInnerTexts()))
      .toEqual(new Set(['mira answered question 3']));
    expect(new URL(page.url()).searchParams.get('by')).toBe('person');
    await page.getByRole('button', { name: 'Legion' }).click();
    await page.locator('.story-line .fold summary').first().click();
    await page.getByText('lastEvent=140 s ago').first().waitFor();
  });

  test('shows every merge condition with a symbol, a word and its evidence', async () => {
    await using dashboard = await at(browser, 'gates');
    const { page } = dashboard;
    const rows = page.getByRole('region', { name: 'Merge conditions', exact: true }).locator('li');
    await rows.first().waitFor();
    const said = await rows.allInnerTexts();
    expect(said.map((text) => text.split('\n').join(' '))).toContain(
      '✗ A review approves this commit not met',
    );
    expect(said.map((text) => text.split('\n').join(' '))).toContain('? CI passes at this commit not known');
    await page.getByText('not allowed here: a person must merge').waitFor();
    expect(await page.getByText('review=none').isVisible()).toBe(false);
    await page.getByText('Details', { exact: true }).first().click();
    await page.getByText('review=none').waitFor();
  });

  test('reports a missing pull request instead of showing merge conditions as unmet', async () => {
    const facts = createRunningIssue();
    facts.gates = { ...facts.gates, headSha: null };
    await using dashboard = await at(browser, 'gates', facts);
    await dashboard.page.getByText('There is no pull request yet.').waitFor();
    expect(await dashboard.page.getByText('not met').count()).toBe(0);
  });

  test("shows a handoff's plan as steps and every other structure as text", async () => {
    await using dashboard = await at(browser, 'handoffs');
    const { page } = dashboard;
    const plan = page.getByRole('region', { name: 'plan' });
    await plan.waitFor();
    expect(await plan.locator('.steps > li > strong').allInnerTexts()).toEqual([
      'A table and the code that writes to it',
      'A sender that takes the oldest webhook of each customer',
      'Retries with backoff',
      'Document the queue',
    ]);
    const architect = await page.getByRole('region', { name: 'architect' }).textContent();
    for (const part of [
      'Order is kept per customer, not across all customers',
      'kill -9 while 100 wait',
      'two servers at once',
    ]) {
      expect(architect).toContain(part);
    }
    expect(architect).not.toContain('{');
  });

  test('lists every attempt with its outcome, verdicts and cost, and links to its transcript', async () => {
    await using dashboard = await at(browser, 'attempts');
    const { page } = dashboard;
    const crashed = page.getByRole('region', { name: 'implement, attempt 1' });
    await crashed.waitFor();
    const text = await crashed.textContent();
    for (const part of [
      'crashed',
      'claude-code sonnet',
      '620,000 tokens',
      '$1.10',
      'suspected: no sign of life',
    ])
      expect(text).toContain(part);
    await crashed.getByRole('link', { name: 'Transcript' }).click();
    await page.getByText('The first attempt.').waitFor();
    expect(await page.getByRole('combobox', { name: 'Attempt' }).inputValue()).toBe('1');
  });

  test('updates when an event arrives, without a click', async () => {
    const facts = createRunningIssue();
    await using dashboard = await at(browser, 'issue', facts);
    const { page, fixture } = dashboard;
    await page.getByText('The implementer is running.').waitFor();
    await streaming(page);
    const { state } = facts.explanation;
    facts.explanation = {
      ...facts.explanation,
      state: { ...state, says: 'The provider is currently rejecting the worker’s requests.' },
    };
    fixture.emitEvent('attempt.waiting', { issue: ID });
    await page.getByText('The provider is currently rejecting the worker’s requests.').waitFor();
  });

  test('reports an unknown issue, and shows the records of an issue that has left the board', async () => {
    const unknown = {
      status: 404,
      code: 'tracker.issue_unknown',
      message: 'DEMO-21 is not on the board.',
      next: 'Look at the board.',
    };
    await using dashboard = await browser.open(createIssueFacts(createRunningIssue()), { path: 'fleet' });
    const { page, fixture } = dashboard;
    await page.getByRole('link', { name: 'Board' }).waitFor();
    fixture.keepRefusing(`GET /issues/${ID}`, unknown);
    await page.evaluate(
      `history.pushState(null, '', '/ui/issues/${ID}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByRole('heading', { name: `${ID} has left the board` }).waitFor();
    await page.locator('[data-entry]').first().waitFor();

    fixture.keepRefusing('GET /issues/DEMO-99', unknown);
    await page.goto(`${fixture.url}/ui/issues/DEMO-99`);
    await page.getByRole('heading', { name: 'DEMO-99 does not exist' }).waitFor();
    await page.getByText('The board has no issue with this id. Go to the board', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Go to the board' }).click();
    await page.locator('[data-card]').first().waitFor();
  });
});

type Page = Awaited<ReturnType<DashboardBrowser['open']>>['page'];

function at(browser: DashboardBrowser, tab: string, facts = createRunningIssue()) {
  return browser.open(createIssueFacts(facts), { path: `issues/${ID}?tab=${tab}` });
}

/** Waits until the health dialog shows that the stream is connected. */
async function streaming(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByText('live: changes appear immediately').waitFor();
  await page.keyboard.press('Escape');
}
