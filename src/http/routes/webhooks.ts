/** Webhooks of services: the daemon gets the very bytes, because those are what is signed. */

import { LegionError } from '../../core/model/fault.ts';
import type { WebhookService } from '../../daemon/daemon.ts';
import { reportEndpoints } from '../../protocol/endpoints/reports.ts';
import { refuseIncomplete, refuseTooLarge } from '../read-json.ts';
import { type ApiContext, check, type Route, sendJson } from '../route.ts';

/**
 * Bytes of one delivery. GitHub sends up to 25 MB, but what Legion reads has at most some hundred thousand; only a push
 * of two thousand commits has millions. The next poll finds what was refused.
 */
export const MAX_DELIVERY_BYTES = 4 * 1_024 * 1_024;

/** How long a body may take to arrive: GitHub itself gives up after ten seconds. */
export const DELIVERY_MS = 10_000;

/** Linear takes anything but 200 for a failure: it sends the same again, and in the end no more at all. */
const STATUS = { github: 202, linear: 200, slack: 202 } as const satisfies Record<WebhookService, number>;

const endpoint = reportEndpoints.webhook;

export const WEBHOOK_ROUTE: Route = {
  endpoint,
  handlers: [
    async (c: ApiContext) => {
      const { service } = check(endpoint.params, c.req.param(), 'path');
      const { accepted } = await c.env.services.daemon.webhooks(service, {
        header: (name) => c.req.header(name),
        body: () => readDelivery(c),
      });
      return sendJson(c, { accepted }, STATUS[service]);
    },
  ],
};

/** Whatever ends the reading, the memory of a body that does not arrive is free again. */
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
  // Ends a pending read; the connection stays open for the response.
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
  return new LegionError('http.request_timeout', `the body did not arrive within ${DELIVERY_MS / 1_000} s`);
}
