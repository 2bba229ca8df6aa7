/** What a checker of accessibility finds on every part of an issue's page and in its dialogs. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { barriersOn } from '../support/accessibility.ts';
import { chromiumPath, openStage, type Stage } from '../support/browser.ts';
import { dayOf } from './issue-facts.ts';
import { ID, issueAtWork } from './running-issue.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** The checker looks at every element of nine parts, for two seconds each on a busy machine. */
const NINE_LOOKS_MS = 90_000;
/** Something each part shows once it is there. */
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

describe.runIf(chromiumPath !== undefined)('the page of an issue for everybody', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'issue-accessible');
  });
  afterAll(() => stage.close());

  test.each([
    ['light', {}],
    ['dark', {}],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)(
    'has no violation in any part, in %s with %j',
    async (colorScheme, size) => {
      await using dashboard = await stage.open(dayOf(withQuestion()), {
        path: `issues/${ID}`,
        colorScheme,
        reducedMotion: 'reduce',
        ...size,
      });
      const { page } = dashboard;
      for (const [index, [part, shown]] of Object.entries(PARTS).entries()) {
        await page.getByRole('tab').nth(index).click();
        await page.locator(shown).first().waitFor();
        expect(await barriersOn(page), part).toEqual([]);
      }
    },
    NINE_LOOKS_MS,
  );

  test('has no violation while the issue is loading', async () => {
    await using dashboard = await stage.open(dayOf(issueAtWork()), {
      path: 'fleet',
      reducedMotion: 'reduce',
    });
    const { page, fixture } = dashboard;
    await page.getByRole('link', { name: 'Board' }).waitFor();
    const releases = ['GET /board', `GET /issues/${ID}`].map((route) => fixture.hold(route));
    await page.goto(new URL(`/ui/issues/${ID}`, page.url()).href);
    await page.getByRole('heading', { level: 1, name: `Loading ${ID}` }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    for (const release of releases) release();
    await page.getByRole('heading', { level: 1, name: 'A queue for outgoing webhooks' }).waitFor();
  });

  test('has no violation in its menu and its dialogs, and gives the focus back', async () => {
    await using dashboard = await stage.open(dayOf(withQuestion()), {
      path: `issues/${ID}`,
      reducedMotion: 'reduce',
    });
    const { page } = dashboard;
    const more = page.getByRole('button', { name: 'All actions', disabled: false });
    await more.waitFor();
    await page.keyboard.press('.');
    expect(await barriersOn(page), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    for (const key of ['p', 'd', 'w', 'Shift+D']) {
      await more.focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await barriersOn(page), `dialog of ${key}`).toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect
        .poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"))
        .toBe('All actions');
    }
  });
});

function withQuestion() {
  const facts = issueAtWork();
  const question = {
    question: 3,
    mode: 'implement' as const,
    text: 'May they be dropped?',
    askedAt: Date.now() - 60_000,
  };
  facts.explanation = { ...facts.explanation, openQuestions: [question] };
  return facts;
}
