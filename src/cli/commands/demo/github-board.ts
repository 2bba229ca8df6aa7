/** A project of GitHub as the demo's board: the person writes there with a token, as anybody who may write to it. */

import type { DemoGithub } from '../../../demo/on-github.ts';
import { numbered, STORIES } from '../../../demo/stories.ts';
import type { CommandContext } from '../../command.ts';
import { BY_COMMAND, type DemoBoard } from '../setup/demo/board.ts';
import { addComment, findProject, makeIssue, makeLabels, putOnBoard } from '../setup/demo/github-board.ts';
import { openGithubCode } from './github-code.ts';

/**
 * The issues are written before there is a daemon, and put on the board when it runs: the scenario has to know the numbers that
 * GitHub gives them, and nobody works on what is on no board. `folder` is the demo's.
 */
export async function githubBoard(
  github: DemoGithub & { readonly project: string },
  folder: string,
  context: CommandContext,
): Promise<DemoBoard> {
  const { client, repository, bringMain, close } = await openGithubCode(github, folder, context);
  try {
    const board = { repository, ...(await findProject(client, github.project, context.signal)) };
    const labels = await makeLabels(client, board, new Set(STORIES.flatMap((story) => story.labels)));
    const nodes = new Map<string, string>();
    for (const story of STORIES) {
      const { id, number } = await makeIssue(client, board, story, labels);
      nodes.set(`${github.repo.replace('/', '-')}-${number}`, id);
    }
    const nodeOf = (issue: string) => nodes.get(issue) ?? '';
    return {
      ...BY_COMMAND,
      ...{ surroundings: { github }, stories: numbered([...nodes.keys()]), bringMain, close },
      submit: ({ id }) => putOnBoard(client, board, nodeOf(id)),
      clarify: (issue, text) => addComment(client, nodeOf(issue), text),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
