/** The issues of the demo, in the order they are put on the board, and the scenario their agents play. */
import { lowStock } from './stories/low-stock.ts';
import { quantities } from './stories/quantities.ts';
import { quotedNames } from './stories/quoted-names.ts';
import { thousands } from './stories/thousands.ts';
import { total } from './stories/total.ts';
import { usage } from './stories/usage.ts';
import type { Rule, Story } from './story.ts';

/** The name of the demo's legion; ids of issues begin with it. */
export const LEGION = 'demo';

export interface NumberedStory extends Story {
  /** The id a fresh board gives it. */
  readonly id: string;
}

export const STORIES: readonly NumberedStory[] = [
  lowStock,
  quotedNames,
  usage,
  total,
  quantities,
  thousands,
].map((story, index) => ({ ...story, id: `${LEGION.toUpperCase()}-${index + 1}` }));

export function scenario(): { readonly rules: readonly Rule[] } {
  return { rules: STORIES.flatMap(({ id, rules }) => rules(id)) };
}
