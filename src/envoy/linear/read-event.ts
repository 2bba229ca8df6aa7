/** What each of Linear's events means to Legion, one line a type. */
import type { z } from 'zod';
import { ok, type Result } from '../../core/model/fault.ts';
import { decode } from '../../domain/decode.ts';
import * as bodies from '../../integrations/linear/webhooks/bodies.ts';
import type { Addressed } from '../pending.ts';
import type { WakeUp } from '../receiver.ts';
import { mentionIn, type Reader } from './mention.ts';
import { linearTopic } from './topics.ts';

export interface Findings {
  readonly wake: readonly WakeUp[];
  readonly notices: readonly Addressed[];
}

type Read = (said: bodies.Envelope, reader: Reader) => Result<Findings | undefined>;

const NOTHING = ok(undefined);
/** It happened, but it cannot be said to what. */
export const EVERYTHING: Findings = { wake: ['everything'], notices: [] };
const LOOK_AT_ALL = ok(EVERYTHING);

const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['Issue', reading(bodies.issueData, issueChanged)],
  ['Comment', reading(bodies.commentData, commented)],
  [
    'Attachment',
    reading(bodies.attachmentData, ({ issueId, originalIssueId }) => looks(issueId, originalIssueId)),
  ],
  [
    'IssueRelation',
    reading(bodies.relationData, ({ issueId, relatedIssueId }) => looks(issueId, relatedIssueId)),
  ],
  // One that is renamed or deleted changes on every issue that has it; a new one is on none.
  ['IssueLabel', ({ action }) => (action === 'create' ? NOTHING : LOOK_AT_ALL)],
  // Columns of the board, of which a new one may be the one that was missing.
  ['WorkflowState', () => LOOK_AT_ALL],
  // Its key is in the id of every issue.
  ['Team', () => LOOK_AT_ALL],
  ['Project', projectChanged],
  // What Legion may see and do has changed, or who may steer it.
  ['PermissionChange', () => LOOK_AT_ALL],
  ['OAuthApp', () => LOOK_AT_ALL],
  ['User', () => LOOK_AT_ALL],
  // Nothing that is read of an issue is in these.
  ...[
    ...['Reaction', 'Document', 'Cycle', 'ProjectUpdate', 'Initiative', 'InitiativeUpdate', 'IssueSLA'],
    ...['Customer', 'CustomerNeed', 'AuditEntry', 'AgentSessionEvent', 'AppUserNotification'],
  ].map((type): [string, Read] => [type, () => NOTHING]),
]);

/** Undefined for what means nothing to Legion; failed where it cannot be read, with the place. */
export function readEvent(body: unknown, reader: Reader): Result<Findings | undefined> {
  const said = decode(bodies.envelope, body, 'body');
  if (!said.ok) return said;
  return (READERS.get(said.value.type) ?? newlyInvented)(said.value, reader);
}

/** A type of tomorrow may matter: at least to the issue it names. */
function newlyInvented({ data }: bodies.Envelope): Result<Findings> {
  const named = bodies.ofAnIssue.safeParse(data);
  return named.success ? ok(looks(named.data.issueId)) : LOOK_AT_ALL;
}

function reading<T>(
  schema: z.ZodType<T>,
  read: (data: T, said: bodies.Envelope, reader: Reader) => Findings | undefined,
): Read {
  return (said, reader) => {
    const data = decode(schema, said.data, 'body.data');
    return data.ok ? ok(read(data.value, said, reader)) : data;
  };
}

function issueChanged(
  { id, identifier }: z.output<typeof bodies.issueData>,
  said: bodies.Envelope,
): Findings {
  return { ...looks(id), notices: happened(identifier, 'issue', said) };
}

function commented(data: bodies.CommentData, said: bodies.Envelope, reader: Reader): Findings | undefined {
  const { issueId, issue } = data;
  const id = issueId ?? issue?.id;
  // On a project, an update or a document, which no worker reads.
  if (id === undefined) return undefined;
  const mention = said.action === 'create' ? mentionIn(data, said, reader) : undefined;
  const notice = happened(issue?.identifier ?? '', 'comment', said);
  return { ...looks(id), notices: mention === undefined ? notice : [...notice, mention] };
}

/** Its name says which repository its issues belong to; an issue that comes to it, or leaves it, is told as that. */
function projectChanged({ action, updatedFrom }: bodies.Envelope): Result<Findings | undefined> {
  const isOther =
    action === 'remove' || (updatedFrom !== undefined && updatedFrom !== null && 'name' in updatedFrom);
  return isOther ? LOOK_AT_ALL : NOTHING;
}

function looks(...issues: readonly (string | null | undefined)[]): Findings {
  const named = issues.filter((issue) => typeof issue === 'string');
  return { wake: named.map((tracked) => ({ tracked: tracked.toLowerCase() })), notices: [] };
}

/** No title and no text: those are read where it is known who wrote them. */
function happened(
  identifier: string,
  kind: 'issue' | 'comment',
  { action, actor, url }: bodies.Envelope,
): readonly Addressed[] {
  const topic = linearTopic(identifier, ...(kind === 'comment' ? [kind] : []));
  if (topic === undefined) return [];
  const data = { issue: identifier, kind, action, by: actor?.name ?? null, url: url ?? null };
  return [{ topic, notice: { text: `${identifier}: ${kind} ${action}`, data } }];
}
