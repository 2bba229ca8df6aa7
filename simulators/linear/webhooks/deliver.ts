/**
 * Sends a webhook for each change as Linear does: signed, with the time in the signed body, and
 * without retries.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { WebhookDeliveries } from '../../webhook-deliveries.ts';
import type { LinearChange } from '../model/change.ts';
import type { LinearWorld } from '../model/world.ts';
import type { WebhookTarget } from '../simulator.ts';
import { buildWebhookBody } from './body.ts';

export class LinearWebhooks {
  readonly #world: LinearWorld;
  readonly #url: () => string;
  readonly #deliveries = new WebhookDeliveries();
  #target: (WebhookTarget & { readonly id: string }) | undefined;

  constructor(world: LinearWorld, url: () => string) {
    this.#world = world;
    this.#url = url;
    world.onChange((change) => this.#tell(change));
  }

  aim(target: WebhookTarget | undefined): void {
    this.#target = target === undefined ? undefined : { ...target, id: randomUUID() };
    this.#deliveries.seed(target?.shuffled ?? 0);
  }

  async close(): Promise<void> {
    this.#target = undefined;
    await this.#deliveries.close();
  }

  #tell(change: LinearChange): void {
    const target = this.#target;
    if (target === undefined) return;
    const webhookTimestamp = this.#world.now() - (target.ageMs ?? 0);
    const content = buildWebhookBody(change, this.#world, this.#url());
    const body = JSON.stringify({ ...content, webhookTimestamp, webhookId: target.id });
    const headers = {
      'user-agent': 'Linear-Webhook',
      // A repeated delivery keeps its id, so that receivers can detect it.
      'linear-delivery': randomUUID(),
      'linear-event': change.node.node,
      'linear-signature': createHmac('sha256', target.secret).update(body).digest('hex'),
    };
    this.#deliveries.send({ url: target.url, headers, body }, target);
  }
}
