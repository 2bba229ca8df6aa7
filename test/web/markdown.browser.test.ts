/**
 * Tests untrusted Markdown in a real browser. It is formatted quickly, is never executed, and loads
 * nothing.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { MARKDOWN } from './issue/issue-documents.ts';
import { createIssueFacts } from './issue/issue-facts.ts';
import { createRunningIssue, ID } from './issue/running-issue.ts';
import { findAccessibilityViolations } from './support/accessibility.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';

/**
 * Time limit in milliseconds for a machine that also runs other tests. A renderer without limits
 * takes many times as long.
 */
const FAST_MS = 5_000;

describe.runIf(chromiumPath !== undefined)('Markdown on the dashboard', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'markdown');
  });
  afterAll(() => browser.close());

  test('shows headings, lists, code, tables and links', async () => {
    await using dashboard = await withComment(browser, MARKDOWN);
    const { page, pageErrors } = dashboard;
    const text = shown(page);
    await text.getByRole('heading', { name: 'What must hold', level: 3 }).waitFor();
    expect(await text.locator('strong').textContent()).toBe('none');
    expect(await text.locator('pre').textContent()).toContain('await queue.add({ customer, body });');
    expect(await text.getByRole('img', { name: 'To do' }).count()).toBe(1);
    expect(await text.locator('td.is-right').allInnerTexts()).toEqual(['1', '5']);
    const link = text.getByRole('link', { name: 'the incident' });
    expect(await link.getAttribute('href')).toBe('https://example.com/incidents/12');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('keeps single line breaks', async () => {
    await using dashboard = await withComment(browser, 'first line\nsecond line');
    const height = await shown(dashboard.page)
      .locator('p')
      .evaluate((paragraph) => paragraph.clientHeight);
    expect(height).toBeGreaterThan(30);
  });

  test('uses heading levels that continue the levels of the page', async () => {
    await using dashboard = await withComment(browser, '### a\n\n# b\n\n###### c\n\n> # d');
    const text = shown(dashboard.page);
    await text.getByRole('heading', { name: 'a' }).waitFor();
    const levels = await text
      .getByRole('heading')
      .evaluateAll((headings) => headings.map(({ tagName }) => tagName));
    expect(levels).toEqual(['H3', 'H3', 'H4', 'H3']);
  });

  test.each([
    ['a script address', '[click](javascript:document.title="pwned")'],
    ['a script address with entities', '[click](java&#9;script:alert(1)) [b](&#106avascript:alert(1))'],
    ['a script address in a reference', '[click]\n\n[click]: javascript:alert(1)'],
    ['an address relative to this page', '[click](/ui/inbox) [b](//evil.test/x) [c](#app) [d](../fleet)'],
    ['an address with another protocol', '[click](file:///etc/passwd) [b](vbscript:x) [c](data:text/html,x)'],
  ])('renders no link for %s', async (_what, text) => {
    await using dashboard = await withComment(browser, text);
    const { page, pageErrors } = dashboard;
    await shown(page).getByText('click').waitFor();
    expect(await shown(page).locator('a').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test("shows an image's name and links to it, but never loads it", async () => {
    const text = [
      '![remote](https://example.com/a.png "hover")',
      '![inline](data:image/svg+xml;base64,PHN2Zy8+)',
      '[![badge](https://example.com/b.svg)](https://example.com/ci)',
    ].join('\n\n');
    const facts = createRunningIssue();
    facts.comments = [commentOf(text)];
    await using dashboard = await browser.open(createIssueFacts(facts), {});
    const { page, fixture, pageErrors } = dashboard;
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
    expect(pageErrors).toEqual([]);
  });

  test('shows raw HTML, comments and front matter as plain text', async () => {
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
    await using dashboard = await withComment(browser, raw);
    const { page, pageErrors } = dashboard;
    const text = shown(page);
    for (const part of ['<script>', 'onerror', '<!-- ignore all', '<iframe', '<style>', 'title: before'])
      await text.getByText(part).first().waitFor();
    expect(await text.locator('script, img, b, iframe, style, [style], [id]').count()).toBe(0);
    expect(await page.evaluate('String(window.pwned)')).toBe('undefined');
    expect(pageErrors).toEqual([]);
  });

  test('renders no ids or styles from the text', async () => {
    const text = '# app\n\n|a|b|\n|:-:|-:|\n|1|2|\n\nnote[^app]\n\n[^app]: root\n\n> [!NOTE]\n> hi';
    await using dashboard = await withComment(browser, text);
    const { page } = dashboard;
    await shown(page).getByText('root').waitFor();
    expect(await shown(page).locator('[id], [style], header, footer').count()).toBe(0);
  });

  test('makes text-direction overrides visible, even if they are written as entities', async () => {
    await using dashboard = await withComment(
      browser,
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
    ['unterminated links', '[a](<'.repeat(10_000)],
    ['nested quotes', '> '.repeat(25_000)],
    ['nested lists', '- '.repeat(25_000)],
    ['unterminated emphasis', '**a *b '.repeat(7_000)],
    ['an unterminated code block', `\`\`\`ts\n${'const a = 1;\n'.repeat(3_000)}`],
  ])('renders quickly and keeps the page responsive: %s', async (_what, text) => {
    await using dashboard = await withComment(browser, text);
    const { page, pageErrors } = dashboard;
    await page.getByText('Comments (1)').waitFor();
    const begun = Date.now();
    await shown(page).waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('[data-entry]').first().waitFor();
    expect(Date.now() - begun).toBeLessThan(FAST_MS);
    expect(pageErrors).toEqual([]);
  });

  test('beyond the size limit, shows plain text', async () => {
    await using dashboard = await withComment(browser, `# big\n\n${'word '.repeat(60_000)}`);
    await dashboard.page.locator('.comment').getByText('# big').waitFor();
    expect(await shown(dashboard.page).count()).toBe(0);
  });

  test('shows plain text if the renderer cannot be loaded', async () => {
    const facts = createRunningIssue();
    facts.comments = [commentOf('**as written**')];
    await using dashboard = await browser.open(createIssueFacts(facts), {});
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

function withComment(browser: DashboardBrowser, text: string) {
  const facts = createRunningIssue();
  facts.comments = [commentOf(text)];
  return browser.open(createIssueFacts(facts), { path: `issues/${ID}?tab=discussion` });
}

function commentOf(text: string) {
  return { id: 'c1', author: ID, by: 'outsider' as const, at: Date.now() - 60_000, text };
}
