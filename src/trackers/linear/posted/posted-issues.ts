/** Reads issues from what Linear's API or its MCP server has answered, as somebody posts it. */
import { validate as isUuid } from 'uuid';
import { decode } from '../../../domain/decode.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { ColumnNames } from '../../../domain/status.ts';
import { labelNames } from '../../label-names.ts';
import type { PostedIssue } from '../../tracker.ts';
import { columnOf, hasEnded } from '../column.ts';
import { findIssues } from './find-issues.ts';
import { type PostedAnswer, postedIssue } from './issue-schema.ts';

/**
 * All or none: what is malformed is refused with its place. Nothing is asked for, so what was not posted is left out. Archived and
 * trashed issues are on no board; of one that is there twice the later counts.
 */
export function postedIssues(posted: unknown, names: ColumnNames): Result<readonly PostedIssue[]> {
  const found = findIssues(posted);
  if (!found.ok) return found;
  const issues = new Map<string, PostedIssue>();
  for (const { value, path } of found.value) {
    const read = decode(postedIssue, value, path);
    if (!read.ok) return read;
    const issue = issueOf(read.value, names);
    if (isOnBoard(read.value)) issues.set(issue.id, issue);
  }
  return ok([...issues.values()]);
}

function isOnBoard({ archivedAt, trashed }: PostedAnswer): boolean {
  return (archivedAt ?? undefined) === undefined && trashed !== true;
}

function issueOf(answer: PostedAnswer, names: ColumnNames): PostedIssue {
  const { identifier, id, title, description, priority, createdAt, project, attachments } = answer;
  const state = { name: answer.state.name, type: answer.state.type ?? answer.statusType ?? '' };
  const uuid = isUuid(id ?? '') ? id : undefined;
  const blockers = hasEnded(state, names) ? [] : openBlockers(answer, names);
  const parent = answer.parent?.identifier ?? answer.parentId;
  return {
    ...{ id: identifier, title, column: columnOf(state, names) },
    labels: labelNames(answer.labels.map((name) => ({ name }))),
    ...(description !== undefined && { body: description ?? '' }),
    ...(priority !== undefined && { priority: priority ?? 0 }),
    ...given('createdAt', createdAt),
    ...given('parent', parent),
    ...given('project', project),
    ...given('links', attachments?.toSorted()),
    ...given('openBlockers', blockers),
    ...(uuid !== undefined && uuid !== null && { source: { kind: 'linear', uuid, identifier } as const }),
  };
}

/** Undefined where nothing was said about them. One whose state was not posted counts: nobody is started too early by that. */
function openBlockers(answer: PostedAnswer, names: ColumnNames): readonly string[] | undefined {
  const { inverseRelations, relations, blockedBy } = answer;
  const blocking = inverseRelations?.filter(({ type }) => type === 'blocks').map(({ issue }) => issue);
  const said = [blocking, relations?.blockedBy, blockedBy].filter(
    (list) => (list ?? undefined) !== undefined,
  );
  if (said.length === 0) return undefined;
  const open = said
    .flatMap((list) => list ?? [])
    .filter(
      ({ state }) => state === undefined || !hasEnded({ name: state.name, type: state.type ?? '' }, names),
    );
  return [...new Set(open.map(({ identifier }) => identifier))].toSorted();
}

function given<K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === undefined || value === null ? {} : ({ [key]: value } as Record<K, V>);
}
