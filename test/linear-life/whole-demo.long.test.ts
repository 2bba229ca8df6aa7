/** The six issues of the demo in Linear, from the board to merged pull requests, wherever the code is. */
import { expect, test } from 'vitest';
import { STORIES, scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/linear/final-state.ts';
import { linearStage } from '../e2e/linear/linear-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/linear/person.ts';

const begin = linearStage();
const stories = numberedOn(STORIES);
const MOST_MS = 300_000;

test.each(['local', 'github'] as const)(
  'six issues become Done through webhooks with the forge %s, and nothing is done twice',
  async (forge) => {
    // Polling alone would take minutes.
    const yaml = 'polling: { interval: 15s, slow_after: 1000 }\n';
    const life = await begin({ ...scenario(stories), forge, yaml });
    await life.start();
    life.listen();
    write(life, stories);
    await seeThrough(life, stories);
    expectWhole(life, stories, forge);
    expectLives(await life.events(), stories, forge);
    const { troubles } = await life.door.get<{ troubles: unknown[] }>('/health');
    expect(troubles).toEqual([]);
  },
  MOST_MS,
);
