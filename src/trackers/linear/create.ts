/** New issues: one a key, whole in one request. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type {
  LegionCreatesMutation,
  MadeIssueQuery,
  StatePartsFragment,
} from '../../integrations/linear/generated/tracker.ts';
import { MADE_ISSUE } from '../../integrations/linear/tracker/documents.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { ownId } from '../../linear/own-id.ts';
import type { NewIssue } from '../../ports/tracker.ts';
import { acceptedId, unknownIssue } from '../accepted-id.ts';
import { stateFor } from './column.ts';
import { acceptedKey, acceptedText, acceptedTitle } from './input.ts';
import type { LinearIssue } from './linear-issue.ts';
import { isRefusal, mutate, unlessThere } from './made-once.ts';
import { requireIssues } from './read-nodes.ts';
import type { Room } from './room.ts';
import { sight } from './sight.ts';
import { createIssue, createRelations, inputsOf } from './write-documents.ts';

interface Relation {
  readonly id: string;
  readonly issueId: string;
  readonly relatedIssueId: string;
  readonly type: 'blocks';
}

/**
 * Made under the id that follows from its key, so that it is looked for first and found by everybody. What it waits for is made in the
 * same request, under such ids too: where that was broken off in between, whoever finds the issue makes the rest.
 */
export async function create(room: Room, key: string, issue: NewIssue): Promise<IssueId> {
  const id = ownId(room.legion, 'issue', '', acceptedKey(key));
  const texts = { title: acceptedTitle(issue.title), description: acceptedText(issue.body) };
  const parentId = issue.parent === undefined ? undefined : await uuidOf(room, issue.parent);
  const relations: Relation[] = [];
  for (const blocker of new Set(issue.blockedBy))
    relations.push(relation(room, id, await uuidOf(room, blocker)));
  const { made, states } = await find(room, id);
  if (made !== undefined) return completed(room, made, relations);
  const stateId = stateFor(issue.status, states, room.columns()).id;
  const labelIds = issue.labels.length === 0 ? [] : await room.labels.idsOf(issue.labels);
  const { team: teamId } = room;
  return make(
    room,
    { id, teamId, ...texts, stateId, labelIds, priority: issue.priority, parentId },
    relations,
  );
}

/** A document has one more mutation for each relation. */
type Created = Pick<LegionCreatesMutation, 'issueCreate'>;

async function make(
  room: Room,
  input: { readonly id: string } & Readonly<Record<string, unknown>>,
  relations: readonly Relation[],
): Promise<IssueId> {
  try {
    const variables = { input, ...inputsOf(relations) };
    const { issueCreate } = await mutate<Created>(room.client, createIssue(relations.length), variables);
    // Linear may leave the new issue out of its answer; it has the id that was asked for.
    const identifier = issueCreate.issue?.identifier ?? (await find(room, input.id)).made?.identifier;
    if (identifier !== undefined) return identifier;
    throw new LegionError('linear.unavailable', 'Linear has made an issue and does not show it yet');
  } catch (error) {
    // One of its labels may be another by now.
    room.labels.forget();
    const made = isRefusal(error) ? (await find(room, input.id)).made : undefined;
    if (made === undefined) throw error;
    return completed(room, made, relations);
  }
}

function relation({ legion }: Room, waiting: string, blocker: string): Relation {
  const id = ownId(legion, 'relation', waiting, blocker);
  return { id, issueId: blocker, relatedIssueId: waiting, type: 'blocks' };
}

/** Everything that can be refused is, before anything is made. */
async function uuidOf(room: Room, id: IssueId): Promise<string> {
  const known = room.known.uuidOf(acceptedId(id)) ?? (await sight(room, id, NEVER_ABORTED))?.answer.id;
  if (known === undefined) throw unknownIssue(id);
  return known;
}

interface Found {
  readonly made: LinearIssue | undefined;
  readonly states: readonly StatePartsFragment[];
}

/** Wherever it has gone since: what was made for a key is made once, also where a person has put it into the trash. */
async function find({ client, team }: Room, id: string): Promise<Found> {
  const variables = { team, filter: { id: { in: [id] } } };
  const answer = await client.query<MadeIssueQuery>(MADE_ISSUE, variables, { signal: NEVER_ABORTED });
  const [made] = requireIssues(answer.issues.nodes);
  return { made, states: answer.team.states.nodes };
}

/** With what it waits for, which may not have come with it. */
async function completed(room: Room, made: LinearIssue, wanted: readonly Relation[]): Promise<IssueId> {
  const lacking = (issue: LinearIssue | undefined) => {
    const there = issue?.inverseRelations.nodes ?? [];
    return wanted.filter(
      ({ issueId }) => !there.some(({ type, issue: { id } }) => type === 'blocks' && id === issueId),
    );
  };
  const missing = lacking(made);
  if (missing.length > 0)
    await unlessThere(
      () => mutate(room.client, createRelations(missing.length), inputsOf(missing)),
      async () => lacking((await find(room, made.id)).made).length === 0,
    );
  return made.identifier;
}
