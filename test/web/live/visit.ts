/** A browser that has never been here enters the dashboard by a code, and remembers what went wrong in it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Door } from '../../support/http-client.ts';

/** What shows by itself shows within seconds; several daemons and browsers on two cores take longer. */
const SHOWN_WITHIN_MS = 60_000;

export interface Visit {
  readonly page: Page;
  /** Errors of scripts, what the content policy refused, and dialogs that somebody else opened. */
  readonly complaints: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function enter(
  browser: Browser,
  door: Door,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const visit = await newVisit(browser, options);
  await visit.page.goto(await addressOf(door, path));
  return visit;
}

/** Not at any address yet. */
export async function newVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(SHOWN_WITHIN_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined); // the page may have gone meanwhile
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens the dashboard once, within a minute. */
export async function addressOf({ url, post }: Door, path: string): Promise<string> {
  const { code } = await post<{ code: string }>('/session/codes');
  return `${url}${path}#enter=${encodeURIComponent(code)}`;
}
