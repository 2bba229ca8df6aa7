/** The stream of events that has died without a word, as it does while a laptop sleeps: the page notices by itself, on a clock that is moved by hand. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/browser.ts';
import { card, factsOf } from './support/facts.ts';
import type { Fixture } from './support/fixture.ts';

/** The daemon says something as often as this; the page gives up after twice that and a little. */
const BEAT_MS = 15_000;
const NIGHT_MS = 8 * 3_600_000;

describe.runIf(chromiumPath !== undefined)('the stream of events of a page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('scratch'), 'live');
  });
  afterAll(() => stage.close());

  test('is kept where nothing happens for long but the daemon gives signs of life', async () => {
    await using dashboard = await opened();
    const { page, fixture } = dashboard;
    await expect.poll(() => fixture.followed).toEqual([undefined]);
    for (let beats = 0; beats < 6; beats += 1) {
      fixture.beat();
      await page.clock.runFor(BEAT_MS);
    }
    fixture.facts.cards = [card('A-2', 'Second')];
    fixture.tell('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();
    expect(fixture.followed).toEqual([undefined]);
  });

  test('is taken up anew after a night, from the last event on, and nobody is told of a trouble', async () => {
    await using dashboard = await opened();
    const { page, fixture, complaints } = dashboard;
    await expect.poll(() => fixture.followed).toEqual([undefined]);
    fixture.facts.cards = [card('A-2', 'In the evening')];
    fixture.tell('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();

    fixture.fallSilent();
    fixture.facts.cards = [card('A-3', 'In the night')];
    fixture.tell('issue.sighted', { issue: 'A-3' });
    await page.clock.fastForward(NIGHT_MS);
    await page.locator('[data-card="A-3"]').waitFor();
    expect(fixture.followed).toEqual([undefined, String(fixture.facts.span.last.version + 1)]);
    expect(await page.getByText('Reconnecting.').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('is asked for again where nobody answers at all', async () => {
    await using dashboard = await opened((fixture) => fixture.hold('GET /events'));
    const { page, fixture } = dashboard;
    await page.clock.fastForward(NIGHT_MS);
    await expect.poll(() => fixture.followed).toEqual([undefined]);
    fixture.facts.cards = [card('A-2', 'Second')];
    fixture.tell('issue.sighted', { issue: 'A-2' });
    await page.locator('[data-card="A-2"]').waitFor();
  });

  /** On a clock that can be moved, from the first script of the page on. */
  async function opened(before: (fixture: Fixture) => void = () => undefined) {
    const dashboard = await stage.open(factsOf([card('A-1', 'First')]));
    const { page, fixture } = dashboard;
    await page.locator('[data-card="A-1"]').waitFor();
    await page.clock.install();
    await page.goto('about:blank');
    fixture.followed.length = 0;
    before(fixture);
    await page.goto(`${fixture.url}/ui/`);
    await page.locator('[data-card="A-1"]').waitFor();
    return dashboard;
  }
});
