/** Tells of each change as Linear does: signed, with its time inside what is signed, and never a second time. */
import { createHmac, randomUUID } from 'node:crypto';
import { WebhookDeliveries } from '../../webhook-deliveries.ts';
import type { Change } from '../model/change.ts';
import type { World } from '../model/world.ts';
import type { WebhookTarget } from '../simulator.ts';
import { bodyOf } from './body.ts';

export class Webhooks {
  readonly #world: World;
  readonly #url: () => string;
  readonly #deliveries = new WebhookDeliveries();
  #target: (WebhookTarget & { readonly id: string }) | undefined;

  constructor(world: World, url: () => string) {
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

  #tell(change: Change): void {
    const target = this.#target;
    if (target === undefined) return;
    const webhookTimestamp = this.#world.now() - (target.ageMs ?? 0);
    const content = bodyOf(change, this.#world, this.#url());
    const body = JSON.stringify({ ...content, webhookTimestamp, webhookId: target.id });
    const headers = {
      'user-agent': 'Linear-Webhook',
      // The same delivery again has the same id: that is how it is told from another.
      'linear-delivery': randomUUID(),
      'linear-event': change.node.node,
      'linear-signature': createHmac('sha256', target.secret).update(body).digest('hex'),
    };
    this.#deliveries.send({ url: target.url, headers, body }, target);
  }
}
