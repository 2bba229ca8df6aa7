/**
 * Checks the accessibility of every page of a busy legion, in light mode, in dark mode and on a
 * phone. Also takes screenshots for manual review.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { findAccessibilityViolations } from '../support/accessibility.ts';
import { type BusyDay, setUpBusyLegion, startBusyDay } from './busy-day.ts';
import type { Visit } from './visit.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PICTURES = join(ROOT, 'screenshots');
/** The README's screenshot is part of the repository, so it changes only on request. */
const README_PICTURE = join(ROOT, 'docs/images/dashboard.png');
const { LEGION_SCREENSHOT } = process.env;

const APPEARANCES: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

describe.runIf(chromiumPath !== undefined)('dashboard of a busy legion', () => {
  const suite = setUpBusyLegion();
  let day: BusyDay;
  beforeAll(async () => {
    day = await startBusyDay(suite);
    mkdirSync(PICTURES, { recursive: true });
    process.stdout.write(`screenshots are written to ${PICTURES}\n`);
  });

  for (const [look, options] of Object.entries(APPEARANCES)) {
    test(`has no accessibility violations on any page (appearance: ${look})`, async () => {
      await using visit = await suite.visit('/ui/', { ...options, reducedMotion: 'reduce' });
      const { page } = visit;
      await page.locator('[data-card]').first().waitFor();
      const found: Record<string, unknown[]> = { board: await seen(visit, 'board', look) };
      for (const [name, path, shown] of listPages(day)) {
        await page.goto(`${suite.daemon.url}${path}`);
        await page.getByText(shown).first().waitFor();
        found[name] = await seen(visit, name, look);
      }
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
      expect(visit.pageErrors).toEqual([]);
    });
  }

  test("shows every active column at the window size of the README's screenshot", async () => {
    await using visit = await suite.visit('/ui/', { viewport: { width: 1700, height: 580 } });
    const { page } = visit;
    await page.locator('[data-card]').first().waitFor();
    for (const column of ['Icebox', 'Backlog'])
      await page.getByRole('button', { name: `Collapse ${column}` }).click();
    await page.mouse.move(0, 0);
    for (const column of ['Todo', 'In Progress', 'Testing', 'Needs Review', 'Retro', 'Done'])
      expect(await page.getByRole('heading', { name: column }).isVisible(), column).toBe(true);
    expect(visit.pageErrors).toEqual([]);
    await page.screenshot({
      path: LEGION_SCREENSHOT === 'write' ? README_PICTURE : join(PICTURES, 'readme.png'),
    });
  });
});

/** For each page: its name, its address, and text that shows that it has loaded. */
function listPages({ asking, working }: BusyDay): readonly (readonly [string, string, string | RegExp])[] {
  return [
    ['issue', `/ui/issues/${asking}`, 'Should the filter be remembered'],
    ['text', `/ui/issues/${working}`, 'Customers ask for it'],
    ['timeline', `/ui/issues/${working}?tab=timeline`, 'checkpoint'],
    ['transcript', `/ui/issues/${working}?tab=transcript`, 'The rounding happens in two places'],
    ['diff', `/ui/issues/${working}?tab=diff`, 'roundLine'],
    ['gates', `/ui/issues/${working}?tab=gates`, 'There is a pull request'],
    ['handoffs', `/ui/issues/${working}?tab=handoffs`, 'architect'],
    ['attempts', `/ui/issues/${working}?tab=attempts`, 'implement'],
    ['discussion', `/ui/issues/${working}?tab=discussion`, /^(?:No comments yet|Comments)/],
    ['inbox', '/ui/inbox', 'Every condition is met'],
    ['fleet', '/ui/fleet', working],
  ];
}

async function seen({ page }: Visit, name: string, look: string): Promise<unknown[]> {
  await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`) });
  return findAccessibilityViolations(page);
}
