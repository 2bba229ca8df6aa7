/** One issue through all phases in Linear, its code on this machine. */
import { expect, test } from 'vitest';
import { lowStock } from '../../src/demo/stories/low-stock.ts';
import { scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/linear/final-state.ts';
import { linearStage } from '../e2e/linear/linear-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/linear/person.ts';

const begin = linearStage();
const stories = numberedOn([lowStock]);
const MOST_MS = 120_000;

test(
  'an issue goes from Triage to Done through webhooks; what is asked is answered there, and the merge approved there',
  async () => {
    // Polling alone would take minutes.
    const life = await begin({
      ...scenario(stories),
      yaml: 'polling: { interval: 60s, slow_after: 1000 }\n',
    });
    await life.start();
    life.listen();
    write(life, stories);
    await seeThrough(life, stories);
    expectWhole(life, stories, 'with webhooks');
    expectLives(await life.events(), stories, 'with webhooks');
    const { troubles } = await life.door.get<{ troubles: unknown[] }>('/health');
    expect(troubles).toEqual([]);
  },
  MOST_MS,
);
