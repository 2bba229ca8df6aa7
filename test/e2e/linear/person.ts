/** The person in Linear: writes issues and comments there, answers there, and approves by a label. */
import type { NumberedStory } from '../../../src/demo/stories.ts';
import type { Story } from '../../../src/demo/story.ts';
import { seeThroughOn } from '../../demo/person.ts';
import { type LinearLife, TEAM } from './linear-legion.ts';

/** The ids that issues get which are written first, in this order. */
export function numberedOn(stories: readonly Story[]): readonly NumberedStory[] {
  return stories.map((story, index) => ({ ...story, id: `${TEAM}-${index + 1}` }));
}

/** Puts them on the board, in Triage. */
export function write({ linear }: LinearLife, stories: readonly NumberedStory[]): void {
  for (const { title, body, labels } of stories)
    linear.people.issue(TEAM, { creator: 'ada', title, description: body, labels, state: 'Triage' });
}

/** Until all of them are Done. */
export async function seeThrough(
  life: LinearLife,
  stories: readonly NumberedStory[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const { people, snapshot } = life.linear;
  const board = {
    look: () =>
      snapshot().issues.map(({ identifier, labels, state }) => ({
        ...{ id: identifier, labels, status: state, isOver: state === 'Done' },
      })),
    comment: (id: string, text: string) => void people.comment('ada', id, text),
    approve: (id: string) => people.setLabels('ada', id, { add: ['human-approved'] }),
  };
  await seeThroughOn(life, board, stories, meanwhile);
}
