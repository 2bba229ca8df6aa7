/** Blockers that an issue's text names: lines such as `Blocked by #5` or `Depends on owner/repo#7, #8`. */

import { isGithubNumber } from '../../github/number-range.ts';
import { proseLines } from '../../github/prose.ts';
import { type IssuePlace, placeKey } from '../../integrations/github/client/issue-reference.ts';

/** Names of one issue that count; each costs a part of a request, and anybody may write a text. */
const NAMES_MAX = 50;

const BULLET = /^\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?/;
const WORDS = /^(?:\*\*|__)?(?:blocked by|depends on)(?:\*\*|__)?\s*:?(?:\*\*|__)?\s*/i;
/** An owner's name is at most 39 characters, a repository's 100; numbers that GitHub cannot have are read to be reported. */
const NAME = /^(?:([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100}))?#([1-9]\d{0,99})(?![\w-])/;
const ADDRESS =
  /^https:\/\/[^/\s]{1,255}\/([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})\/(?:issues|pull)\/([1-9]\d{0,99})(?![\w-])/;
const BETWEEN = /^\s*(?:,|;|&|\band\b)?\s*/i;

export interface NamedBlockers {
  readonly places: readonly IssuePlace[];
  /** Names as they are written whose number no issue of GitHub can have. */
  readonly impossible: readonly string[];
}

interface Name {
  readonly place: IssuePlace;
  readonly written: string;
}

/** A name without a repository is one of the issue's own. An issue cannot block itself. */
export function namedBlockers(body: string, self: IssuePlace): NamedBlockers {
  const found = new Map<string, Name>();
  for (const line of proseLines(body)) {
    for (const name of namesIn(line, self)) {
      if (found.size === NAMES_MAX) break;
      found.set(placeKey(name.place), name);
    }
  }
  found.delete(placeKey(self));
  const names = [...found.values()];
  return {
    places: names.flatMap(({ place }) => (isGithubNumber(place.number) ? [place] : [])),
    impossible: names.flatMap(({ place, written }) => (isGithubNumber(place.number) ? [] : [written])),
  };
}

/** As many names as follow each other; the first other word ends the list. */
function namesIn(line: string, self: IssuePlace): readonly Name[] {
  const said = line.replace(BULLET, '');
  if (!WORDS.test(said)) return [];
  const names: Name[] = [];
  let rest = said.replace(WORDS, '');
  for (;;) {
    const match = NAME.exec(rest) ?? ADDRESS.exec(rest);
    if (match === null) return names;
    const [written, owner = self.owner, repo = self.repo, number] = match;
    names.push({ place: { owner, repo, number: Number(number) }, written });
    rest = rest.slice(written.length).replace(BETWEEN, '');
  }
}
