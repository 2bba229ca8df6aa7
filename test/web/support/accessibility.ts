/** Runs an accessibility checker on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Axe's result, shortened to the parts that help to find the element. */
const FINDINGS =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))';

/** Also reports content wider than the screen, which would make a phone scroll sideways. */
export async function findAccessibilityViolations(page: Page): Promise<unknown[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(FINDINGS)) as unknown[];
  const isWide = await page.evaluate(
    '[document.documentElement, document.querySelector("main")].some((part) => part.scrollWidth > part.clientWidth)',
  );
  return isWide === true ? [...found, 'wider than the screen'] : found;
}
