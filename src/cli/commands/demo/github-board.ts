/** A project of GitHub as the demo's board: the person writes there with a token, as anybody who may write to it. */

import { systemClock } from '../../../daemon/system-clock.ts';
import type { DemoPlace } from '../../../demo/lay-out.ts';
import { type DemoGithub, isOnLoopback } from '../../../demo/on-github.ts';
import { numbered, STORIES } from '../../../demo/stories.ts';
import type { CommandContext } from '../../command.ts';
import type { DemoBoard } from './board.ts';
import { bringSample, cloneSample } from './github-sample.ts';
import { addComment, findBoard, makeIssue, makeLabels, putOnBoard } from './github-writing.ts';

/**
 * The issues are written before there is a daemon, and put on the board when it runs: the scenario has to know the numbers that
 * GitHub gives them, and nobody works on what is on no board. `folder` is the demo's.
 */
export async function githubBoard(
  github: DemoGithub,
  folder: string,
  { env, signal }: CommandContext,
): Promise<DemoBoard> {
  // Loaded only here: a demo on one machine needs neither the memory nor the time.
  const { openGithub } = await import('../../../github/open.ts');
  const token = env[github.tokenVariable]?.trim() ?? '';
  const client = openGithub({
    ...{ url: github.url, environment: {}, clock: systemClock },
    ...(isOnLoopback(github) ? { writeSpacingMs: 0 } : {}),
    identities: { legion: { kind: 'token', token }, impl: undefined, review: undefined },
  });
  try {
    const board = await findBoard(client, github, signal);
    const access = await client.credentials.gitAccess();
    await cloneSample(github, folder, { ...env, ...access });
    const labels = await makeLabels(client, board, new Set(STORIES.flatMap((story) => story.labels)));
    const nodes = new Map<string, string>();
    for (const story of STORIES) {
      const { id, number } = await makeIssue(client, board, story, labels);
      nodes.set(`${github.repo.replace('/', '-')}-${number}`, id);
    }
    const nodeOf = (issue: string) => nodes.get(issue) ?? '';
    return {
      stories: numbered([...nodes.keys()]),
      submit: ({ id }) => putOnBoard(client, board, nodeOf(id)),
      clarify: (issue, text) => addComment(client, nodeOf(issue), text),
      bringMain: ({ repository, environment }: DemoPlace) =>
        bringSample(repository, { ...environment, ...access }),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
