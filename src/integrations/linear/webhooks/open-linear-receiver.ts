/**
 * Receives Linear's webhooks: verifies, stores and acknowledges a delivery before acting on it, and
 * maps its event to wake-ups and notices.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError, ok, quoteText, type Result } from '../../../core/model/fault.ts';
import type { WakeUp, WebhookReceiver } from '../../../ports/webhooks.ts';
import { openDeliveryLog } from '../../webhook-support/deliveries.ts';
import {
  type AddressedNotice,
  openPendingQueue,
  type WebhookReceiverOptions,
} from '../../webhook-support/pending.ts';
import {
  parseSignedJson,
  readSignedText,
  requireHeader,
  type SigningScheme,
} from '../../webhook-support/signed-text.ts';
import * as bodies from './bodies.ts';
import { buildLinearTopic, findLinearMention, type LinearOwnAccount } from './mention.ts';

export interface LinearReceiverOptions extends WebhookReceiverOptions {
  readonly isOwn: LinearOwnAccount['isOwn'];
}

/** Linear always sends JSON, so there is no setting to change. */
const NOT_JSON = 'Linear sends only JSON, so check what else signs requests with this secret';

export function openLinearReceiver(options: LinearReceiverOptions): WebhookReceiver {
  const { secret, accounts, isOwn, clock, onError } = options;
  const deliveries = openDeliveryLog(options.deliveries, clock, onError);
  const pending = openPendingQueue(options);
  let isReported = false;

  /**
   * Reports only the first unreadable delivery, because later ones would repeat the report, and a
   * full read covers them all.
   */
  function reportUnread(message: string): void {
    if (isReported) return;
    isReported = true;
    const consequence = 'such deliveries cause a read of the whole board';
    onError(
      new LegionError('input.invalid', `A Linear webhook could not be parsed; ${consequence}: ${message}`),
    );
  }

  return {
    async receive(delivery) {
      const text = await readSignedText(delivery, secret(), LINEAR_SIGNATURE);
      const body = parseSignedJson(text, NOT_JSON);
      refuseStale(body, clock.now());
      // The id is not signed. If the same body arrives with another id while the body is fresh, it
      // is processed again, which costs one extra reconcile pass.
      const id = requireHeader(delivery, 'Linear', 'linear-delivery', /^[A-Za-z\d-]{1,100}$/);
      const read = readEvent(body, { names: accounts(), isOwn });
      const findings = read.ok ? read.value : WAKE_EVERYTHING;
      if (findings === undefined || !deliveries.isNew(id)) return { accepted: false };
      if (!read.ok) reportUnread(read.fault.message);
      pending.add(findings.wake, findings.notices);
      return { accepted: true };
    },
    async close() {
      pending.close();
    },
  };
}

/**
 * Verifies Linear's signature: the hexadecimal HMAC of the raw body. Does not use Linear's library,
 * which has its own clock and gives no reason for a rejection.
 */
const LINEAR_SIGNATURE: SigningScheme = {
  service: 'Linear',
  header: 'Linear-Signature',
  form: /^[0-9a-f]{64}$/,
  isOf: (signature, { bytes }, secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(signature, 'hex')),
};

/**
 * Maximum difference from our clock in both directions, as Linear recommends. It allows for
 * inaccurate clocks and delivery time.
 */
export const MAX_DELIVERY_AGE_MS = 60_000;

/**
 * Throws unless `webhookTimestamp` in the signed body is recent, which prevents replays. Ignores
 * the header of the same name, which is not signed.
 */
function refuseStale(body: unknown, now: number): void {
  const at =
    typeof body === 'object' && body !== null && 'webhookTimestamp' in body
      ? body.webhookTimestamp
      : undefined;
  if (at === undefined || at === null) throw createStaleFault('is missing');
  if (typeof at !== 'number' || !Number.isFinite(at))
    throw createStaleFault(`expected a time in milliseconds, got ${quoteText(JSON.stringify(at))}`);
  const agoMs = now - at;
  if (Math.abs(agoMs) <= MAX_DELIVERY_AGE_MS) return;
  const seconds = `${Math.round(Math.abs(agoMs) / 1_000)} s`;
  const limit = `the maximum is ${MAX_DELIVERY_AGE_MS / 1_000} s`;
  throw createStaleFault(
    agoMs > 0 ? `is ${seconds} in the past, ${limit}` : `is ${seconds} in the future, ${limit}`,
  );
}

function createStaleFault(problem: string): LegionError {
  return new LegionError('webhook.stale', `webhookTimestamp: ${problem}`);
}

export interface LinearEventFindings {
  readonly wake: readonly WakeUp[];
  readonly notices: readonly AddressedNotice[];
}

type LinearEventReader = (
  envelope: bodies.LinearWebhookEnvelope,
  reader: LinearOwnAccount,
) => Result<LinearEventFindings | undefined>;

const NO_FINDINGS = ok(undefined);
/** Used if the affected issue is unknown. */
const WAKE_EVERYTHING: LinearEventFindings = { wake: ['everything'], notices: [] };
const WAKE_EVERYTHING_RESULT = ok(WAKE_EVERYTHING);

