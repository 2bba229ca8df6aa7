/** Who of those who said something may write to the repository, by GitHub's own word. */
import { type Actor, accountName } from '../../github/actor.ts';
import type { Desk } from './desk.ts';
import { permissionsOf } from './write-documents.ts';

/** Accounts asked for in one request. */
const ASKED_MAX = 100;

const WRITING: ReadonlySet<string> = new Set(['WRITE', 'MAINTAIN', 'ADMIN']);
/** Whose permission must be asked for; an owner may all, and everybody else nothing. */
const ASKED: ReadonlySet<string> = new Set(['MEMBER', 'COLLABORATOR']);

export interface Said {
  readonly author: Actor | null;
  readonly authorAssociation: string;
}

/** Resolves to the test. */
export async function writersAmong(
  { client, repo, isLegion }: Desk,
  said: readonly Said[],
  signal: AbortSignal,
): Promise<(each: Said) => boolean> {
  const isTrusted = ({ author, authorAssociation }: Said) =>
    authorAssociation === 'OWNER' || isLegion(accountName(author));
  const logins = said
    .filter(
      (each) => each.author?.__typename === 'User' && ASKED.has(each.authorAssociation) && !isTrusted(each),
    )
    .map(({ author }) => author?.login ?? '');
  const asked = [...new Set(logins)];
  const writers = new Set<string>();
  for (let from = 0; from < asked.length; from += ASKED_MAX) {
    const some = asked.slice(from, from + ASKED_MAX);
    const variables = { ...repo, ...Object.fromEntries(some.map((login, at) => [`u${at}`, login])) };
    // An account that may not see the collaborators cannot tell a writer from others: then nobody is one.
    const how = { signal, tolerates: ['FORBIDDEN', 'NOT_FOUND'] };
    const answer = await client.query<Answer>(permissionsOf(some.length), variables, how);
    for (const [at, login] of some.entries()) {
      const edges = answer[`u${at}`]?.collaborators?.edges ?? [];
      const mayWrite = edges.some(
        (edge) => edge?.node.login.toLowerCase() === login.toLowerCase() && WRITING.has(edge.permission),
      );
      if (mayWrite) writers.add(login);
    }
  }
  return (each) => isTrusted(each) || writers.has(each.author?.login ?? '');
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
