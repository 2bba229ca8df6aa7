/** The issues of the demo, in the order they are put on the board, and the scenario their agents play. */
import { lowStock } from './stories/low-stock.ts';
import { quantities } from './stories/quantities.ts';
import { quotedNames } from './stories/quoted-names.ts';
import { thousands } from './stories/thousands.ts';
import { total } from './stories/total.ts';
import { usage } from './stories/usage.ts';
import type { Rule, Story } from './story.ts';

/** The name of the demo's legion on a machine of its own; ids of issues begin with it. */
export const LEGION = 'demo';

export const STORIES: readonly Story[] = [lowStock, quotedNames, usage, total, quantities, thousands];

export interface NumberedStory extends Story {
  /** What the board calls it. */
  readonly id: string;
}

/** `ids` are in the order of the stories. */
export function numbered(ids: readonly string[]): readonly NumberedStory[] {
  return STORIES.flatMap((story, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...story, id }];
  });
}

/** As a fresh board of Legion's own numbers them. */
export function onFreshBoard(): readonly NumberedStory[] {
  return numbered(STORIES.map((_, index) => `${LEGION.toUpperCase()}-${index + 1}`));
}

export function scenario(stories: readonly NumberedStory[]): { readonly rules: readonly Rule[] } {
  return { rules: stories.flatMap(({ id, rules }) => rules(id)) };
}
