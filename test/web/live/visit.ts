/** Opens the dashboard with a login code in a fresh browser context, and records its errors. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ApiClient } from '../../support/http-client.ts';

/** Content appears within seconds, or later if several daemons and browsers share two cores. */
const SHOWN_WITHIN_MS = 60_000;

export interface Visit {
  readonly page: Page;
  /** Script errors, content policy violations, and dialogs opened by untrusted text. */
  readonly pageErrors: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openDashboard(
  browser: Browser,
  client: ApiClient,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const visit = await openVisit(browser, options);
  await visit.page.goto(await createLoginAddress(client, path));
  return visit;
}

/** Opens a fresh browser context that has not loaded any address yet. */
export async function openVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(SHOWN_WITHIN_MS);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    pageErrors.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined); // the page may have closed
  });
  return { page, pageErrors: pageErrors, [Symbol.asyncDispose]: () => context.close() };
}

/** Returns an address that can be used once, within a minute. */
export async function createLoginAddress({ url, post }: ApiClient, path: string): Promise<string> {
  const { code } = await post<{ code: string }>('/session/codes');
  return `${url}${path}#enter=${encodeURIComponent(code)}`;
}