const READERS: ReadonlyMap<string, LinearEventReader> = new Map<string, LinearEventReader>([
  ['Issue', createEventReader(bodies.issueData, readIssueEvent)],
  ['Comment', createEventReader(bodies.commentData, readCommentEvent)],
  [
    'Attachment',
    createEventReader(bodies.attachmentData, ({ issueId, originalIssueId }) =>
      toWakeUpFindings(issueId, originalIssueId),
    ),
  ],
  [
    'IssueRelation',
    createEventReader(bodies.relationData, ({ issueId, relatedIssueId }) =>
      toWakeUpFindings(issueId, relatedIssueId),
    ),
  ],
  // Renaming or deleting a label affects every issue that has the label; a new label affects none.
  ['IssueLabel', ({ action }) => (action === 'create' ? NO_FINDINGS : WAKE_EVERYTHING_RESULT)],
  // States are board columns, and a new state may be a column that was missing.
  ['WorkflowState', () => WAKE_EVERYTHING_RESULT],
  // The team's key is part of every issue id.
  ['Team', () => WAKE_EVERYTHING_RESULT],
  ['Project', readProjectEvent],
  // Legion's permissions, or the people who may steer it, have changed.
  ['PermissionChange', () => WAKE_EVERYTHING_RESULT],
  ['OAuthApp', () => WAKE_EVERYTHING_RESULT],
  ['User', () => WAKE_EVERYTHING_RESULT],
  // These types contain nothing that Legion reads about an issue.
  ...[
    ...['Reaction', 'Document', 'Cycle', 'ProjectUpdate', 'Initiative', 'InitiativeUpdate', 'IssueSLA'],
    ...['Customer', 'CustomerNeed', 'AuditEntry', 'AgentSessionEvent', 'AppUserNotification'],
  ].map((type): [string, LinearEventReader] => [type, () => NO_FINDINGS]),
]);

/**
 * Returns undefined for an irrelevant event. Fails with the path of the error if the event cannot
 * be read.
 */
export function readEvent(body: unknown, reader: LinearOwnAccount): Result<LinearEventFindings | undefined> {
  const envelope = decode(bodies.envelope, body, 'body');
  if (!envelope.ok) return envelope;
  return (READERS.get(envelope.value.type) ?? readUnknownType)(envelope.value, reader);
}

/** An event of unknown type may matter, at least to the issue it refers to. */
function readUnknownType({ data }: bodies.LinearWebhookEnvelope): Result<LinearEventFindings> {
  const named = bodies.issueReferenceData.safeParse(data);
  return named.success ? ok(toWakeUpFindings(named.data.issueId)) : WAKE_EVERYTHING_RESULT;
}

function createEventReader<T>(
  schema: z.ZodType<T>,
  read: (
    data: T,
    envelope: bodies.LinearWebhookEnvelope,
    reader: LinearOwnAccount,
  ) => LinearEventFindings | undefined,
): LinearEventReader {
  return (envelope, reader) => {
    const data = decode(schema, envelope.data, 'body.data');
    return data.ok ? ok(read(data.value, envelope, reader)) : data;
  };
}

function readIssueEvent(
  { id, identifier }: z.output<typeof bodies.issueData>,
  envelope: bodies.LinearWebhookEnvelope,
): LinearEventFindings {
  return { ...toWakeUpFindings(id), notices: buildEventNotices(identifier, 'issue', envelope) };
}

function readCommentEvent(
  data: bodies.LinearCommentData,
  envelope: bodies.LinearWebhookEnvelope,
  reader: LinearOwnAccount,
): LinearEventFindings | undefined {
  const { issueId, issue } = data;
  const id = issueId ?? issue?.id;
  // No worker reads comments on a project, update or document.
  if (id === undefined) return undefined;
  const mention = envelope.action === 'create' ? findLinearMention(data, envelope, reader) : undefined;
  const notice = buildEventNotices(issue?.identifier ?? '', 'comment', envelope);
  return { ...toWakeUpFindings(id), notices: mention === undefined ? notice : [...notice, mention] };
}

/**
 * The project's name selects the repository of the project's issues. An issue that joins or leaves
 * a project causes an event of its own.
 */
function readProjectEvent({
  action,
  updatedFrom,
}: bodies.LinearWebhookEnvelope): Result<LinearEventFindings | undefined> {
  const isOther =
    action === 'remove' || (updatedFrom !== undefined && updatedFrom !== null && 'name' in updatedFrom);
  return isOther ? WAKE_EVERYTHING_RESULT : NO_FINDINGS;
}

function toWakeUpFindings(...issues: readonly (string | null | undefined)[]): LinearEventFindings {
  const named = issues.filter((issue) => typeof issue === 'string');
  return { wake: named.map((tracked) => ({ tracked: tracked.toLowerCase() })), notices: [] };
}

/**
 * Builds notices without the title and text of their subject, because those are read from the
 * tracker, where their author is known.
 */
function buildEventNotices(
  identifier: string,
  kind: 'issue' | 'comment',
  { action, actor, url }: bodies.LinearWebhookEnvelope,
): readonly AddressedNotice[] {
  const topic = buildLinearTopic(identifier, ...(kind === 'comment' ? [kind] : []));
  if (topic === undefined) return [];
  const data = { issue: identifier, kind, action, by: actor?.name ?? null, url: url ?? null };
  return [{ topic, notice: { text: `${identifier}: ${kind} ${action}`, data } }];
}
