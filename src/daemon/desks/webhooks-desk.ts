/** Which receiver a service's webhooks go to; without one they are refused. */
import { LegionError } from '../../core/model/fault.ts';
import type { Receiver } from '../../envoy/receiver.ts';
import type { Daemon, WebhookService } from '../daemon.ts';

export type Receivers = Readonly<Partial<Record<WebhookService, Receiver>>>;

export function webhooksDesk(receivers: Receivers): Daemon['webhooks'] {
  return async (service, delivery) => {
    const receiver = receivers[service];
    if (receiver !== undefined) return await receiver.receive(delivery);
    throw new LegionError('webhook.no_secret', `no secret is configured for webhooks of ${service}`);
  };
}
