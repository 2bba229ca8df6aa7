/** Text of strangers on every page of the dashboard: shown as text, never run, never followed. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { until } from '../../support/running-daemon.ts';
import { stage } from './dashboard-legion.ts';
import { addressOf, newVisit } from './visit.ts';

const ATTACKS = [
  '<script>window.__pwned="script"</script>',
  '<img src=x onerror=window.__pwned="img">',
  '<svg/onload=window.__pwned="svg">',
  '"><a href=javascript:window.__pwned="link">here</a>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a stranger would write.
  '{{window.__pwned}}${window.__pwned}',
].join(' ');
const MARKDOWN =
  '[markdown](javascript:window.__pwned="markdown") ![picture](data:image/svg+xml,<svg/onload=window.__pwned="picture">)';
const ESCAPES = '\u001b[31mred\u001b[0m \u001b]8;;https://evil.test/\u0007link\u001b]8;;\u0007';
const TURNED = 'user\u202eresu\u2066 \u200f';
const HOSTILE = `${ATTACKS} ${MARKDOWN} ${ESCAPES} ${TURNED}`;
const HOSTILE_LINES = `${ATTACKS}\n${MARKDOWN}\n${ESCAPES}\n${TURNED}`;

const TABS = ['issue', 'timeline', 'transcript', 'diff', 'ci', 'gates', 'handoffs', 'attempts', 'discussion'];
/** Beside ours: nothing of a stranger's has become an element. */
const FOREIGN =
  "document.querySelectorAll(\"script:not([src^='/ui/']), img, svg[onload], [onerror], a[href^='javascript'], a[href*='evil'], iframe\").length";

/** Texts with what a terminal would obey, or with what turns round the words beside it because no box of its own holds it. */
const UNRULY = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const unruly = [];
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    if (/\\u001b|\\u009b/.test(data) || (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(data))) unruly.push(data);
  }
  return unruly;
})()`;

describe.runIf(chromiumPath !== undefined)('text of strangers', () => {
  const house = stage({
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
    ['steers a terminal', ESCAPES],
    ['turns the words around it', TURNED],
  ])('that %s is refused as a title', async (_, title) => {
    const { status } = await house.daemon.request('POST', '/issues', { title });
    expect(status).toBe(400);
  });

  test('is text on every page, whoever wrote it', async () => {
    const id = await house.add({
      title: ATTACKS,
      body: `${HOSTILE_LINES}\nAcceptance criteria:\n- it greets`,
      labels: ['chore'],
      status: 'Backlog',
    });
    await house.daemon.post(`/issues/${id}/comments`, { text: HOSTILE_LINES });
    const explain = () => house.daemon.get<Explanation>(`/issues/${id}/explain`);
    await until(explain, ({ openQuestions }) => openQuestions.length > 0, 120_000);

    await using visit = await newVisit(house.browser);
    const { page, complaints } = visit;
    await page.addInitScript(
      'window.__refused = []; addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.__refused.push(violatedDirective + " " + blockedURI), true)',
    );
    await page.goto(await addressOf(house.daemon, '/ui/'));
    await page.locator(`[data-card="${id}"]`).waitFor();
    await expectHarmless(page, 'the board');
    for (const tab of TABS) {
      await page.goto(`${house.daemon.url}/ui/issues/${id}?tab=${tab}`);
      await page.getByRole('heading', { level: 1 }).getByText('<script>').waitFor();
      await page.getByRole('tabpanel').waitFor();
      if (SHOWS.has(tab)) await page.getByRole('tabpanel').getByText('<script>').first().waitFor();
      await expectHarmless(page, tab);
    }
    for (const name of ['inbox', 'fleet']) {
      await page.goto(`${house.daemon.url}/ui/${name}`);
      await page
        .getByText(name === 'inbox' ? '<script>' : id)
        .first()
        .waitFor();
      await expectHarmless(page, name);
    }
    expect(complaints).toEqual([]);
  });
});

/** Parts in which it surely stands. */
const SHOWS = new Set(['issue', 'transcript', 'handoffs', 'discussion']);

async function expectHarmless(page: Page, where: string): Promise<void> {
  expect(await page.evaluate('String(window.__pwned)'), where).toBe('undefined');
  expect(await page.evaluate('window.__refused'), where).toEqual([]);
  expect(await page.evaluate(FOREIGN), where).toBe(0);
  expect(await page.evaluate(UNRULY), where).toEqual([]);
}
