/**
 * Simulates a person on GitHub who writes issues and comments, answers questions and approves by
 * label.
 */
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import type { NumberedStory } from '../../../src/demo/stories.ts';
import type { DemoStory } from '../../../src/demo/story.ts';
import { completeIssuesOn } from '../../demo/person.ts';
import type { GithubDaemon } from './github-legion.ts';

const PREFIX = `${DEMO_REPO.replace('/', '-')}-`;

/**
 * Assigns to these issues the numbers that GitHub gives them if they are created first and in this
 * order.
 */
export function numberIssues(stories: readonly DemoStory[]): readonly NumberedStory[] {
  return stories.map((story, index) => ({ ...story, id: `${PREFIX}${index + 1}` }));
}

/** Puts the issues on the board, in Triage. */
export function writeIssues({ github, seed }: GithubDaemon, stories: readonly NumberedStory[]): void {
  for (const { title, body, labels } of stories)
    github.people.issue(DEMO_REPO, {
      author: 'ada',
      title,
      body,
      labels,
      project: seed.project,
      status: 'Triage',
    });
}

/** Acts as the person until all of these issues are Done and closed. */
export async function completeIssues(
  daemon: GithubDaemon,
  stories: readonly NumberedStory[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const { github, seed } = daemon;
  const numberOf = (id: string) => Number(id.slice(PREFIX.length));
  const board = {
    listIssues: () =>
      listIssues(github).map(({ number, labels, statuses, state }) => {
        const status = statuses[seed.project];
        return { id: `${PREFIX}${number}`, labels, status, isOver: state === 'CLOSED' && status === 'Done' };
      }),
    comment: (id: string, text: string) => void github.people.comment('ada', DEMO_REPO, numberOf(id), text),
    approve: (id: string) => github.people.label('ada', DEMO_REPO, numberOf(id), { add: ['human-approved'] }),
  };
  await completeIssuesOn(daemon, board, stories, meanwhile);
}

/** Returns all issues of the repository, which may include others such as blockers. */
export function listIssues(github: GithubDaemon['github']) {
  return github.snapshot().issues.filter(({ repo }) => repo === DEMO_REPO);
}
