/** A receiver with its own file and a test clock, and deliveries signed like GitHub's. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { openGithubReceiver } from '../../../../src/integrations/github/webhooks/open-github-receiver.ts';
import { openInProcessEnvoy } from '../../../../src/messaging/in-process.ts';
import type { Notice } from '../../../../src/ports/messaging.ts';
import type { WakeUp, WebhookDelivery } from '../../../../src/ports/webhooks.ts';
import { settled, VirtualClock } from '../../../support/virtual-clock.ts';
import { ownFolder } from '../../webhook-support/folder.ts';
import type { Body } from './examples.ts';

export const SECRET = 'a test secret';

export interface Sent {
  readonly event: string;
  readonly id: string;
  readonly body: Body;
}

export interface Receiving {
  readonly clock: VirtualClock;
  /** Wake-ups in the order in which they were emitted. */
  readonly woken: readonly WakeUp[];
  readonly notices: readonly { readonly topic: string; readonly notice: Notice }[];
  readonly errors: readonly unknown[];
  receive(delivery: WebhookDelivery): Promise<{ readonly accepted: boolean }>;
  send(sent: Sent): Promise<{ readonly accepted: boolean }>;
  /** Runs everything that is due without advancing the clock. */
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
  const [woken, notices, errors]: [WakeUp[], Receiving['notices'][number][], unknown[]] = [[], [], []];
  const onError = (error: unknown) => void errors.push(error);
  const envoy = openInProcessEnvoy(onError);
  envoy.subscribe('>', (notice, topic) => void notices.push({ topic, notice }));
  const receiver = openGithubReceiver({
    clock,
    deliveries,
    envoy,
    onError,
    secret,
    accounts: () => accounts,
    wake: (wakeUps) => void woken.push(...wakeUps),
  });
  return {
    clock,
    woken,
    notices,
    errors,
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

/** `headers` override the valid headers. */
export function delivery(
  event: string,
  id: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | undefined>> = {},
): WebhookDelivery & { readonly wasRead: boolean } {
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

/**
 * Computes the signature with Node's crypto, so that the test does not depend on the library that
 * verifies it.
 */
export function signatureOf(body: string | Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
