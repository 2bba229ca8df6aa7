/** Runs an accessibility checker on every tab of an issue's page and in its dialogs. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findAccessibilityViolations } from '../support/accessibility.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts } from './issue-facts.ts';
import { createRunningIssue, ID } from './running-issue.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/**
 * The checker scans every element of nine tabs, which takes two seconds per tab on a busy machine.
 */
const MAX_TEST_MS = 90_000;
/** Text that each tab shows once it has loaded. */
const PARTS = {
  issue: '.status-says',
  timeline: '[data-entry]',
  transcript: '.line-question',
  diff: '.diff-line',
  ci: '.ci-check',
  gates: '.checklist li',
  handoffs: '.steps li',
  attempts: '.verdicts li',
  discussion: '.comment',
};

describe.runIf(chromiumPath !== undefined)('issue page accessibility', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue-accessible');
  });
  afterAll(() => browser.close());

  test.each([
    ['light', {}],
    ['dark', {}],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)(
    'has no violations on any tab, in %s mode with the browser options %j',
    async (colorScheme, size) => {
      await using dashboard = await browser.open(createIssueFacts(withQuestion()), {
        path: `issues/${ID}`,
        colorScheme,
        reducedMotion: 'reduce',
        ...size,
      });
      const { page } = dashboard;
      for (const [index, [part, shown]] of Object.entries(PARTS).entries()) {
        await page.getByRole('tab').nth(index).click();
        await page.locator(shown).first().waitFor();
        expect(await findAccessibilityViolations(page), part).toEqual([]);
      }
    },
    MAX_TEST_MS,
  );

  test('has no violations while the issue is loading', async () => {
    await using dashboard = await browser.open(createIssueFacts(createRunningIssue()), {
      path: 'fleet',
      reducedMotion: 'reduce',
    });
    const { page, fixture } = dashboard;
    await page.getByRole('link', { name: 'Board' }).waitFor();
    const releases = ['GET /board', `GET /issues/${ID}`].map((route) => fixture.hold(route));
    await page.goto(new URL(`/ui/issues/${ID}`, page.url()).href);
    await page.getByRole('heading', { level: 1, name: `Loading ${ID}` }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    for (const release of releases) release();
    await page.getByRole('heading', { level: 1, name: 'A queue for outgoing webhooks' }).waitFor();
  });

  test('has no violations in the menu and the dialogs, which return the focus when they close', async () => {
    await using dashboard = await browser.open(createIssueFacts(withQuestion()), {
      path: `issues/${ID}`,
      reducedMotion: 'reduce',
    });
    const { page } = dashboard;
    const more = page.getByRole('button', { name: 'All actions', disabled: false });
    await more.waitFor();
    await page.keyboard.press('.');
    expect(await findAccessibilityViolations(page), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    for (const key of ['p', 'd', 'w', 'Shift+D']) {
      await more.focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await findAccessibilityViolations(page), `dialog of ${key}`).toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect
        .poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"))
        .toBe('All actions');
    }
  });
});

function withQuestion() {
  const facts = createRunningIssue();
  const question = {
    question: 3,
    mode: 'implement' as const,
    text: 'May they be dropped?',
    askedAt: Date.now() - 60_000,
  };
  facts.explanation = { ...facts.explanation, openQuestions: [question] };
  return facts;
}
