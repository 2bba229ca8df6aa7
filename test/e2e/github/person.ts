/** The person on GitHub: writes issues and comments there, answers there, and approves by a label. */
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import type { NumberedStory } from '../../../src/demo/stories.ts';
import type { Story } from '../../../src/demo/story.ts';
import { seeThroughOn } from '../../demo/person.ts';
import type { GithubLife } from './github-legion.ts';

const PREFIX = `${DEMO_REPO.replace('/', '-')}-`;

/** The ids that issues get which are written first, in this order. */
export function numberedOn(stories: readonly Story[]): readonly NumberedStory[] {
  return stories.map((story, index) => ({ ...story, id: `${PREFIX}${index + 1}` }));
}

/** Puts them on the board, in Triage. */
export function write({ github, seed }: GithubLife, stories: readonly NumberedStory[]): void {
  for (const { title, body, labels } of stories)
    github.people.issue(DEMO_REPO, {
      ...{ author: 'ada', title, body, labels, project: seed.project, status: 'Triage' },
    });
}

/** Until all of them are Done and closed. */
export async function seeThrough(
  life: GithubLife,
  stories: readonly NumberedStory[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const { github, seed } = life;
  const numberOf = (id: string) => Number(id.slice(PREFIX.length));
  const board = {
    look: () =>
      issuesOf(github).map(({ number, labels, statuses, state }) => {
        const status = statuses[seed.project];
        return { id: `${PREFIX}${number}`, labels, status, isOver: state === 'CLOSED' && status === 'Done' };
      }),
    comment: (id: string, text: string) => void github.people.comment('ada', DEMO_REPO, numberOf(id), text),
    approve: (id: string) => github.people.label('ada', DEMO_REPO, numberOf(id), { add: ['human-approved'] }),
  };
  await seeThroughOn(life, board, stories, meanwhile);
}

/** Others may be there too, such as those that block these. */
export function issuesOf(github: GithubLife['github']) {
  return github.snapshot().issues.filter(({ repo }) => repo === DEMO_REPO);
}
