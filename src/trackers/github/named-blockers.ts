/** Blockers that an issue's text names: lines such as `Blocked by #5` or `Depends on owner/repo#7, #8`. */

import { type IssuePlace, placeKey } from '../../github/issue-place.ts';
import { proseLines } from '../../github/prose.ts';

/** Names of one issue that count; each costs a part of a request, and anybody may write a text. */
const NAMES_MAX = 50;

const BULLET = /^\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?/;
const WORDS = /^(?:\*\*|__)?(?:blocked by|depends on)(?:\*\*|__)?\s*:?(?:\*\*|__)?\s*/i;
/** An owner's name is at most 39 characters, a repository's 100, a number at most ten digits. */
const NAME = /^(?:([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100}))?#([1-9]\d{0,9})(?![\w-])/;
const ADDRESS =
  /^https:\/\/[^/\s]{1,255}\/([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})\/(?:issues|pull)\/([1-9]\d{0,9})(?![\w-])/;
const BETWEEN = /^\s*(?:,|;|&|\band\b)?\s*/i;

/** A name without a repository is one of the issue's own. An issue cannot block itself. */
export function namedBlockers(body: string, self: IssuePlace): readonly IssuePlace[] {
  const found = new Map<string, IssuePlace>();
  for (const line of proseLines(body)) {
    for (const place of namesIn(line, self)) {
      if (found.size === NAMES_MAX) break;
      found.set(placeKey(place), place);
    }
  }
  found.delete(placeKey(self));
  return [...found.values()];
}

/** As many names as follow each other; the first other word ends the list. */
function namesIn(line: string, self: IssuePlace): readonly IssuePlace[] {
  const said = line.replace(BULLET, '');
  if (!WORDS.test(said)) return [];
  const places: IssuePlace[] = [];
  let rest = said.replace(WORDS, '');
  for (;;) {
    const match = NAME.exec(rest) ?? ADDRESS.exec(rest);
    if (match === null) return places;
    const [whole, owner = self.owner, repo = self.repo, number] = match;
    places.push({ owner, repo, number: Number(number) });
    rest = rest.slice(whole.length).replace(BETWEEN, '');
  }
}
