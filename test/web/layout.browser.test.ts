/** Page layout in a real browser: the frame never scrolls, and no text a person needs is cut off. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { STATUSES } from '../../src/core/model/status.ts';
import { dayOf } from './issue/issue-facts.ts';
import { ID, issueAtWork } from './issue/running-issue.ts';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { busyDay, card, factsOf } from './support/facts.ts';
import type { Facts } from './support/fixture.ts';
import { dayOfFleet } from './support/fleet-facts.ts';
import { fullInbox } from './support/inbox-facts.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** The most characters a local board's prefix may have, and a long number. */
const LONG_ID = 'CUSTOMERINVOICES2026-12345';

const PAGES: readonly (readonly [string, string, () => Facts])[] = [
  ['board', '', busyDay],
  ['inbox', 'inbox', fullInbox],
  ['fleet', 'fleet', dayOfFleet],
  ['issue', `issues/${ID}`, () => dayOf(issueAtWork())],
  ['issue that does not exist', 'issues/NONE-1', busyDay],
  ['unknown page', 'nowhere', busyDay],
];

describe.runIf(chromiumPath !== undefined)('the layout', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'layout');
  });
  afterAll(() => stage.close());

  describe.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)('at %s size', (_name, size) => {
    test.each(PAGES)('fits the window without a scrollbar of its own: %s', async (_page, path, facts) => {
      await using dashboard = await stage.open(facts(), { path, ...size });
      const { page } = dashboard;
      await page.locator('h1, h2').first().waitFor();
      await page.waitForTimeout(300); // what is read from the daemon arrives after the headings
      expect(await page.evaluate(OVERFLOW)).toEqual({ x: 0, y: 0 });
    });

    test('shows a long id of an issue in full on its card', async () => {
      // A card in every column: then columns are as narrow as they get.
      const facts = factsOf(
        STATUSES.map((status, index) =>
          card(index === 0 ? LONG_ID : `A-${index}`, 'A title', { status, priority: 1, needsYou: true }),
        ),
      );
      await using dashboard = await stage.open(facts, size);
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
