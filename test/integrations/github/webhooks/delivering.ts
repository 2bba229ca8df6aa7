/** A receiver with a file of its own under a clock that a test moves, and deliveries signed as GitHub signs them. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Notice } from '../../../../src/envoy/envoy.ts';
import { openGithubReceiver } from '../../../../src/envoy/github/open-github-receiver.ts';
import type { Delivery, WakeUp } from '../../../../src/envoy/receiver.ts';
import { openInProcessEnvoy } from '../../../../src/messaging/in-process.ts';
import { settled, VirtualClock } from '../../../support/virtual-clock.ts';
import { ownFolder } from '../../webhook-support/folder.ts';
import type { Body } from './examples.ts';

export const SECRET = 'a secret of the test';

export interface Sent {
  readonly event: string;
  readonly id: string;
  readonly body: Body;
}

export interface Receiving {
  readonly clock: VirtualClock;
  /** In the order in which they came out. */
  readonly woken: readonly WakeUp[];
  readonly notices: readonly { readonly topic: string; readonly notice: Notice }[];
  readonly troubles: readonly unknown[];
  receive(delivery: Delivery): Promise<{ readonly accepted: boolean }>;
  send(sent: Sent): Promise<{ readonly accepted: boolean }>;
  /** Lets everything happen that needs no time. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

export interface ReceivingOptions {
  readonly deliveries?: string;
  readonly secret?: () => string | undefined;
  readonly accounts?: readonly string[];
}

export function receiving(options: ReceivingOptions = {}): Receiving {
  const { deliveries = join(ownFolder(), 'deliveries'), accounts = [], secret = () => SECRET } = options;
  const clock = new VirtualClock();
  const [woken, notices, troubles]: [WakeUp[], Receiving['notices'][number][], unknown[]] = [[], [], []];
  const onTrouble = (error: unknown) => void troubles.push(error);
  const envoy = openInProcessEnvoy(onTrouble);
  envoy.subscribe('>', (notice, topic) => void notices.push({ topic, notice }));
  const receiver = openGithubReceiver({
    ...{ clock, deliveries, envoy, onTrouble, secret },
    accounts: () => accounts,
    wake: (wakeUps) => void woken.push(...wakeUps),
  });
  return {
    ...{ clock, woken, notices, troubles },
    receive: (delivery) => receiver.receive(delivery),
    send: ({ event, id, body }) => receiver.receive(delivery(event, id, JSON.stringify(body))),
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
  event: string,
  id: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | undefined>> = {},
): Delivery & { readonly wasRead: boolean } {
  const given: Readonly<Record<string, string | undefined>> = {
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': signatureOf(body),
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

/** By Node's own means, so that the library's is held to it. */
export function signatureOf(body: string | Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
