/** Creates issues: one per key, each complete in one request. */

import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import type { NewIssue } from '../../../ports/tracker.ts';
import { createUnknownIssueFault, requireIssueId } from '../../tracker-support/issue-input.ts';
import { computeOwnId } from '../client/own-id.ts';
import type { LegionCreatesMutation, MadeIssueQuery, StatePartsFragment } from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';
import { requireState } from './column.ts';
import type { LinearTrackerContext } from './context.ts';
import {
  buildCreateIssueDocument,
  buildCreateRelationsDocument,
  MADE_ISSUE,
  toNumberedInputs,
} from './documents.ts';
import {
  createUnlessPresent,
  isRefusal,
  prepareText,
  requireKey,
  requireTitle,
  runMutation,
} from './idempotent-create.ts';
import { readIssueSnapshot } from './issue-snapshot.ts';
import { requireIssues } from './whole-issues.ts';

interface BlockingRelation {
  readonly id: string;
  readonly issueId: string;
  readonly relatedIssueId: string;
  readonly type: 'blocks';
}

/**
 * Creates an issue with an id derived from its key, so that every process first looks for an
 * existing one. The same request creates the relations to its blockers, whose ids are derived too.
 * If the request was interrupted, the next call for this key adds the missing relations.
 */
export async function createIssueOnce(
  context: LinearTrackerContext,
  key: string,
  issue: NewIssue,
): Promise<IssueId> {
  const id = computeOwnId(context.legion, 'issue', '', requireKey(key));
  const texts = { title: requireTitle(issue.title), description: prepareText(issue.body) };
  const parentId = issue.parent === undefined ? undefined : await requireUuid(context, issue.parent);
  const relations: BlockingRelation[] = [];
  for (const blocker of new Set(issue.blockedBy))
    relations.push(buildRelation(context, id, await requireUuid(context, blocker)));
  const { created, states } = await findCreated(context, id);
  if (created !== undefined) return ensureRelations(context, created, relations);
  const stateId = requireState(issue.status, states, context.columns()).id;
  const labelIds = issue.labels.length === 0 ? [] : await context.labels.idsOf(issue.labels);
  const { team: teamId } = context;
  return createWithRelations(
    context,
    { id, teamId, ...texts, stateId, labelIds, priority: issue.priority, parentId },
    relations,
  );
}

/** Result of creating the issue. The document contains one more mutation per relation. */
type CreateIssueAnswer = Pick<LegionCreatesMutation, 'issueCreate'>;

async function createWithRelations(
  context: LinearTrackerContext,
  input: { readonly id: string } & Readonly<Record<string, unknown>>,
  relations: readonly BlockingRelation[],
): Promise<IssueId> {
  try {
    const variables = { input, ...toNumberedInputs(relations) };
    const { issueCreate } = await runMutation<CreateIssueAnswer>(
      context.client,
      buildCreateIssueDocument(relations.length),
      variables,
    );
    // Linear may omit the new issue from its response, but the issue has the requested id.
    const identifier =
      issueCreate.issue?.identifier ?? (await findCreated(context, input.id)).created?.identifier;
    if (identifier !== undefined) return identifier;
    throw new LegionError('linear.unavailable', 'Linear created an issue but does not return it yet');
  } catch (error) {
    // A label may have been deleted and created again with another id.
    context.labels.forget();
    const created = isRefusal(error) ? (await findCreated(context, input.id)).created : undefined;
    if (created === undefined) throw error;
    return ensureRelations(context, created, relations);
  }
}

function buildRelation({ legion }: LinearTrackerContext, waiting: string, blocker: string): BlockingRelation {
  const id = computeOwnId(legion, 'relation', waiting, blocker);
  return { id, issueId: blocker, relatedIssueId: waiting, type: 'blocks' };
}

/**
 * Resolves a referenced issue before anything is created. If the referenced issue is unknown,
 * nothing is created.
 */
async function requireUuid(context: LinearTrackerContext, id: IssueId): Promise<string> {
  const known =
    context.known.uuidOf(requireIssueId(id)) ??
    (await readIssueSnapshot(context, id, NEVER_ABORTED))?.answer.id;
  if (known === undefined) throw createUnknownIssueFault(id);
  return known;
}

interface CreatedIssueLookup {
  readonly created: LinearIssue | undefined;
  readonly states: readonly StatePartsFragment[];
}

/** Finds the issue even if it was archived or trashed, so that a key never creates a second one. */
async function findCreated({ client, team }: LinearTrackerContext, id: string): Promise<CreatedIssueLookup> {
  const variables = { team, filter: { id: { in: [id] } } };
  const answer = await client.query<MadeIssueQuery>(MADE_ISSUE, variables, { signal: NEVER_ABORTED });
  const [created] = requireIssues(answer.issues.nodes);
  return { created, states: answer.team.states.nodes };
}

/** Adds relations to blockers that an interrupted request did not create. */
async function ensureRelations(
  context: LinearTrackerContext,
  created: LinearIssue,
  wanted: readonly BlockingRelation[],
): Promise<IssueId> {
  const findMissing = (issue: LinearIssue | undefined) => {
    const present = issue?.inverseRelations.nodes ?? [];
    return wanted.filter(
      ({ issueId }) => !present.some(({ type, issue: { id } }) => type === 'blocks' && id === issueId),
    );
  };
  const missing = findMissing(created);
  if (missing.length > 0)
    await createUnlessPresent(
      () =>
        runMutation(context.client, buildCreateRelationsDocument(missing.length), toNumberedInputs(missing)),
      async () => findMissing((await findCreated(context, created.id)).created).length === 0,
    );
  return created.identifier;
}
