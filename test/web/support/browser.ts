/** The system's Chromium on the built dashboard: one browser and one build per test file. */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../../scripts/build/web.ts';
import { launchChromium } from '../../support/chromium.ts';
import { type Facts, type Fixture, openFixture } from './fixture.ts';

export { chromiumPath } from '../../support/chromium.ts';

interface Dashboard {
  readonly page: Page;
  readonly fixture: Fixture;
  /** Errors that the browser reported: script errors and content policy violations. */
  readonly pageErrors: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DashboardBrowser {
  /** Opens the dashboard as `legion open` does, in a fresh browser context. */
  open(facts: Facts, options?: BrowserContextOptions & { readonly path?: string }): Promise<Dashboard>;
  close(): Promise<void>;
}

/** `scratch` is a directory that exists for the whole test run. */
export async function openDashboardBrowser(scratch: string, name: string): Promise<DashboardBrowser> {
  const built = join(scratch, `web-${name}`);
  await buildWeb(join(import.meta.dirname, '../../..'), built);
  const browser = await launchChromium();
  return {
    async open(facts, { path = '', ...options } = {}) {
      const fixture = await openFixture(built, facts);
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const pageErrors: string[] = [];
      page.on('pageerror', (error) => pageErrors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') pageErrors.push(message.text());
      });
      await page.goto(`${fixture.url}/ui/${path}#enter=${fixture.code()}`);
      return {
        page,
        fixture,
        pageErrors: pageErrors,
        async [Symbol.asyncDispose]() {
          await context.close();
          await fixture.close();
        },
      };
    },
    close: () => browser.close(),
  };
}
