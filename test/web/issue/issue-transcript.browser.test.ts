/** Tests transcripts and diffs in a real browser, including live, very long and hostile ones. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from '../support/browser.ts';
import { createIssueFacts, type IssueFacts } from './issue-facts.ts';
import { formatLines } from './issue-log.ts';
import { createRunningIssue, ID } from './running-issue.ts';

const OUT = 'demo-21-implement 2 out';

describe.runIf(chromiumPath !== undefined)('transcript tab', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'issue-transcript');
  });
  afterAll(() => browser.close());

  test("shows the worker's output live, and the outcome of each tool call", async () => {
    const facts = createRunningIssue();
    await using dashboard = await opened(browser, facts);
    const { page, pageErrors } = dashboard;
    const rows = page.getByRole('region', { name: /^Transcript of/ });
    await page.getByText('I read the plan and the handoff first').waitFor();
    const text = await rows.textContent();
    for (const part of [
      'Turn ended',
      '18,200 tokens in',
      'Received message 17',
      'The provider is overloaded.',
      'Asks',
      'a line that is not JSON',
    ]) {
      expect(text).toContain(part);
    }
    await page.getByRole('button', { name: /^Bash .* running$/ }).waitFor();
    facts.logs[OUT] += formatLines(
      { type: 'tool_ended', id: 't4', failed: false },
      { type: 'text', text: 'All of them pass.' },
    );
    await page.getByText('All of them pass.').waitFor();
    await page.getByRole('button', { name: /^Bash .* done$/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Bash .* failed 3 lines$/ }).count()).toBe(1);
    expect(pageErrors).toEqual([]);
  });

  test('folds tool results, unfolds them on request, and finds words in them', async () => {
    await using dashboard = await opened(browser, createRunningIssue());
    const { page } = dashboard;
    const failed = page.getByRole('button', { name: /^Bash .* failed 3 lines$/ });
    await failed.waitFor();
    const result = page.getByText('not ok 1 - a restart loses none');
    expect(await result.count()).toBe(0);
    await failed.click();
    await result.waitFor();
    await failed.click();
    await expect.poll(() => result.count()).toBe(0);
    await page.keyboard.press('f');
    await page.keyboard.type('actual: 0');
    await page.keyboard.press('Enter');
    await result.waitFor();
    // The highlights appear one render after the typed text.
    await expect.poll(() => page.locator('.is-current mark').textContent()).toBe('actual: 0');
  });

  test('shows a new attempt automatically when it starts, and another output stream on request', async () => {
    const facts = createRunningIssue();
    await using dashboard = await opened(browser, facts);
    const { page, fixture } = dashboard;
    await page.getByText('I read the plan').waitFor();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('err');
    await page.getByText('npm warn deprecated left-pad').waitFor();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('out');
    facts.workers = facts.workers.map((worker) =>
      worker.mode === 'implement' ? { ...worker, attempt: 3 } : worker,
    );
    facts.logs['demo-21-implement 3 out'] = formatLines({ type: 'text', text: 'The third attempt.' });
    await expect
      .poll(
        async () => {
          fixture.emitEvent('attempt.active', { issue: ID });
          return page.getByText('The third attempt.').count();
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(1);
  });

  test('follows the end while the transcript grows, and stops following it once the reader has scrolled up', async () => {
    const facts = createRunningIssue();
    facts.logs[OUT] = manyTexts(0, 400);
    await using dashboard = await opened(browser, facts);
    const { page } = dashboard;
    await page.getByText('Line 399.', { exact: true }).waitFor();
    facts.logs[OUT] += manyTexts(400, 20);
    await page.getByText('Line 419.', { exact: true }).waitFor();
    const frame = page.locator('.transcript');
    await frame.hover();
    await page.mouse.wheel(0, -3_000);
    await expect
      .poll(() => page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed'))
      .toBe('false');
    const before = await frame.evaluate('(list) => list.scrollTop');
    facts.logs[OUT] += manyTexts(420, 20);
    await page.waitForTimeout(1_500);
    expect(await frame.evaluate('(list) => list.scrollTop')).toBe(before);
    await page.keyboard.press('e');
    await page.getByText('Line 439.', { exact: true }).waitFor();
  });

  test('finds words, counts the matches and steps through them', async () => {
    const facts = createRunningIssue();
    facts.logs[OUT] = manyTexts(0, 2_000);
    await using dashboard = await opened(browser, facts);
    const { page } = dashboard;
    await page.getByText('Line 1999.', { exact: true }).waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('LINE 77');
    await page.getByText('0 / 11', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('11 / 11', { exact: true }).waitFor();
    await page.locator('.is-current', { hasText: 'Line 779.' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.is-current', { hasText: 'Line 77.' }).waitFor();
    expect(await page.locator('.is-current mark').textContent()).toBe('Line 77');
  });

  test('keeps the end of a 12 MB transcript, says that older output is left out, and renders only the visible part', async () => {
    const facts = createRunningIssue();
    const sentence = 'What a worker says, again and again. '.repeat(8);
    facts.logRequests = [];
    facts.logs[OUT] = Array.from({ length: 36_000 }, (_, index) =>
      formatLines({ type: 'text', text: `${index} ${sentence}` }),
    ).join('');
    expect(Buffer.byteLength(facts.logs[OUT])).toBeGreaterThan(11_000_000);
    await using dashboard = await opened(browser, facts);
    const { page } = dashboard;
    await page.getByText(/^35999 What a worker says/).waitFor({ timeout: 25_000 });
    await page.getByText('Older output is not shown').waitFor();
    expect(await page.locator('.transcript *').count()).toBeLessThan(600);
    const places = facts.logRequests.map((query) => Number(new URLSearchParams(query).get('offset') ?? 0));
    expect(facts.logRequests[0]).toMatch(/\blast=\d{7}\b/);
    expect(Math.min(...places.slice(1))).toBeGreaterThan(5_000_000);
    await page.keyboard.press('f');
    await page.keyboard.type('10000 What');
    await page.getByText('none', { exact: true }).waitFor();
    const frame = page.locator('.transcript');
    await frame.evaluate('(list) => { list.scrollTop = list.scrollHeight / 2; }');
    await expect.poll(() => frame.locator('.line').count()).toBeGreaterThan(5);
    expect(await page.locator('.transcript *').count()).toBeLessThan(600);
  });

  test('shows all of a short transcript, without a note about older output', async () => {
    const facts = createRunningIssue();
    facts.logs[OUT] = manyTexts(0, 5);
    await using dashboard = await opened(browser, facts);
    const { page } = dashboard;
    await page.getByText('Line 0.', { exact: true }).waitFor();
    await page.getByText('Line 4.', { exact: true }).waitFor();
    expect(await page.getByText('Older output is not shown').count()).toBe(0);
  });

  test('says that older output is left out even if the part that is shown fits on the page', async () => {
    const facts = createRunningIssue();
    // Megabytes of lines that are never shown, so that no visible output has to be dropped.
    const silent = formatLines({ type: 'usage', in: 1, out: 1 }).repeat(200_000);
    expect(Buffer.byteLength(silent)).toBeGreaterThan(6_000_000);
    facts.logs[OUT] = `${manyTexts(0, 1)}${silent}${manyTexts(1, 1)}`;
    await using dashboard = await opened(browser, facts);
    const { page } = dashboard;
    await page.getByText('Line 1.', { exact: true }).waitFor({ timeout: 25_000 });
    await page.getByText('Older output is not shown').waitFor();
    expect(await page.getByText('Line 0.', { exact: true }).count()).toBe(0);
  });

  test('shows hostile titles, bodies, transcripts, handoffs and files as plain text', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
    const facts = createRunningIssue();
    const term =
      '\u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J\u0008\u0000end\u202Egnp';
    facts.issue = { ...facts.issue, title: hostile, body: `${hostile}\n${term}`, labels: [hostile] };
    facts.handoffs = {
      plan: { summary: hostile, details: { steps: [{ step: hostile, [hostile]: hostile }] } },
    };
    facts.logs[OUT] =
      `${formatLines({ type: 'text', text: hostile }, { type: 'tool_started', tool: hostile, id: '1', detail: term })}${term}\n${hostile}\n`;
    facts.diff = {
      ...facts.diff,
      files: [
        {
          path: `src/${hostile}.ts`,
          change: 'added',
          additions: 1,
          deletions: 0,
          cut: false,
          patch: `@@ -0,0 +1 @@\n+${hostile}${term}\n`,
        },
      ],
    };
    await using dashboard = await opened(browser, facts);
    const { page, pageErrors } = dashboard;
    await page.locator('.line-raw').first().waitFor();
    expect(await page.locator('.line-said p').textContent()).toBe(hostile);
    expect(await page.locator('.line-raw pre').textContent()).toBe(`red link end·gnp\n${hostile}`);
    expect(await page.locator('.issue-title').textContent()).toBe(hostile);
    for (const [key, place] of [
      ['4', '.diff-line code'],
      ['7', '.steps strong'],
      ['1', '.issue-text .markdown'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(place).first().waitFor();
      expect(await page.locator(place).first().textContent()).toContain(hostile);
    }
    expect(await page.locator('.shell-page :is(img, script, iframe)').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test('shows the error if a transcript cannot be read', async () => {
    await using dashboard = await browser.open(createIssueFacts(createRunningIssue()), {
      path: `issues/${ID}`,
    });
    const { page, fixture } = dashboard;
    await page.getByText('The implementer is running.').waitFor();
    fixture.keepRefusing('GET /workers/demo-21-implement/logs', {
      status: 404,
      code: 'host.no_attempt',
      message: 'Its output was not kept.',
      next: 'Look at the timeline.',
    });
    await page.keyboard.press('3');
    expect(await page.getByRole('alert').textContent()).toContain('Look at the timeline.');
  });

  test('shows the changed files as a tree with their lines, and folds generated files', async () => {
    await using dashboard = await opened(browser, createRunningIssue(), 'diff');
    const { page } = dashboard;
    const rows = page.getByRole('region', { name: 'Changes' });
    await rows.waitFor();
    const text = await rows.textContent();
    for (const part of [
      'renamed',
      'src/retry/backoff.ts →',
      'Renamed without changes.',
      'No newline at end of file',
    ])
      expect(text).toContain(part);
    const line = rows.locator('.diff-line.is-added', { hasText: 'queue.add(hook);' });
    expect(await line.textContent()).toMatch(/^14\+\s+queue\.add\(hook\);$/);
    await page
      .getByRole('button', { name: /package-lock/ })
      .first()
      .click();
    const lock = rows.getByRole('button', { name: /package-lock\.json/ });
    expect(await lock.getAttribute('aria-expanded')).toBe('false');
    await lock.click();
    await rows.getByText('node_modules/package-3', { exact: false }).first().waitFor();
    expect(await rows.locator('*').count()).toBeLessThan(900);
    await page.getByRole('button', { name: 'Fold all' }).click();
    expect(await rows.locator('.diff-line').count()).toBe(0);
  });
});

function manyTexts(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) =>
    formatLines({ type: 'text', text: `Line ${from + index}.` }),
  ).join('');
}

async function opened(browser: DashboardBrowser, facts: IssueFacts, tab = 'transcript') {
  return browser.open(createIssueFacts(facts), { path: `issues/${ID}?tab=${tab}` });
}
