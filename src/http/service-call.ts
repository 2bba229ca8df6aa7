/** Recognises webhooks, which have no token of ours and arrive under a foreign host name. */
import type { IncomingMessage } from 'node:http';
import type { WebhookService } from '../daemon/daemon.ts';
import { WEBHOOK_SERVICES } from '../protocol/endpoints/reports.ts';

/**
 * A tunnel or proxy on this machine passes webhooks on under its own public name. The signature, which the daemon checks
 * first, stands in for token and name. The target is compared as it was sent: no other path can pass for one of these.
 */
export function serviceOf({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): WebhookService | undefined {
  return method === 'POST' ? WEBHOOK_SERVICES.find((service) => url === `/webhooks/${service}`) : undefined;
}
