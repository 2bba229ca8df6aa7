/** The system's Chromium on the built dashboard: one browser and one build for a whole file of tests. */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../../scripts/build/web.ts';
import { launchChromium } from '../../support/chromium.ts';
import { type Facts, type Fixture, openFixture } from './fixture.ts';

export { chromiumPath } from '../../support/chromium.ts';

interface Dashboard {
  readonly page: Page;
  readonly fixture: Fixture;
  /** What the browser complained about: errors of scripts, and what its content policy refused. */
  readonly complaints: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Stage {
  /** Opens the dashboard as `legion open` does, in a browser that has never seen it. */
  open(facts: Facts, options?: BrowserContextOptions & { readonly path?: string }): Promise<Dashboard>;
  close(): Promise<void>;
}

/** `scratch` is a folder that lives as long as the run. */
export async function openStage(scratch: string, name: string): Promise<Stage> {
  const built = join(scratch, `web-${name}`);
  await buildWeb(join(import.meta.dirname, '../..'), built);
  const browser = await launchChromium();
  return {
    async open(facts, { path = '', ...options } = {}) {
      const fixture = await openFixture(built, facts);
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${fixture.url}/ui/${path}#enter=${fixture.code()}`);
      return {
        page,
        fixture,
        complaints,
        async [Symbol.asyncDispose]() {
          await context.close();
          await fixture.close();
        },
      };
    },
    close: () => browser.close(),
  };
}
