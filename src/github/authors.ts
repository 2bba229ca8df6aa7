/** Whose word counts as a writer's: an owner's, a trusted account's, and that of who may write to the repository. */
import { type Actor, accountName } from './actor.ts';
import type { Permissions } from './permissions.ts';
import type { NamedRepository } from './repository-name.ts';

/** Whose permission must be asked for; an owner may all, and everybody else nothing. */
const ASKED: ReadonlySet<string> = new Set(['MEMBER', 'COLLABORATOR']);

/** Somebody's word, where it was said. */
interface Said {
  readonly author: Actor | null;
  readonly authorAssociation: string;
  readonly repository: NamedRepository;
}

export interface Authors {
  /** Afterwards `mayWrite` knows of each. */
  learn(said: readonly Said[], signal: AbortSignal): Promise<void>;
  mayWrite(said: Said): boolean;
}

/** `isTrusted` tells of an account, as GitHub shows it, that nobody needs to be asked about. */
export function authorsBy(permissions: Permissions, isTrusted: (account: string) => boolean): Authors {
  function isSure({ author, authorAssociation }: Said): boolean {
    return authorAssociation === 'OWNER' || isTrusted(accountName(author));
  }

  return {
    learn: (said, signal) =>
      permissions.learn(
        said.filter((each) => !isSure(each)).flatMap((each) => collaborator(each) ?? []),
        signal,
      ),
    mayWrite: (said) => {
      const asked = collaborator(said);
      return isSure(said) || (asked !== undefined && permissions.mayWrite(asked));
    },
  };
}

/** A person's only: an App may be called like one, and is no collaborator. */
function collaborator({ author, authorAssociation, repository }: Said) {
  if (author?.__typename !== 'User' || !ASKED.has(authorAssociation)) return undefined;
  return { login: author.login, repository };
}
