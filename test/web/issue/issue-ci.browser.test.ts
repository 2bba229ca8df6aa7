/** Tests the CI tab of an issue's page in a real browser. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts } from './issue-facts.ts';
import { createRunningIssue, ID } from './running-issue.ts';

/** Element properties that these tests read. Declared here, because the tests have no DOM types. */
interface Frame {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

describe.runIf(chromiumPath !== undefined)('CI tab', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue-ci');
  });
  afterAll(() => browser.close());

  const open = (facts = createRunningIssue(), more = {}) =>
    browser.open(createIssueFacts(facts), { path: `issues/${ID}?tab=ci`, ...more });

  test('shows each check with its state, its link and the end of its log as plain text', async () => {
    await using dashboard = await open();
    const { page, pageErrors } = dashboard;
    const unit = page.getByRole('region', { name: 'Check unit' });
    await unit.waitFor();
    const heads = await page.locator('.ci-check h2').allInnerTexts();
    expect(heads.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '✗ unit failing Open the check',
      '? e2e could not run',
      '… bench running',
      '✓ lint passing',
    ]);
    expect(await unit.getByRole('link').getAttribute('href')).toBe(
      'https://github.com/acme/shop/actions/runs/1/job/2',
    );
    await unit.getByText('1 of 212 tests failed').waitFor();
    const log = unit.getByRole('region', { name: 'End of the log of unit' });
    expect(await log.textContent()).toContain('not ok 61 - <b>a receiver that is away</b>');
    expect(await log.locator('b').count()).toBe(0);
    const box = await log.evaluate((frame) => {
      const { scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth } = frame as Frame;
      return { left: scrollHeight - clientHeight - scrollTop, isWider: scrollWidth > clientWidth, scrollTop };
    });
    expect(box.isWider).toBe(false);
    expect(box.scrollTop).toBeGreaterThan(0);
    expect(box.left).toBeLessThan(2);
    // The log of a passing check is folded, and an unsafe address is not shown as a link.
    const lint = page.getByRole('region', { name: 'Check lint' });
    expect(await lint.getByText('Checked 212 files.').isVisible()).toBe(false);
    await lint.getByText('End of the log').click();
    await lint.getByText('Checked 212 files.').waitFor();
    expect(await lint.getByRole('link').count()).toBe(0);
    await page.getByText('GitHub no longer has the log: follow the link.').waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('reports a missing pull request, missing CI and problems of the base branch', async () => {
    const facts = createRunningIssue();
    facts.ci = {
      ...facts.ci,
      number: null,
      sha: null,
      status: 'none',
      checks: [],
      says: `${ID} has no pull request yet: CI runs once a worker has opened one.`,
      next: `legion explain ${ID} shows what it is waiting for.`,
      problems: [
        {
          code: 'baseline.failed',
          message: 'The baseline of shop is red: `npm test` on main\n3 tests fail',
          next: 'Fix it.',
        },
      ],
    };
    await using dashboard = await open(facts);
    const { page } = dashboard;
    await page.getByRole('heading', { name: `${ID} has no pull request yet` }).waitFor();
    await page.getByText(`legion explain ${ID} shows what it is waiting for.`).waitFor();
    const problem = page.getByRole('region', { name: 'Repository problem' });
    expect(await problem.textContent()).toContain('3 tests fail');
    await problem.getByText('Fix it.').waitFor();
  });

  test('shows why CI cannot be read, and retries on request', async () => {
    await using dashboard = await browser.open(createIssueFacts(createRunningIssue()), {
      path: `issues/${ID}`,
    });
    const { page, fixture } = dashboard;
    const fault = {
      status: 404,
      code: 'forge.pull_request_missing',
      message: 'It is gone',
      next: 'Look for it.',
    };
    const stop = fixture.keepRefusing(`GET /issues/${ID}/ci`, fault);
    await page.getByRole('tab', { name: 'CI' }).click();
    await page.getByRole('heading', { name: 'CI could not be read' }).waitFor();
    await page.getByText('It is gone').waitFor();
    // Holds back the page's own refetch. If it succeeded before the click, it would remove the
    // button.
    const answer = fixture.hold(`GET /issues/${ID}/ci`);
    stop();
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await page.getByRole('region', { name: 'Check unit' }).waitFor();
  });

  test('updates on events of the issue', async () => {
    const facts = createRunningIssue();
    await using dashboard = await open(facts);
    const { page, fixture } = dashboard;
    await page.getByRole('region', { name: 'Check unit' }).waitFor();
    facts.ci = {
      ...facts.ci,
      status: 'passing',
      says: 'CI passes at the head of the pull request.',
      checks: [{ name: 'unit', status: 'passing', log: 'all is well' }],
    };
    await page.waitForTimeout(500);
    fixture.emitEvent('attempt.active', { issue: ID });
    await page.getByText('CI passes at the head of the pull request.').waitFor();
  });

  test('fits on a phone', async () => {
    await using dashboard = await open(createRunningIssue(), { viewport: { width: 390, height: 844 } });
    const { page } = dashboard;
    await page.getByRole('region', { name: 'Check unit' }).waitFor();
    const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(isWider).toBe(false);
  });
});
