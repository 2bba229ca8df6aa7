/** Finds the issues of the board that a posted list names: by id, by address, or by repository and number. */
import { failed, ok, type Result, shown } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../domain/issue.ts';
import { refuseAll } from '../../../domain/refuse-all.ts';
import type { RejectedEntry } from '../../../ports/tracker.ts';

interface NamedIssues {
  readonly ids: ReadonlySet<IssueId>;
  readonly rejected: readonly RejectedEntry[];
}

/** Only names are taken from what is posted: the tracker tells the state. `input.invalid` where no entry has a name. */
export function namedIssues(posted: readonly unknown[], board: readonly Issue[]): Result<NamedIssues> {
  const byName = new Map(board.flatMap((issue) => namesOf(issue).map((name) => [name, issue.id])));
  const ids = new Set<IssueId>();
  const rejected: RejectedEntry[] = [];
  let nameless = 0;
  for (const [index, entry] of posted.entries()) {
    const path = `issues[${index}]`;
    const names = namesIn(entry);
    const found = names.flatMap((name) => byName.get(name) ?? []);
    for (const id of found) ids.add(id);
    if (names.length === 0) {
      nameless += 1;
      rejected.push({ path, message: `${path}: has no id, address, or repository with a number` });
    } else if (found.length === 0)
      rejected.push({ path, message: `${path}: ${shown(names[0] ?? '')} is not on this board` });
  }
  return nameless > 0 && nameless === posted.length ? failed(refuseAll(rejected)) : ok({ ids, rejected });
}

function namesOf({ id, source }: Issue): readonly string[] {
  const places =
    source.kind === 'github'
      ? [`${source.owner}/${source.repo}#${source.number}`]
      : source.kind === 'linear'
        ? [source.identifier, source.uuid]
        : [];
  return [id, ...places].map((name) => name.toLowerCase());
}

/** As GitHub's page, its two APIs and `gh` have it; an item of a project holds the issue as its content. */
function namesIn(posted: unknown, nested = false): readonly string[] {
  if (typeof posted === 'string')
    return posted === '' ? [] : [posted, ...placeIn(posted)].map((name) => name.toLowerCase());
  if (typeof posted !== 'object' || posted === null) return [];
  const { id, identifier, url, html_url, number, repository, content } = posted as Record<string, unknown>;
  const texts = [id, identifier].filter((each) => typeof each === 'string');
  const places = [url, html_url].flatMap((each) => (typeof each === 'string' ? placeIn(each) : []));
  const name = repositoryIn(repository);
  const numbered = name !== undefined && Number.isSafeInteger(number) ? [`${name}#${String(number)}`] : [];
  return [
    ...[...texts, ...places, ...numbered].map((each) => each.toLowerCase()),
    ...(nested ? [] : namesIn(content, true)),
  ];
}

function placeIn(text: string): readonly string[] {
  const [, repository, number] = /([^/\s]+\/[^/\s]+)\/issues\/(\d{1,10})(?:[/?#]|$)/.exec(text) ?? [];
  return repository === undefined ? [] : [`${repository}#${number}`];
}

function repositoryIn(repository: unknown): string | undefined {
  if (typeof repository === 'string') return /^[^/\s]+\/[^/\s]+$/.test(repository) ? repository : undefined;
  if (typeof repository !== 'object' || repository === null) return undefined;
  const { nameWithOwner, full_name: fullName } = repository as Record<string, unknown>;
  return [nameWithOwner, fullName].find((each) => typeof each === 'string');
}
