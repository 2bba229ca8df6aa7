/** Transcripts and diffs in a real browser: as they happen, very long ones, and hostile ones. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from '../support/browser.ts';
import { dayOf, type IssueFacts } from './issue-facts.ts';
import { linesOf } from './issue-log.ts';
import { ID, issueAtWork } from './running-issue.ts';

const OUT = 'demo-21-implement 2 out';

describe.runIf(chromiumPath !== undefined)('the transcript of a worker', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'issue-transcript');
  });
  afterAll(() => stage.close());

  test('shows what the worker says and does as it happens, and how each tool ended', async () => {
    const facts = issueAtWork();
    await using dashboard = await opened(stage, facts);
    const { page, complaints } = dashboard;
    const rows = page.getByRole('region', { name: /^Transcript of/ });
    await page.getByText('I read the plan and the handoff first').waitFor();
    const text = await rows.textContent();
    for (const part of [
      'Turn ended',
      '18,200 tokens in',
      'Hears message 17',
      'The provider is overloaded.',
      'Asks',
      'a line that is no JSON',
    ]) {
      expect(text).toContain(part);
    }
    await page.getByRole('button', { name: /^Bash .* running$/ }).waitFor();
    facts.logs[OUT] += linesOf(
      { type: 'tool_ended', id: 't4', failed: false },
      { type: 'text', text: 'All of them pass.' },
    );
    await page.getByText('All of them pass.').waitFor();
    await page.getByRole('button', { name: /^Bash .* done$/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Bash .* failed 3 lines$/ }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('folds what a tool gave back, opens it when it is asked to, and finds words in it', async () => {
    await using dashboard = await opened(stage, issueAtWork());
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
    // The marks follow the typed text a render later.
    await expect.poll(() => page.locator('.is-current mark').textContent()).toBe('actual: 0');
  });

  test('goes on to the next attempt by itself, and shows the other streams and attempts', async () => {
    const facts = issueAtWork();
    await using dashboard = await opened(stage, facts);
    const { page, fixture } = dashboard;
    await page.getByText('I read the plan').waitFor();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('err');
    await page.getByText('npm warn deprecated left-pad').waitFor();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('out');
    facts.workers = facts.workers.map((worker) =>
      worker.mode === 'implement' ? { ...worker, attempt: 3 } : worker,
    );
    facts.logs['demo-21-implement 3 out'] = linesOf({ type: 'text', text: 'The third attempt.' });
    await expect
      .poll(
        async () => {
          fixture.tell('attempt.active', { issue: ID });
          return page.getByText('The third attempt.').count();
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(1);
  });

  test('stays at the end while it grows, and where somebody reads while they read', async () => {
    const facts = issueAtWork();
    facts.logs[OUT] = manyTexts(0, 400);
    await using dashboard = await opened(stage, facts);
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

  test('finds words, counts the places and goes from one to the next', async () => {
    const facts = issueAtWork();
    facts.logs[OUT] = manyTexts(0, 2_000);
    await using dashboard = await opened(stage, facts);
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

  test('keeps the end of 12 MB, says that older output is left out, and draws little of it', async () => {
    const facts = issueAtWork();
    const sentence = 'What a worker says, again and again. '.repeat(8);
    facts.asked = [];
    facts.logs[OUT] = Array.from({ length: 36_000 }, (_, index) =>
      linesOf({ type: 'text', text: `${index} ${sentence}` }),
    ).join('');
    expect(Buffer.byteLength(facts.logs[OUT])).toBeGreaterThan(11_000_000);
    await using dashboard = await opened(stage, facts);
    const { page } = dashboard;
    await page.getByText(/^35999 What a worker says/).waitFor({ timeout: 25_000 });
    await page.getByText('Older output is left out').waitFor();
    expect(await page.locator('.transcript *').count()).toBeLessThan(600);
    const places = facts.asked.map((query) => Number(new URLSearchParams(query).get('offset') ?? 0));
    expect(facts.asked[0]).toMatch(/\blast=\d{7}\b/);
    expect(Math.min(...places.slice(1))).toBeGreaterThan(5_000_000);
    await page.keyboard.press('f');
    await page.keyboard.type('10000 What');
    await page.getByText('none', { exact: true }).waitFor();
    const frame = page.locator('.transcript');
    await frame.evaluate('(list) => { list.scrollTop = list.scrollHeight / 2; }');
    await expect.poll(() => frame.locator('.line').count()).toBeGreaterThan(5);
    expect(await page.locator('.transcript *').count()).toBeLessThan(600);
  });

  test('shows all of a short one, and says nothing of older output', async () => {
    const facts = issueAtWork();
    facts.logs[OUT] = manyTexts(0, 5);
    await using dashboard = await opened(stage, facts);
    const { page } = dashboard;
    await page.getByText('Line 0.', { exact: true }).waitFor();
    await page.getByText('Line 4.', { exact: true }).waitFor();
    expect(await page.getByText('Older output is left out').count()).toBe(0);
  });

  test('says that older output is left out where what it began with fits on the page', async () => {
    const facts = issueAtWork();
    // Megabytes that show as nothing, so that nothing has to be taken away for what is kept.
    const silent = linesOf({ type: 'usage', in: 1, out: 1 }).repeat(200_000);
    expect(Buffer.byteLength(silent)).toBeGreaterThan(6_000_000);
    facts.logs[OUT] = `${manyTexts(0, 1)}${silent}${manyTexts(1, 1)}`;
    await using dashboard = await opened(stage, facts);
    const { page } = dashboard;
    await page.getByText('Line 1.', { exact: true }).waitFor({ timeout: 25_000 });
    await page.getByText('Older output is left out').waitFor();
    expect(await page.getByText('Line 0.', { exact: true }).count()).toBe(0);
  });

  test('shows hostile titles, bodies, transcripts, handoffs and files as text', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
    const facts = issueAtWork();
    const term =
      '\u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J\u0008\u0000end\u202Egnp';
    facts.issue = { ...facts.issue, title: hostile, body: `${hostile}\n${term}`, labels: [hostile] };
    facts.handoffs = {
      plan: { summary: hostile, details: { steps: [{ step: hostile, [hostile]: hostile }] } },
    };
    facts.logs[OUT] =
      `${linesOf({ type: 'text', text: hostile }, { type: 'tool_started', tool: hostile, id: '1', detail: term })}${term}\n${hostile}\n`;
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
    await using dashboard = await opened(stage, facts);
    const { page, complaints } = dashboard;
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
    expect(complaints).toEqual([]);
  });

  test('says what went wrong where a transcript cannot be read', async () => {
    await using dashboard = await stage.open(dayOf(issueAtWork()), { path: `issues/${ID}` });
    const { page, fixture } = dashboard;
    await page.getByText('The implementer is at work.').waitFor();
    fixture.keepRefusing('GET /workers/demo-21-implement/logs', {
      status: 404,
      code: 'host.no_attempt',
      message: 'Nothing is kept of it.',
      next: 'Look at the timeline.',
    });
    await page.keyboard.press('3');
    expect(await page.getByRole('alert').textContent()).toContain('Look at the timeline.');
  });

  test('shows the changed files as a tree with their lines, and folds what programs wrote', async () => {
    await using dashboard = await opened(stage, issueAtWork(), 'diff');
    const { page } = dashboard;
    const rows = page.getByRole('region', { name: 'Changes' });
    await rows.waitFor();
    const text = await rows.textContent();
    for (const part of [
      'renamed',
      'src/retry/backoff.ts →',
      'Renamed, with nothing changed in it.',
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
    linesOf({ type: 'text', text: `Line ${from + index}.` }),
  ).join('');
}

async function opened(stage: Stage, facts: IssueFacts, tab = 'transcript') {
  return stage.open(dayOf(facts), { path: `issues/${ID}?tab=${tab}` });
}
