/**
 * Looks up in batches which accounts have write access to a repository, caches the results, and
 * decides whether the author of a text counts as a writer.
 */
import { z } from 'zod';
import type { Clock } from '../../../core/model/clock.ts';
import { readIsolated } from '../../../lib/read-isolated.ts';
import type { PermissionsOfQuery } from '../generated/client.ts';
import type { GithubClient } from './client.ts';
import { type GithubActor, isSameLogin, toAccountName } from './client.ts';
import type { AliasedFields } from './graphql-answer.ts';
import { type NamedRepository, toRepositoryKey } from './issue-reference.ts';

/** Cache lifetime. A person who loses write access can steer workers for at most this long. */
const PERMISSION_TTL_MS = 60 * 60_000;
/** Accounts per request. */
const MAX_ACCOUNTS_PER_REQUEST = 100;

const WRITING: ReadonlySet<string> = new Set(['WRITE', 'MAINTAIN', 'ADMIN']);

/** A person's login and the repository to check. */
interface PermissionQuery {
  readonly login: string;
  readonly repository: NamedRepository;
}

export interface GithubPermissions {
  /** Looks up unknown entries, so that `mayWrite` has a result for each. */
  learn(queries: readonly PermissionQuery[], signal: AbortSignal): Promise<void>;
  /** Returns false for entries that were never looked up. */
  mayWrite(query: PermissionQuery): boolean;
}

export function openPermissions(client: GithubClient, clock: Pick<Clock, 'now'>): GithubPermissions {
  const known = new Map<string, { readonly mayWrite: boolean; readonly checkedAt: number }>();

  function isKnown(query: PermissionQuery): boolean {
    const entry = known.get(toPermissionKey(query));
    return entry !== undefined && Math.abs(clock.now() - entry.checkedAt) < PERMISSION_TTL_MS;
  }

  async function fetchPermissions(queries: readonly PermissionQuery[], signal: AbortSignal): Promise<void> {
    const variables = queries.flatMap(({ login, repository }, index) => [
      [`owner${index}`, repository.owner.login],
      [`name${index}`, repository.name],
      [`login${index}`, login],
    ]);
    // If Legion's account does not have permission to list collaborators, writers cannot be
    // identified, so no account is treated as a writer.
    const { data, refusals } = await client.queryPartially<AliasedFields<PermissionsOfQuery, 'a'>>(
      buildPermissionsQuery(queries.length),
      Object.fromEntries(variables),
      { signal },
    );
    for (const [index, each] of queries.entries()) {
      // After a temporary failure, the permission is looked up again on the next pass.
      if (refusals.some(({ path, code }) => path[0] === `a${index}` && code === 'github.unavailable'))
        continue;
      const edges = data[`a${index}`]?.collaborators?.edges ?? [];
      const mayWrite = edges.some((edge) => isWriter(edge, each.login));
      known.set(toPermissionKey(each), { mayWrite, checkedAt: clock.now() });
    }
  }

  return {
    async learn(queries, signal) {
      const unknown = queries.filter((each) => !isKnown(each));
      const distinct = [...new Map(unknown.map((each) => [toPermissionKey(each), each])).values()];
      await readIsolated({
        items: distinct,
        batch: MAX_ACCOUNTS_PER_REQUEST,
        read: (batch) => fetchPermissions(batch, signal),
        refuse: (each) => known.set(toPermissionKey(each), { mayWrite: false, checkedAt: clock.now() }),
      });
    },
    mayWrite: (query) => known.get(toPermissionKey(query))?.mayWrite === true,
  };
}

const edgeAnswer = z.object({ permission: z.string(), node: z.object({ login: z.string() }) }).nullable();

/** Returns false for a malformed response. */
function isWriter(raw: z.input<typeof edgeAnswer>, login: string): boolean {
  const edge = edgeAnswer.safeParse(raw).data ?? null;
  return edge !== null && isSameLogin(edge.node.login, login) && WRITING.has(edge.permission);
}

/** Builds the query for the permissions of these accounts in these repositories. */
export function buildPermissionsQuery(count: number): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  return `
query PermissionsOf(${indices.map((index) => `$owner${index}: String!, $name${index}: String!, $login${index}: String!`).join(', ')}) {
  ${indices
    .map(
      (index) => `a${index}: repository(owner: $owner${index}, name: $name${index}) {
    collaborators(login: $login${index}, first: 1) { edges { permission node { login } } }
  }`,
    )
    .join('\n  ')}
}`;
}

function toPermissionKey({ login, repository }: PermissionQuery): string {
  return `${toRepositoryKey(repository)}:${login.toLowerCase()}`;
}

/**
 * Associations whose permission must be looked up. An owner always has write access, and all other
 * associations never do.
 */
const ASSOCIATIONS_TO_VERIFY: ReadonlySet<string> = new Set(['MEMBER', 'COLLABORATOR']);

/** A text's author and the repository it was written in. */
interface AuthoredContent {
  readonly author: GithubActor | null;
  readonly authorAssociation: string;
  readonly repository: NamedRepository;
}

export interface GithubAuthors {
  /** Looks up the authors, so that `mayWrite` has a result for each. */
  learn(contents: readonly AuthoredContent[], signal: AbortSignal): Promise<void>;
  mayWrite(content: AuthoredContent): boolean;
}

/**
 * `isTrusted` receives account names as GitHub shows them. If it returns true, the account is
 * treated as a writer without a lookup.
 */
export function createAuthors(
  permissions: GithubPermissions,
  isTrusted: (account: string) => boolean,
): GithubAuthors {
  function isKnownWriter({ author, authorAssociation }: AuthoredContent): boolean {
    return authorAssociation === 'OWNER' || isTrusted(toAccountName(author));
  }

  return {
    learn: (contents, signal) =>
      permissions.learn(
        contents.filter((each) => !isKnownWriter(each)).flatMap((each) => findCollaborator(each) ?? []),
        signal,
      ),
    mayWrite: (content) => {
      const collaborator = findCollaborator(content);
      return isKnownWriter(content) || (collaborator !== undefined && permissions.mayWrite(collaborator));
    },
  };
}

/** Returns undefined for an App, which may have a person's name but is never a collaborator. */
function findCollaborator({ author, authorAssociation, repository }: AuthoredContent) {
  if (author?.__typename !== 'User' || !ASSOCIATIONS_TO_VERIFY.has(authorAssociation)) return undefined;
  return { login: author.login, repository };
}
