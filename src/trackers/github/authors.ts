/** Who may steer Legion: those who may write to the repository, by GitHub's own word, asked for all of them at once. */
import type { Clock } from '../../domain/clock.ts';
import { type Actor, accountName } from '../../github/actor.ts';
import type { GithubClient } from '../../github/client.ts';
import { isOneOf } from './accounts.ts';
import type { RepositoryAnswer } from './answers.ts';
import { permissionsOf } from './read-documents.ts';

/** How long a permission counts as known: who loses it steers no longer than this. */
const PERMISSION_KEPT_MS = 60 * 60_000;
/** Authors asked for in one request. */
const ASKED_MAX = 100;

const WRITING: ReadonlySet<string> = new Set(['WRITE', 'MAINTAIN', 'ADMIN']);
/** Whose permission must be asked for; an owner may all, and everybody else nothing. */
const ASKED: ReadonlySet<string> = new Set(['MEMBER', 'COLLABORATOR']);

export interface AuthorPolicy {
  /** `anyone`: whoever may open an issue or comment on one may steer. */
  readonly trust: 'writers' | 'anyone';
  /** Logins that count as writers besides. */
  readonly also: readonly string[];
}

/** Somebody's word, where it was said. */
interface Said {
  readonly author: Actor | null;
  readonly authorAssociation: string;
  readonly repository: Pick<RepositoryAnswer, 'name' | 'owner'>;
}

export interface Authors {
  /** Afterwards `mayWrite` knows of each. */
  learn(said: readonly Said[], signal: AbortSignal): Promise<void>;
  mayWrite(said: Said): boolean;
}

interface Options {
  readonly client: GithubClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly accounts: readonly string[];
  readonly policy: () => AuthorPolicy;
}

export function openAuthors({ client, clock, accounts, policy }: Options): Authors {
  const permissions = new Map<string, { readonly mayWrite: boolean; readonly askedAt: number }>();

  function isTrusted({ author, authorAssociation }: Said): boolean {
    return authorAssociation === 'OWNER' || isOneOf(accountName(author), [...accounts, ...policy().also]);
  }

  function mustBeAsked(said: Said): boolean {
    if (said.author?.__typename !== 'User' || !ASKED.has(said.authorAssociation) || isTrusted(said))
      return false;
    const known = permissions.get(keyOf(said));
    return known === undefined || Math.abs(clock.now() - known.askedAt) >= PERMISSION_KEPT_MS;
  }

  async function ask(asked: readonly Said[], signal: AbortSignal): Promise<void> {
    const variables = asked.flatMap(({ author, repository }, index) => [
      [`owner${index}`, repository.owner.login],
      [`name${index}`, repository.name],
      [`login${index}`, author?.login],
    ]);
    // An account that may not see the collaborators cannot tell a writer from others: then nobody is one.
    const how = { signal, tolerates: ['FORBIDDEN', 'NOT_FOUND'] };
    const answer = await client.query<Answer>(
      permissionsOf(asked.length),
      Object.fromEntries(variables),
      how,
    );
    asked.forEach((said, index) => {
      const edges = answer[`a${index}`]?.collaborators?.edges ?? [];
      const login = said.author?.login.toLowerCase();
      const mayWrite = edges.some(
        (edge) => edge !== null && edge.node.login.toLowerCase() === login && WRITING.has(edge.permission),
      );
      permissions.set(keyOf(said), { mayWrite, askedAt: clock.now() });
    });
  }

  return {
    async learn(said, signal) {
      const asked = [...new Map(said.filter(mustBeAsked).map((each) => [keyOf(each), each])).values()];
      for (let from = 0; from < asked.length; from += ASKED_MAX)
        await ask(asked.slice(from, from + ASKED_MAX), signal);
    },
    mayWrite: (said) =>
      isTrusted(said) ||
      (ASKED.has(said.authorAssociation) && permissions.get(keyOf(said))?.mayWrite === true),
  };
}

interface Answer {
  readonly [alias: string]: {
    readonly collaborators: {
      readonly edges: readonly ({
        readonly permission: string;
        readonly node: { readonly login: string };
      } | null)[];
    } | null;
  } | null;
}

function keyOf({ author, repository }: Said): string {
  return `${repository.owner.login}/${repository.name}:${author?.login ?? ''}`.toLowerCase();
}
