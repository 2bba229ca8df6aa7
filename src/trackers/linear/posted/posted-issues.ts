/** Reads the issues in a posted answer of Linear's API or its MCP server. */
import { validate as isUuid } from 'uuid';
import { failed, ok, type Result } from '../../../core/model/fault.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { decode } from '../../../domain/decode.ts';
import { plainLine, wholeText } from '../../../domain/plain-text.ts';
import { refuseAll } from '../../../domain/refuse-all.ts';
import { findIssues } from '../../../integrations/linear/tracker/find-posted-issues.ts';
import type { PostedIssue, PostedIssues } from '../../../ports/tracker.ts';
import { labelNames } from '../../label-names.ts';
import { columnOf, hasEnded } from '../column.ts';
import { identifierIn } from './identifier.ts';
import { type PostedAnswer, postedIssue } from './issue-schema.ts';

/**
 * One malformed issue is rejected with its place; the others are read. Refused whole where nothing is usable. Nothing is asked
 * for, so what was not posted is left out. Archived and trashed issues are on no board; of one that is there twice the later counts.
 */
export function postedIssues(posted: unknown, names: ColumnNames): Result<PostedIssues> {
  const entries = findIssues(posted);
  if (!entries.ok) return entries;
  const issues = new Map<string, PostedIssue>();
  const rejected = [...entries.value.rejected];
  let usable = 0;
  for (const { value, path } of entries.value.found) {
    const read = decode(postedIssue, value, path);
    if (!read.ok) rejected.push({ path, id: identifierIn(value), message: read.fault.message });
    else {
      usable += 1;
      const issue = issueOf(read.value, names);
      if (isOnBoard(read.value)) issues.set(issue.id, issue);
    }
  }
  return usable === 0 && rejected.length > 0
    ? failed(refuseAll(rejected))
    : ok({ issues: [...issues.values()], rejected });
}

function isOnBoard({ archivedAt, trashed }: PostedAnswer): boolean {
  return (archivedAt ?? undefined) === undefined && trashed !== true;
}

function issueOf(answer: PostedAnswer, names: ColumnNames): PostedIssue {
  const { identifier, id, title, description, priority, createdAt, project, attachments } = answer;
  const state = { name: plainLine(answer.state.name), type: answer.state.type ?? answer.statusType ?? '' };
  const uuid = isUuid(id ?? '') ? id : undefined;
  const blockers = hasEnded(state, names) ? [] : openBlockers(answer, names);
  const parent = answer.parent?.identifier ?? answer.parentId;
  return {
    id: identifier,
    title: plainLine(title),
    column: columnOf(state, names),
    labels: labelNames(answer.labels.map((name) => ({ name }))),
    ...(description !== undefined && { body: wholeText(description ?? '') }),
    ...(priority !== undefined && { priority: priority ?? 0 }),
    ...given('createdAt', createdAt),
    ...given('parent', parent),
    ...given('project', project && plainLine(project)),
    ...given('links', attachments?.map(plainLine).toSorted()),
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
