/**
 * Receives webhooks and passes their raw bytes to the daemon, because the signature covers the raw
 * bytes.
 */

import { LegionError } from '../../core/model/fault.ts';
import type { WebhookService } from '../../daemon/daemon.ts';
import { reportEndpoints } from '../../protocol/endpoints/session.ts';
import { refuseIncomplete, refuseTooLarge } from '../bodies.ts';
import { type ApiContext, checkInput, type HttpRoute, sendJson } from '../route.ts';

/**
 * Maximum bytes per delivery. GitHub sends up to 25 MB, but the deliveries that Legion reads have
 * at most a few hundred thousand bytes. Only a push of two thousand commits has millions. Refusing
 * a delivery is safe, because the next poll finds the change.
 */
export const MAX_DELIVERY_BYTES = 4 * 1_024 * 1_024;

/** Time limit for a body. GitHub itself gives up after ten seconds. */
export const DELIVERY_MS = 10_000;

/** Linear treats any status but 200 as a failure: it retries, and finally stops sending. */
const STATUS = { github: 202, linear: 200, slack: 202 } as const satisfies Record<WebhookService, number>;

const endpoint = reportEndpoints.webhook;

export const WEBHOOK_ROUTE: HttpRoute = {
  endpoint,
  handlers: [
    async (c: ApiContext) => {
      const { service } = checkInput(endpoint.params, c.req.param(), 'path');
      const { accepted } = await c.env.services.daemon.webhooks(service, {
        header: (name) => c.req.header(name),
        body: () => readDelivery(c),
      });
      return sendJson(c, { accepted }, STATUS[service]);
    },
  ],
};

/**
 * Reads the body of a delivery. Always releases the body's memory afterwards, even if the body
 * never arrives completely.
 */
async function readDelivery(c: ApiContext): Promise<Uint8Array> {
  const { clock, inflight } = c.env.services;
  const counted = inflight.open();
  const arrived = new AbortController();
  const late = new AbortController();
  void clock.sleep(DELIVERY_MS, arrived.signal).then(
    () => late.abort(refuseLate()),
    () => undefined,
  );
  try {
    const signal = AbortSignal.any([counted.givenUp, late.signal]);
    return await readBytes(c, signal, counted.grow);
  } catch (error) {
    throw error instanceof LegionError ? error : refuseIncomplete(error);
  } finally {
    arrived.abort();
    counted.close();
  }
}

async function readBytes(
  { req }: ApiContext,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array> {
  if (Number(req.header('content-length') ?? 0) > MAX_DELIVERY_BYTES)
    throw refuseTooLarge(MAX_DELIVERY_BYTES);
  const reader = req.raw.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  // Cancels a pending read. The connection stays open, so that the response can be sent.
  signal.addEventListener('abort', () => void reader.cancel());
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    size += value.length;
    if (size > MAX_DELIVERY_BYTES) throw refuseTooLarge(MAX_DELIVERY_BYTES);
    onBytes(value.length);
  }
}

function refuseLate(): LegionError {
  return new LegionError('http.request_timeout', `The body did not arrive within ${DELIVERY_MS / 1_000} s.`);
}
