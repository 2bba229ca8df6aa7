/** Opens the board of a demo where its options say it is. */
import type { DemoGithub } from '../../../demo/on-github.ts';
import type { CommandContext } from '../../command.ts';
import { withProgress } from '../../present/progress.ts';
import { type DemoBoard, ownBoard } from '../setup/demo/board.ts';
import { type GithubOptions, githubGiven } from './github-options.ts';
import { type GivenLinear, type LinearOptions, linearGiven } from './linear-options.ts';

export interface Given {
  readonly linear: GivenLinear | undefined;
  readonly github: DemoGithub | undefined;
}

export function servicesGiven(options: LinearOptions & GithubOptions, context: CommandContext): Given {
  const linear = linearGiven(options, context);
  return { linear, github: githubGiven(options, context, linear !== undefined) };
}

/** `folder` is the demo's. A demo on one machine loads nothing of the services. */
export async function openDemoBoard(
  { linear, github }: Given,
  folder: string,
  context: CommandContext,
): Promise<DemoBoard> {
  const written = (board: () => Promise<DemoBoard>) => withProgress(context, 'the issues are written', board);
  if (linear !== undefined) {
    const { linearBoard } = await import('./linear-board.ts');
    return written(() => linearBoard(linear, github, folder, context));
  }
  if (github?.project === undefined) return ownBoard();
  const { githubBoard } = await import('./github-board.ts');
  const { project } = github;
  return written(() => githubBoard({ ...github, project }, folder, context));
}
