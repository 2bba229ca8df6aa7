/**
 * Simulates a person in Linear who writes issues and comments, answers questions and approves by
 * label.
 */
import type { NumberedStory } from '../../../src/demo/stories.ts';
import type { DemoStory } from '../../../src/demo/story.ts';
import { completeIssuesOn } from '../../demo/person.ts';
import { type LinearDaemon, TEAM } from './linear-legion.ts';

/**
 * Assigns to these issues the numbers that Linear gives them if they are created first and in this
 * order.
 */
export function numberIssues(stories: readonly DemoStory[]): readonly NumberedStory[] {
  return stories.map((story, index) => ({ ...story, id: `${TEAM}-${index + 1}` }));
}

/** Puts the issues on the board, in Triage. */
export function writeIssues({ linear }: LinearDaemon, stories: readonly NumberedStory[]): void {
  for (const { title, body, labels } of stories)
    linear.people.issue(TEAM, { creator: 'ada', title, description: body, labels, state: 'Triage' });
}

/** Acts as the person until all of these issues are Done. */
export async function completeIssues(
  daemon: LinearDaemon,
  stories: readonly NumberedStory[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const { people, snapshot } = daemon.linear;
  const board = {
    listIssues: () =>
      snapshot().issues.map(({ identifier, labels, state }) => ({
        id: identifier,
        labels,
        status: state,
        isOver: state === 'Done',
      })),
    comment: (id: string, text: string) => void people.comment('ada', id, text),
    approve: (id: string) => people.setLabels('ada', id, { add: ['human-approved'] }),
  };
  await completeIssuesOn(daemon, board, stories, meanwhile);
}
