/** Which issues of the board a posted list names, however its sender spells them: by id, by address, or by repository and number. */
import type { IssueId } from '../../../domain/ids.ts';
import type { Issue } from '../../../domain/issue.ts';

/** Only names are taken from what is posted: what state an issue is in, the tracker says. */
export function namedIssues(posted: readonly unknown[], board: readonly Issue[]): ReadonlySet<IssueId> {
  const byName = new Map(board.flatMap((issue) => namesOf(issue).map((name) => [name, issue.id])));
  return new Set(posted.flatMap((each) => namesIn(each).flatMap((name) => byName.get(name) ?? [])));
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
function namesIn(posted: unknown): readonly string[] {
  if (typeof posted === 'string') return [posted, ...placeIn(posted)].map((name) => name.toLowerCase());
  if (typeof posted !== 'object' || posted === null) return [];
  const { id, identifier, url, html_url, number, repository, content } = posted as Record<string, unknown>;
  const texts = [id, identifier].filter((each) => typeof each === 'string');
  const places = [url, html_url].flatMap((each) => (typeof each === 'string' ? placeIn(each) : []));
  const name = repositoryIn(repository);
  const numbered = name !== undefined && Number.isSafeInteger(number) ? [`${name}#${String(number)}`] : [];
  return [...[...texts, ...places, ...numbered].map((each) => each.toLowerCase()), ...namesIn(content)];
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
