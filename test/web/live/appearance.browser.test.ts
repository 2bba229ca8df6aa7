/** Every page of a legion in the middle of its day: no barriers in light, dark and on a phone, and pictures for a person to look at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { barriersOn } from '../support/accessibility.ts';
import { type BusyDay, beginDay, busyStage } from './busy-day.ts';
import type { Visit } from './visit.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'screenshots');
/** The one the README shows is part of the repository, so it changes only when somebody wants it to. */
const README_PICTURE = join(ROOT, 'docs/images/dashboard.png');
const { LEGION_SCREENSHOT } = process.env;

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

describe.runIf(chromiumPath !== undefined)('a busy legion for everybody', () => {
  const house = busyStage();
  let day: BusyDay;
  beforeAll(async () => {
    day = await beginDay(house);
    mkdirSync(PICTURES, { recursive: true });
    process.stdout.write(`screenshots are written to ${PICTURES}\n`);
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`has no barrier on any page: ${look}`, async () => {
      await using visit = await house.visit('/ui/', { ...options, reducedMotion: 'reduce' });
      const { page } = visit;
      await page.locator('[data-card]').first().waitFor();
      const found: Record<string, unknown[]> = { board: await seen(visit, 'board', look) };
      for (const [name, path, shown] of pagesOf(day)) {
        await page.goto(`${house.daemon.url}${path}`);
        await page.getByText(shown).first().waitFor();
        found[name] = await seen(visit, name, look);
      }
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
      expect(visit.complaints).toEqual([]);
    });
  }

  test('is what the README shows, where every column in which somebody works is in sight', async () => {
    await using visit = await house.visit('/ui/', { viewport: { width: 1700, height: 580 } });
    const { page } = visit;
    await page.locator('[data-card]').first().waitFor();
    for (const column of ['Icebox', 'Backlog'])
      await page.getByRole('button', { name: `Make ${column} narrow` }).click();
    await page.mouse.move(0, 0);
    for (const column of ['Todo', 'In Progress', 'Testing', 'Needs Review', 'Retro', 'Done'])
      expect(await page.getByRole('heading', { name: column }).isVisible(), column).toBe(true);
    expect(visit.complaints).toEqual([]);
    await page.screenshot({
      path: LEGION_SCREENSHOT === 'write' ? README_PICTURE : join(PICTURES, 'readme.png'),
    });
  });
});

/** Name, address, and what tells that it is there. */
function pagesOf({ asking, working }: BusyDay): readonly (readonly [string, string, string | RegExp])[] {
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
    ['inbox', '/ui/inbox', 'Every condition holds'],
    ['fleet', '/ui/fleet', working],
  ];
}

async function seen({ page }: Visit, name: string, look: string): Promise<unknown[]> {
  await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`) });
  return barriersOn(page);
}
