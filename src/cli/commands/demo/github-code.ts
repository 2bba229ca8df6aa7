/** The repository on GitHub that a demo works on: a clone of it in the demo's folder, wherever the board is. */

import type { DemoPlace } from '../../../demo/lay-out.ts';
import { type DemoGithub, isOnLoopback } from '../../../demo/on-github.ts';
import { type Github, openGithub } from '../../../github/open.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { CommandContext } from '../../command.ts';
import { findRepository } from '../setup/demo/github-board.ts';
import { bringSample, cloneSample } from './github-sample.ts';

export interface GithubCode {
  /** In the name of the person. */
  readonly client: Github;
  /** GitHub's id of the repository. */
  readonly repository: string;
  bringMain(place: DemoPlace): Promise<void>;
  close(): Promise<void>;
}

/** Rejects where it is not the sample project as it is before a demo; nothing is written there. */
export async function openGithubCode(
  github: DemoGithub,
  folder: string,
  { env, signal }: CommandContext,
): Promise<GithubCode> {
  const token = env[github.tokenVariable]?.trim() ?? '';
  const client = openGithub({
    ...{ url: github.url, environment: {}, clock: systemClock },
    ...(isOnLoopback(github) ? { writeSpacingMs: 0 } : {}),
    identities: { legion: { kind: 'token', token }, impl: undefined, review: undefined },
  });
  try {
    const repository = await findRepository(client, github.repo, signal);
    const access = await client.credentials.gitAccess();
    await cloneSample(github, folder, { ...env, ...access });
    return {
      ...{ client, repository, close: () => client.close() },
      bringMain: (place) => bringSample(place.repository, { ...place.environment, ...access }),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
