/** The six issues of the demo on GitHub, from the board to merged pull requests. */
import { expect, test } from 'vitest';
import { STORIES, scenario } from '../../src/demo/stories.ts';
import { expectLives } from '../demo/lived.ts';
import { expectWhole } from '../e2e/github/final-state.ts';
import { githubStage } from '../e2e/github/github-legion.ts';
import { numberedOn, seeThrough, write } from '../e2e/github/person.ts';

const begin = githubStage();
const stories = numberedOn(STORIES);
const MOST_MS = 300_000;

test(
  'six issues become Done through webhooks, each with one merged pull request, and nothing is done twice',
  async () => {
    // Polling alone would take minutes.
    const life = await begin({
      ...scenario(stories),
      yaml: 'polling: { interval: 15s, slow_after: 1000 }\n',
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
