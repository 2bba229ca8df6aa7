/**
 * Tests untrusted text on every page of the dashboard. It is shown as plain text and is never
 * executed or followed as a link.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpDashboard } from './dashboard-legion.ts';
import { createLoginAddress, openVisit } from './visit.ts';

const ATTACKS = [
  '<script>window.__pwned="script"</script>',
  '<img src=x onerror=window.__pwned="img">',
  '<svg/onload=window.__pwned="svg">',
  '"><a href=javascript:window.__pwned="link">here</a>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: sample of hostile text.
  '{{window.__pwned}}${window.__pwned}',
].join(' ');
const MARKDOWN =
  '[markdown](javascript:window.__pwned="markdown") ![picture](data:image/svg+xml,<svg/onload=window.__pwned="picture">)';
const ESCAPES = '\u001b[31mred\u001b[0m \u001b]8;;https://evil.test/\u0007link\u001b]8;;\u0007';
const TURNED = 'user\u202eresu\u2066 \u200f';
const HOSTILE = `${ATTACKS} ${MARKDOWN} ${ESCAPES} ${TURNED}`;
const HOSTILE_LINES = `${ATTACKS}\n${MARKDOWN}\n${ESCAPES}\n${TURNED}`;

const TABS = ['issue', 'timeline', 'transcript', 'diff', 'ci', 'gates', 'handoffs', 'attempts', 'discussion'];
/** Counts elements that come from untrusted text. */
const FOREIGN =
  "document.querySelectorAll(\"script:not([src^='/ui/']), img, svg[onload], [onerror], a[href^='javascript'], a[href*='evil'], iframe\").length";

/** Finds texts with terminal escape sequences or text-direction overrides. */
const UNRULY = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const unruly = [];
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    if (/\\u001b|\\u009b/.test(data) || (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(data))) unruly.push(data);
  }
  return unruly;
})()`;

describe.runIf(chromiumPath !== undefined)('untrusted text', () => {
  const suite = setUpDashboard({
    scenario: [
      {
        mode: 'plan',
        steps: [
          { say: HOSTILE_LINES },
          { write: { path: 'img onerror.txt', content: `${HOSTILE_LINES}\n` } },
          { handoff: { summary: HOSTILE, decided: [HOSTILE], left: [HOSTILE_LINES] } },
          { comment: { text: HOSTILE_LINES, key: 'hostile' } },
          { checkpoint: { stage: HOSTILE, completed: [HOSTILE], remaining: [HOSTILE], lastAction: HOSTILE } },
          { ask: HOSTILE_LINES },
        ],
      },
    ],
  });

  test.each([
    ['contains terminal escape sequences', ESCAPES],
    ['reverses the direction of the text around it', TURNED],
  ])('that %s is refused as the title of an issue', async (_, title) => {
    const { status } = await suite.daemon.request('POST', '/issues', { title });
    expect(status).toBe(400);
  });

  test('is shown as plain text on every page, whoever wrote it', async () => {
    const id = await suite.add({
      title: ATTACKS,
      body: `${HOSTILE_LINES}\nAcceptance criteria:\n- it greets`,
      labels: ['chore'],
      status: 'Backlog',
    });
    await suite.daemon.post(`/issues/${id}/comments`, { text: HOSTILE_LINES });
    const explain = () => suite.daemon.get<IssueExplanation>(`/issues/${id}/explain`);
    await until(explain, ({ openQuestions }) => openQuestions.length > 0, 120_000);

    await using visit = await openVisit(suite.browser);
    const { page, pageErrors } = visit;
    await page.addInitScript(
      'window.__refused = []; addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.__refused.push(violatedDirective + " " + blockedURI), true)',
    );
    await page.goto(await createLoginAddress(suite.daemon, '/ui/'));
    await page.locator(`[data-card="${id}"]`).waitFor();
    await expectHarmless(page, 'the board');
    for (const tab of TABS) {
      await page.goto(`${suite.daemon.url}/ui/issues/${id}?tab=${tab}`);
      await page.getByRole('heading', { level: 1 }).getByText('<script>').waitFor();
      await page.getByRole('tabpanel').waitFor();
      if (SHOWS.has(tab)) await page.getByRole('tabpanel').getByText('<script>').first().waitFor();
      await expectHarmless(page, tab);
    }
    for (const name of ['inbox', 'fleet']) {
      await page.goto(`${suite.daemon.url}/ui/${name}`);
      await page
        .getByText(name === 'inbox' ? '<script>' : id)
        .first()
        .waitFor();
      await expectHarmless(page, name);
    }
    expect(pageErrors).toEqual([]);
  });
});

/** Tabs that show the untrusted text. */
const SHOWS = new Set(['issue', 'transcript', 'handoffs', 'discussion']);

async function expectHarmless(page: Page, where: string): Promise<void> {
  expect(await page.evaluate('String(window.__pwned)'), where).toBe('undefined');
  expect(await page.evaluate('window.__refused'), where).toEqual([]);
  expect(await page.evaluate(FOREIGN), where).toBe(0);
  expect(await page.evaluate(UNRULY), where).toEqual([]);
}
