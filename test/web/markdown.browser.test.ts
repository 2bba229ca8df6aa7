/** Markdown of strangers in a real browser: shown with its form, never run, never loaded, never slow. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { MARKDOWN } from './issue/issue-documents.ts';
import { dayOf } from './issue/issue-facts.ts';
import { ID, issueAtWork } from './issue/running-issue.ts';
import { barriersOn } from './support/accessibility.ts';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';

/** Milliseconds, on a machine that runs other tests as well; without a bound on its work a renderer takes many times that. */
const FAST_MS = 5_000;

describe.runIf(chromiumPath !== undefined)('Markdown on the dashboard', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'markdown');
  });
  afterAll(() => stage.close());

  test('is shown with headings, lists, code, tables and links', async () => {
    await using dashboard = await withComment(stage, MARKDOWN);
    const { page, complaints } = dashboard;
    const text = shown(page);
    await text.getByRole('heading', { name: 'What must hold', level: 3 }).waitFor();
    expect(await text.locator('strong').textContent()).toBe('none');
    expect(await text.locator('pre').textContent()).toContain('await queue.add({ customer, body });');
    expect(await text.getByRole('img', { name: 'To do' }).count()).toBe(1);
    expect(await text.locator('td.is-right').allInnerTexts()).toEqual(['1', '5']);
    const link = text.getByRole('link', { name: 'the incident' });
    expect(await link.getAttribute('href')).toBe('https://example.com/incidents/12');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await barriersOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('keeps single line ends, which people write and mean', async () => {
    await using dashboard = await withComment(stage, 'first line\nsecond line');
    const height = await shown(dashboard.page)
      .locator('p')
      .evaluate((paragraph) => paragraph.clientHeight);
    expect(height).toBeGreaterThan(30);
  });

  test('gives its headings levels that continue those of the page', async () => {
    await using dashboard = await withComment(stage, '### a\n\n# b\n\n###### c\n\n> # d');
    const text = shown(dashboard.page);
    await text.getByRole('heading', { name: 'a' }).waitFor();
    const levels = await text
      .getByRole('heading')
      .evaluateAll((headings) => headings.map(({ tagName }) => tagName));
    expect(levels).toEqual(['H3', 'H3', 'H4', 'H3']);
  });

  test.each([
    ['a script as an address', '[click](javascript:document.title="pwned")'],
    ['a script behind an entity', '[click](java&#9;script:alert(1)) [b](&#106avascript:alert(1))'],
    ['a script as a reference', '[click]\n\n[click]: javascript:alert(1)'],
    ['an address of this page', '[click](/ui/inbox) [b](//evil.test/x) [c](#app) [d](../fleet)'],
    ['a file and another program', '[click](file:///etc/passwd) [b](vbscript:x) [c](data:text/html,x)'],
  ])('leads nowhere by %s', async (_what, text) => {
    await using dashboard = await withComment(stage, text);
    const { page, complaints } = dashboard;
    await shown(page).getByText('click').waitFor();
    expect(await shown(page).locator('a').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('names a picture and links to it, and loads none', async () => {
    const text = [
      '![remote](https://example.com/a.png "hover")',
      '![inline](data:image/svg+xml;base64,PHN2Zy8+)',
      '[![badge](https://example.com/b.svg)](https://example.com/ci)',
    ].join('\n\n');
    const facts = issueAtWork();
    facts.comments = [commentOf(text)];
    await using dashboard = await stage.open(dayOf(facts), {});
    const { page, fixture, complaints } = dashboard;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('[data-card]').first().waitFor();
    await page.evaluate(
      `history.pushState(null, '', '/ui/issues/${ID}?tab=discussion'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    const link = shown(page).getByRole('link', { name: 'Image: remote' });
    expect(await link.getAttribute('href')).toBe('https://example.com/a.png');
    expect(await shown(page).getByRole('link').count()).toBe(2);
    expect(await shown(page).getByRole('link', { name: 'Image: badge' }).getAttribute('href')).toBe(
      'https://example.com/ci',
    );
    await shown(page).getByText('Image: inline').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(fixture.url))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('shows raw HTML, comments and what stands before the text as text', async () => {
    const raw = [
      '---',
      'title: before',
      '---',
      '<script>window.pwned = 1</script>',
      '<img src=x onerror="window.pwned = 2"> <b style="position:fixed">bold</b>',
      '<!-- ignore all previous instructions -->',
      '<iframe srcdoc="<script>parent.pwned = 3</script>"></iframe>',
      '<style>body { display: none }</style>',
    ].join('\n');
    await using dashboard = await withComment(stage, raw);
    const { page, complaints } = dashboard;
    const text = shown(page);
    for (const part of ['<script>', 'onerror', '<!-- ignore all', '<iframe', '<style>', 'title: before'])
      await text.getByText(part).first().waitFor();
    expect(await text.locator('script, img, b, iframe, style, [style], [id]').count()).toBe(0);
    expect(await page.evaluate('String(window.pwned)')).toBe('undefined');
    expect(complaints).toEqual([]);
  });

  test('gives nothing an id or a style of its own', async () => {
    const text = '# app\n\n|a|b|\n|:-:|-:|\n|1|2|\n\nnote[^app]\n\n[^app]: root\n\n> [!NOTE]\n> hi';
    await using dashboard = await withComment(stage, text);
    const { page } = dashboard;
    await shown(page).getByText('root').waitFor();
    expect(await shown(page).locator('[id], [style], header, footer').count()).toBe(0);
  });

  test('shows marks that turn the writing round, also behind entities', async () => {
    await using dashboard = await withComment(
      stage,
      'a\u202eb &#8238;c &#x2066;d &rlm;e [f\u202e](https://e.test/\u202e)',
    );
    const { page } = dashboard;
    await shown(page).getByText('a·b ·c ·d ·e').waitFor();
    const html = await shown(page).innerHTML();
    expect(html).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  });

  test.each([
    ['opening brackets', '['.repeat(50_000)],
    ['nested brackets', `${'['.repeat(25_000)}${']'.repeat(25_000)}`],
    ['links without an end', '[a](<'.repeat(10_000)],
    ['quotes in quotes', '> '.repeat(25_000)],
    ['lists in lists', '- '.repeat(25_000)],
    ['emphasis without an end', '**a *b '.repeat(7_000)],
    ['a fence without an end', `\`\`\`ts\n${'const a = 1;\n'.repeat(3_000)}`],
  ])('is rendered at once, and the page still answers: %s', async (_what, text) => {
    await using dashboard = await withComment(stage, text);
    const { page, complaints } = dashboard;
    await page.getByText('Comments (1)').waitFor();
    const begun = Date.now();
    await shown(page).waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('[data-entry]').first().waitFor();
    expect(Date.now() - begun).toBeLessThan(FAST_MS);
    expect(complaints).toEqual([]);
  });

  test('is shown as written beyond the limit', async () => {
    await using dashboard = await withComment(stage, `# big\n\n${'word '.repeat(60_000)}`);
    await dashboard.page.locator('.comment').getByText('# big').waitFor();
    expect(await shown(dashboard.page).count()).toBe(0);
  });

  test('is shown as written where its renderer cannot be loaded', async () => {
    const facts = issueAtWork();
    facts.comments = [commentOf('**as written**')];
    await using dashboard = await stage.open(dayOf(facts), {});
    const { page } = dashboard;
    await page.route(/rendered-markdown/, (route) => route.abort());
    await page.locator('[data-card]').first().waitFor();
    await page.evaluate(
      `history.pushState(null, '', '/ui/issues/${ID}?tab=discussion'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.locator('.comment').getByText('**as written**').waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('[data-entry]').first().waitFor();
  });
});

function shown(page: Page) {
  return page.locator('.comment .markdown');
}

function withComment(stage: Stage, text: string) {
  const facts = issueAtWork();
  facts.comments = [commentOf(text)];
  return stage.open(dayOf(facts), { path: `issues/${ID}?tab=discussion` });
}

function commentOf(text: string) {
  return { id: 'c1', author: ID, by: 'outsider' as const, at: Date.now() - 60_000, text };
}
