/** Which installation of a GitHub App is meant, where the configuration does not say. */
import { z } from 'zod';
import { LegionError } from '../core/model/fault.ts';
import type { Answer, Outgoing } from './transport.ts';

/** Where Legion works: the App must be installed there. */
export interface Place {
  readonly owner: string;
  readonly repo?: string | undefined;
}

const installation = z.object({ id: z.int().positive() });

/** `ask` sends as the App and rejects with `github.missing` for what is not there. */
export async function installationAt(
  place: Place,
  ask: (outgoing: Outgoing) => Promise<Answer>,
): Promise<number> {
  for (const { route, parameters } of routesTo(place)) {
    const answer = await unlessMissing(ask({ route, parameters }));
    const found = installation.safeParse(answer?.data);
    if (found.success) return found.data.id;
  }
  const { owner, repo } = place;
  const where = repo === undefined ? owner : `${owner}/${repo}`;
  throw new LegionError('github.missing', `the App is not installed on ${where}`);
}

/** The repository first: an App may be installed on some repositories of an owner only. */
function routesTo({ owner, repo }: Place): readonly Pick<Outgoing, 'route' | 'parameters'>[] {
  return [
    ...(repo === undefined
      ? []
      : [{ route: 'GET /repos/{owner}/{repo}/installation', parameters: { owner, repo } }]),
    { route: 'GET /orgs/{org}/installation', parameters: { org: owner } },
    { route: 'GET /users/{username}/installation', parameters: { username: owner } },
  ];
}

async function unlessMissing(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'github.missing') return undefined;
    throw error;
  }
}
