/** A receiver with a file of its own under a clock that a test moves, and deliveries signed as Linear signs them. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Notice } from '../../../../src/envoy/envoy.ts';
import { openLinearReceiver } from '../../../../src/envoy/linear/open-linear-receiver.ts';
import type { Delivery, WakeUp } from '../../../../src/envoy/receiver.ts';
import { openInProcessEnvoy } from '../../../../src/messaging/in-process.ts';
import { settled, VirtualClock } from '../../../support/virtual-clock.ts';
import { ownFolder } from '../../webhook-support/folder.ts';

export const SECRET = 'a secret of the test';
export const ISSUE = '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9';
export const OTHER_ISSUE = '8a1d2c44-0b0c-4e53-9d7e-6a2f1b7c9e10';
export const COMMENT = 'ac7d2c54-2f2c-4d3f-a6d1-0d2b7a9c1e55';
export const USER = 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba';

export interface Receiving {
  readonly clock: VirtualClock;
  /** In the order in which they came out. */
  readonly woken: readonly WakeUp[];
  readonly notices: readonly { readonly topic: string; readonly notice: Notice }[];
  readonly troubles: readonly unknown[];
  receive(delivery: Delivery): Promise<{ readonly accepted: boolean }>;
  /** Sent right now. */
  send(id: string, body: object): Promise<{ readonly accepted: boolean }>;
  /** Lets everything happen that needs no time. */
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
  const [woken, notices, troubles]: [WakeUp[], Receiving['notices'][number][], unknown[]] = [[], [], []];
  const onTrouble = (error: unknown) => void troubles.push(error);
  const envoy = openInProcessEnvoy(onTrouble);
  envoy.subscribe('>', (notice, topic) => void notices.push({ topic, notice }));
  const receiver = openLinearReceiver({
    ...{ clock, deliveries, envoy, onTrouble, secret, isOwn },
    accounts: () => ['Legion Bot', 'ada'],
    wake: (wakeUps) => void woken.push(...wakeUps),
  });
  return {
    ...{ clock, woken, notices, troubles },
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

/** `headers` take the place of the right ones. */
export function delivery(
  id: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | undefined>> = {},
): Delivery & { readonly wasRead: boolean } {
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

/** A body as Linear documents it, with fields nobody here reads. */
export function said(type: string, data: object, more: object = {}): object {
  return {
    ...{
      action: 'update',
      type,
      organizationId: USER,
      webhookId: USER,
      createdAt: '2026-11-16T12:00:00.000Z',
    },
    ...{ actor: { id: USER, type: 'user', name: 'Ada' }, url: 'https://linear.app/acme/issue/ENG-21/a-door' },
    data,
    ...more,
  };
}

export const ISSUE_SAID = said('Issue', {
  ...{ id: ISSUE, identifier: 'ENG-21', number: 21, title: 'A door', teamId: USER },
  ...{ state: { id: USER, name: 'Todo', type: 'unstarted' }, labels: [], newField: { of: 'tomorrow' } },
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
