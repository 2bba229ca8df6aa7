/** A receiver with its own file and a test clock, and deliveries signed like Linear's. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { openLinearReceiver } from '../../../../src/integrations/linear/webhooks/open-linear-receiver.ts';
import { openInProcessEnvoy } from '../../../../src/messaging/in-process.ts';
import type { Notice } from '../../../../src/ports/messaging.ts';
import type { WakeUp, WebhookDelivery } from '../../../../src/ports/webhooks.ts';
import { settled, VirtualClock } from '../../../support/virtual-clock.ts';
import { ownFolder } from '../../webhook-support/folder.ts';

export const SECRET = 'a test secret';
export const ISSUE = '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9';
export const OTHER_ISSUE = '8a1d2c44-0b0c-4e53-9d7e-6a2f1b7c9e10';
export const COMMENT = 'ac7d2c54-2f2c-4d3f-a6d1-0d2b7a9c1e55';
export const USER = 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba';

export interface Receiving {
  readonly clock: VirtualClock;
  /** Wake-ups in the order in which they were emitted. */
  readonly woken: readonly WakeUp[];
  readonly notices: readonly { readonly topic: string; readonly notice: Notice }[];
  readonly errors: readonly unknown[];
  receive(delivery: WebhookDelivery): Promise<{ readonly accepted: boolean }>;
  /** Sends a delivery with the current time. */
  send(id: string, body: object): Promise<{ readonly accepted: boolean }>;
  /** Runs everything that is due without advancing the clock. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

export interface ReceivingOptions {
  readonly deliveries?: string;
  readonly secret?: () => string | undefined;
  readonly isOwn?: (comment: string) => boolean;
}

export function receiving(options: ReceivingOptions = {}): Receiving {
  const {
    deliveries = join(ownFolder(), 'deliveries'),
    secret = () => SECRET,
    isOwn = () => false,
  } = options;
  const clock = new VirtualClock();
  const [woken, notices, errors]: [WakeUp[], Receiving['notices'][number][], unknown[]] = [[], [], []];
  const onError = (error: unknown) => void errors.push(error);
  const envoy = openInProcessEnvoy(onError);
  envoy.subscribe('>', (notice, topic) => void notices.push({ topic, notice }));
  const receiver = openLinearReceiver({
    clock,
    deliveries,
    envoy,
    onError,
    secret,
    isOwn,
    accounts: () => ['Legion Bot', 'ada'],
    wake: (wakeUps) => void woken.push(...wakeUps),
  });
  return {
    clock,
    woken,
    notices,
    errors,
    receive: (sent) => receiver.receive(sent),
    send: (id, body) =>
      receiver.receive(delivery(id, JSON.stringify({ ...body, webhookTimestamp: clock.now() }))),
    async quiet() {
      for (let turn = 0; turn < 4; turn += 1) await settled();
    },
    async close() {
      await receiver.close();
      await envoy.close();
    },
  };
}

/** `headers` override the valid headers. */
export function delivery(
  id: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | undefined>> = {},
): WebhookDelivery & { readonly wasRead: boolean } {
  const given: Readonly<Record<string, string | undefined>> = {
    'linear-event': 'Issue',
    'linear-delivery': id,
    'linear-signature': signatureOf(body),
    ...headers,
  };
  let wasRead = false;
  return {
    header: (name) => given[name],
    async body() {
      wasRead = true;
      return Buffer.from(body);
    },
    get wasRead() {
      return wasRead;
    },
  };
}

export function signatureOf(body: string | Uint8Array, secret = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Returns a body in Linear's documented format, with fields that Legion does not read. */
export function said(type: string, data: object, more: object = {}): object {
  return {
    action: 'update',
    type,
    organizationId: USER,
    webhookId: USER,
    createdAt: '2026-11-16T12:00:00.000Z',
    actor: { id: USER, type: 'user', name: 'Ada' },
    url: 'https://linear.app/acme/issue/ENG-21/a-door',
    data,
    ...more,
  };
}

export const ISSUE_SAID = said('Issue', {
  id: ISSUE,
  identifier: 'ENG-21',
  number: 21,
  title: 'A door',
  teamId: USER,
  state: { id: USER, name: 'Todo', type: 'unstarted' },
  labels: [],
  newField: { of: 'tomorrow' },
});

export function commentSaid(body: string, data: object = {}, more: object = {}): object {
  const issue = { id: ISSUE, identifier: 'ENG-21', title: 'A door', teamId: USER };
  const user = { id: USER, name: 'Ada', email: 'ada@example.com' };
  return said(
    'Comment',
    { id: COMMENT, body, issueId: ISSUE, issue, user, externalUser: null, botActor: null, ...data },
    { action: 'create', ...more },
  );
}
