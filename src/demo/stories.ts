/** Lists the issues of the demo in board order, and builds the scenario that their agents play. */
import { lowStock } from './stories/low-stock.ts';
import { quantities } from './stories/quantities.ts';
import { quotedNames } from './stories/quoted-names.ts';
import { thousands } from './stories/thousands.ts';
import { total } from './stories/total.ts';
import { usage } from './stories/usage.ts';
import type { DemoRule, DemoStory } from './story.ts';

/** Name of a local demo's legion. Issue ids begin with it. */
export const DEMO_LEGION = 'demo';

export const STORIES: readonly DemoStory[] = [lowStock, quotedNames, usage, total, quantities, thousands];

export interface NumberedStory extends DemoStory {
  /** Issue id on the board. */
  readonly id: string;
}

/** `ids` must be in the order of the stories. */
export function assignStoryIds(ids: readonly string[]): readonly NumberedStory[] {
  return STORIES.flatMap((story, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...story, id }];
  });
}

/** Numbers the stories as a new local board does. */
export function listFreshBoardStories(): readonly NumberedStory[] {
  return assignStoryIds(STORIES.map((_, index) => `${DEMO_LEGION.toUpperCase()}-${index + 1}`));
}

export function buildDemoScenario(stories: readonly NumberedStory[]): {
  readonly rules: readonly DemoRule[];
} {
  return { rules: stories.flatMap(({ id, rules }) => rules(id)) };
}
