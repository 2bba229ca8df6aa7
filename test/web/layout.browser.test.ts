/**
 * Tests the page layout in a real browser: the frame never scrolls, and no important text is cut
 * off.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { STATUSES } from '../../src/core/model/status.ts';
import { createIssueFacts } from './issue/issue-facts.ts';
import { createRunningIssue, ID } from './issue/running-issue.ts';
import { chromiumPath, type DashboardBrowser, openDashboardBrowser } from './support/browser.ts';
import { card, createBusyDay, createFacts } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';
import { createFleetFacts } from './support/fleet-facts.ts';
import { createFullInbox } from './support/inbox-facts.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** The longest possible id: the longest prefix of a local board with a long number. */
const LONG_ID = 'CUSTOMERINVOICES2026-12345';

const PAGES: readonly (readonly [string, string, () => Facts])[] = [
  ['board', '', createBusyDay],
  ['inbox', 'inbox', createFullInbox],
  ['fleet', 'fleet', createFleetFacts],
  ['issue', `issues/${ID}`, () => createIssueFacts(createRunningIssue())],
  ['issue that does not exist', 'issues/NONE-1', createBusyDay],
  ['unknown page', 'nowhere', createBusyDay],
];

describe.runIf(chromiumPath !== undefined)('layout', () => {
  let browser: DashboardBrowser;
  beforeAll(async () => {
    browser = await openDashboardBrowser(inject('scratch'), 'layout');
  });
  afterAll(() => browser.close());

  describe.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)('at %s size', (_name, size) => {
    test.each(PAGES)('fits the window without scrolling: %s', async (_page, path, facts) => {
      await using dashboard = await browser.open(facts(), { path, ...size });
      const { page } = dashboard;
      await page.locator('h1, h2').first().waitFor();
      await page.waitForTimeout(300); // the daemon's data arrives after the headings
      expect(await page.evaluate(OVERFLOW)).toEqual({ x: 0, y: 0 });
    });

    test('shows a long issue id in full on its card', async () => {
      // A card in every column makes the columns as narrow as possible.
      const facts = createFacts(
        STATUSES.map((status, index) =>
          card(index === 0 ? LONG_ID : `A-${index}`, 'A title', { status, priority: 1, needsYou: true }),
        ),
      );
      await using dashboard = await browser.open(facts, size);
      const { page } = dashboard;
      await page.locator(`[data-card="${LONG_ID}"]`).waitFor();
      expect(await page.locator('.card-id').allTextContents()).toContain(LONG_ID);
      expect(await page.evaluate(CUT_OFF_IDS)).toEqual([]);
    });
  });
});

const OVERFLOW = `({
  x: document.scrollingElement.scrollWidth - window.innerWidth,
  y: document.scrollingElement.scrollHeight - window.innerHeight,
})`;

const CUT_OFF_IDS = `[...document.querySelectorAll('.card-id')]
  .filter((id) => {
    const card = id.closest('.card').getBoundingClientRect();
    return id.scrollWidth > id.clientWidth || id.getBoundingClientRect().right > card.right;
  })
  .map((id) => id.textContent)`;
