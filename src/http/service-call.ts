/** Requests of services, which have no token of ours and come by a name that is not ours: exactly which those are. */
import type { IncomingMessage } from 'node:http';
import type { WebhookService } from '../daemon/daemon.ts';
import { WEBHOOK_SERVICES } from '../protocol/endpoints/reports.ts';

/**
 * A tunnel or proxy on this machine passes webhooks on under the name it is known by outside. What stands in for the token and the
 * name is the signature, which the daemon checks before it believes anything. Compared with the request line as it came, letter by
 * letter: no form of a path that leads elsewhere can look like one of these.
 */
export function serviceOf({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): WebhookService | undefined {
  return method === 'POST' ? WEBHOOK_SERVICES.find((service) => url === `/webhooks/${service}`) : undefined;
}
