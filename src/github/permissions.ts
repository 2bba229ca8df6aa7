/** Who may write to a repository, by GitHub's own word: asked for many at once, and remembered for a while. */
import { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import type { PermissionsOfQuery } from '../integrations/github/generated/client.ts';
import type { Aliased } from '../lib/graphql-answer.ts';
import { readIsolated } from '../lib/read-isolated.ts';
import type { GithubClient } from './client.ts';
import { sameLogin } from './logins.ts';
import { type NamedRepository, repositoryKey } from './repository-name.ts';

/** How long a permission counts as known: who loses it steers no longer than this. */
const PERMISSION_KEPT_MS = 60 * 60_000;
/** Accounts asked for in one request. */
const ASKED_MAX = 100;

const WRITING: ReadonlySet<string> = new Set(['WRITE', 'MAINTAIN', 'ADMIN']);

/** A person, by login, in a repository. */
interface Asked {
  readonly login: string;
  readonly repository: NamedRepository;
}

export interface Permissions {
  /** Afterwards `mayWrite` knows of each; only those that are not known are asked for. */
  learn(asked: readonly Asked[], signal: AbortSignal): Promise<void>;
  /** No for who was never asked for. */
  mayWrite(asked: Asked): boolean;
}

export function openPermissions(client: GithubClient, clock: Pick<Clock, 'now'>): Permissions {
  const known = new Map<string, { readonly mayWrite: boolean; readonly askedAt: number }>();

  function isKnown(asked: Asked): boolean {
    const found = known.get(keyOf(asked));
    return found !== undefined && Math.abs(clock.now() - found.askedAt) < PERMISSION_KEPT_MS;
  }

  async function ask(asked: readonly Asked[], signal: AbortSignal): Promise<void> {
    const variables = asked.flatMap(({ login, repository }, index) => [
      [`owner${index}`, repository.owner.login],
      [`name${index}`, repository.name],
      [`login${index}`, login],
    ]);
    // An account that may not see the collaborators cannot tell a writer from others: then nobody is one.
    const { data, refusals } = await client.queryPartially<Aliased<PermissionsOfQuery, 'a'>>(
      permissionsOf(asked.length),
      Object.fromEntries(variables),
      { signal },
    );
    for (const [index, each] of asked.entries()) {
      // What may pass is asked for again at the next look.
      if (refusals.some(({ path, code }) => path[0] === `a${index}` && code === 'github.unavailable'))
        continue;
      const edges = data[`a${index}`]?.collaborators?.edges ?? [];
      const mayWrite = edges.some((edge) => isWriter(edge, each.login));
      known.set(keyOf(each), { mayWrite, askedAt: clock.now() });
    }
  }

  return {
    async learn(asked, signal) {
      const unknown = asked.filter((each) => !isKnown(each));
      const once = [...new Map(unknown.map((each) => [keyOf(each), each])).values()];
      await readIsolated({
        items: once,
        batch: ASKED_MAX,
        read: (some) => ask(some, signal),
        refuse: (each) => known.set(keyOf(each), { mayWrite: false, askedAt: clock.now() }),
      });
    },
    mayWrite: (asked) => known.get(keyOf(asked))?.mayWrite === true,
  };
}

const edgeAnswer = z.object({ permission: z.string(), node: z.object({ login: z.string() }) }).nullable();

/** A malformed answer makes nobody a writer. */
function isWriter(raw: z.input<typeof edgeAnswer>, login: string): boolean {
  const edge = edgeAnswer.safeParse(raw).data ?? null;
  return edge !== null && sameLogin(edge.node.login, login) && WRITING.has(edge.permission);
}

/** What each of these accounts may do in each of these repositories. */
export function permissionsOf(count: number): string {
  const asked = Array.from({ length: count }, (_, index) => index);
  return `
query PermissionsOf(${asked.map((index) => `$owner${index}: String!, $name${index}: String!, $login${index}: String!`).join(', ')}) {
  ${asked
    .map(
      (index) => `a${index}: repository(owner: $owner${index}, name: $name${index}) {
    collaborators(login: $login${index}, first: 1) { edges { permission node { login } } }
  }`,
    )
    .join('\n  ')}
}`;
}

function keyOf({ login, repository }: Asked): string {
  return `${repositoryKey(repository)}:${login.toLowerCase()}`;
}
