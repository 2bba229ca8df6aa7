/** What a checker of accessibility finds on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Axe's own answer, as short as a person needs it to find the place. */
const FINDINGS =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))';

/** Also what is wider than the screen, on which a phone would have to be pushed about. */
export async function barriersOn(page: Page): Promise<unknown[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(FINDINGS)) as unknown[];
  const isWide = await page.evaluate(
    '[document.documentElement, document.querySelector("main")].some((part) => part.scrollWidth > part.clientWidth)',
  );
  return isWide === true ? [...found, 'wider than the screen'] : found;
}
