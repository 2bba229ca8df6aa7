/** Webhooks of services: the daemon is given the very bytes, because those are what is signed. */
import { z } from 'zod';
import type { WebhookService } from '../../daemon/daemon.ts';
import { LegionError } from '../../domain/fault.ts';
import { jsonAnswer } from '../answer.ts';
import { type Asked, checked, type Door, type Route } from '../route.ts';
import { SERVICES } from '../service-call.ts';

/**
 * Bytes of one delivery. GitHub sends up to 25 MB; what Legion reads of has at most a hundred thousand or so, only a push of two
 * thousand commits some millions. What is not read is found at the next poll.
 */
export const DELIVERY_MOST_BYTES = 4 * 1024 * 1024;

/** How long a body may take to arrive: GitHub itself gives up after ten seconds. */
export const DELIVERY_MS = 10_000;

/** Linear takes anything but 200 for a failure: it sends the same again, and in the end no more at all. */
const STATUS = { github: 202, linear: 200, slack: 202 } as const satisfies Record<WebhookService, number>;

const place = z.strictObject({ service: z.enum(SERVICES) });

export const WEBHOOK_ROUTE: Route = {
  method: 'post',
  path: '/webhooks/:service',
  summary: 'a service says that something has happened; its signature is the proof, in place of a token',
  // The operator is told where a service is misspelt; a delivery is always a service's, whatever token it has.
  callers: ['service', 'token'],
  takes: { params: place },
  gives: { status: 202, type: 'application/json', schema: z.object({ accepted: z.boolean() }) },
  async perform(door, asked) {
    const { service } = checked<z.output<typeof place>>(place, asked.params, 'path');
    const { header } = asked;
    const { accepted } = await door.daemon.webhooks(service, { header, body: () => bodyOf(door, asked) });
    return jsonAnswer(STATUS[service], { accepted });
  },
};

/** Whatever ends the reading, nothing of it stays counted: the memory of a body that never arrives is free again. */
async function bodyOf({ clock, arriving }: Door, { bytes }: Asked): Promise<Uint8Array> {
  const body = arriving.open();
  const arrived = new AbortController();
  const late = new AbortController();
  void clock.sleep(DELIVERY_MS, arrived.signal).then(
    () => late.abort(tooLate()),
    () => undefined,
  );
  try {
    const signal = AbortSignal.any([body.givenUp, late.signal]);
    return await bytes(DELIVERY_MOST_BYTES, { signal, onBytes: body.grow });
  } finally {
    arrived.abort();
    body.close();
  }
}

function tooLate(): LegionError {
  return new LegionError('http.request_timeout', `the body did not arrive within ${DELIVERY_MS / 1_000} s`);
}
