/** Tells of each change as GitHub does, signed, beginning with a ping. */
import { createHmac, randomUUID } from 'node:crypto';
import { WebhookDeliveries } from '../../webhook-deliveries.ts';
import type { Change } from '../model/change.ts';
import type { World } from '../model/world.ts';
import type { WebhookTarget } from '../simulator.ts';
import { bodyOf } from './body.ts';
import { exampleOf, filled } from './example.ts';

export class Webhooks {
  readonly #url: () => string;
  readonly #deliveries = new WebhookDeliveries();
  #target: WebhookTarget | undefined;

  constructor(world: World, url: () => string) {
    this.#url = url;
    world.onChange((change) => this.#tell(change));
  }

  /** GitHub greets a new target with a ping. */
  aim(target: WebhookTarget | undefined): void {
    this.#target = target;
    if (target === undefined) return;
    this.#deliveries.seed(target.shuffled ?? 0);
    const example = exampleOf('ping', undefined);
    const hook = filled(example.hook, {
      config: { content_type: 'json', insecure_ssl: '0', url: target.url },
    });
    this.#send('ping', { ...example, hook }, target);
  }

  async close(): Promise<void> {
    this.#target = undefined;
    await this.#deliveries.close();
  }

  #tell(change: Change): void {
    if (this.#target === undefined) return;
    const body = bodyOf(change, this.#url());
    if (body !== undefined) this.#send(change.event, body, this.#target);
  }

  #send(event: string, content: object, target: WebhookTarget): void {
    const body = JSON.stringify(content);
    const signature = createHmac('sha256', target.secret).update(body).digest('hex');
    const headers = {
      'user-agent': 'GitHub-Hookshot/simulated',
      'x-github-event': event,
      // The same delivery again has the same id: that is how it is told from another.
      'x-github-delivery': randomUUID(),
      'x-github-hook-id': '1',
      'x-hub-signature-256': `sha256=${signature}`,
    };
    this.#deliveries.send({ url: target.url, headers, body }, target);
  }
}
