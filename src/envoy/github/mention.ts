/** Whether a comment speaks to Legion, and whether its author may: OWNER may, members and collaborators perhaps, nobody else. */
import type { Addressed } from '../pending.ts';
import type { RepositoryName } from '../receiver.ts';
import type { Comment } from './bodies.ts';
import { ownWords } from './prose.ts';
import { githubTopic } from './topics.ts';

/** Always heard, whatever Legion's accounts are called. */
const OWN_NAME = 'legion';

/** Characters of the comment that go along; the rest is on GitHub. */
export const MENTION_MOST_CHARACTERS = 2_000;

/** `perhaps`: only the tracker knows whether they have write access. */
const MAY_WRITE: ReadonlyMap<string, 'yes' | 'perhaps'> = new Map([
  ['OWNER', 'yes'],
  ['MEMBER', 'perhaps'],
  ['COLLABORATOR', 'perhaps'],
]);

export interface Place extends RepositoryName {
  readonly number: number;
  readonly kind: 'issue' | 'pull_request';
}

/** Undefined where it does not, or where its author may not. `accounts` are the logins of Legion's own. */
export function mentionIn(
  comment: Comment,
  place: Place,
  accounts: readonly string[],
): Addressed | undefined {
  const by = comment.user?.login;
  const body = comment.body ?? '';
  const mayWrite = MAY_WRITE.get(comment.author_association ?? '');
  if (by === undefined || mayWrite === undefined) return undefined;
  const names = [OWN_NAME, ...accounts].map(mentionName);
  // The same account without the mark is the person whose token Legion uses.
  if (names.includes(mentionName(by)) && body.includes('<!-- legion:')) return undefined;
  if (!mentions(ownWords(body), names)) return undefined;
  const { owner, repo, number, kind } = place;
  return {
    topic: githubTopic(place, 'mention'),
    notice: {
      text: `${by} speaks to Legion at ${owner}/${repo}#${number}`,
      data: {
        ...{ repository: `${owner}/${repo}`, number, kind, by, mayWrite },
        ...{ comment: comment.id, url: comment.html_url ?? null, text: cut(body) },
      },
    },
  };
}

/** As GitHub reads them: not within a word or an address, and not the beginning of a longer name or of a team's. */
function mentions(text: string, names: readonly string[]): boolean {
  const found = text.matchAll(/(?<![\w@/.`-])@([a-z\d](?:[a-z\d_]|-(?=[a-z\d_]))*)(?![\w/-]|\.\w)/gi);
  return [...found].some(([, name = '']) => names.includes(name.toLowerCase()));
}

/** An app's account is `name[bot]` and is mentioned as `name`. */
function mentionName(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= MENTION_MOST_CHARACTERS) return text;
  return `${characters.slice(0, MENTION_MOST_CHARACTERS).join('')}…`;
}
