/** Sends a signed webhook for each change as GitHub does, starting with a ping. */
import { createHmac, randomUUID } from 'node:crypto';
import { WebhookDeliveries } from '../../webhook-deliveries.ts';
import type { GithubChange } from '../model/change.ts';
import type { GithubWorld } from '../model/world.ts';
import type { WebhookTarget } from '../simulator.ts';
import { buildWebhookBody } from './body.ts';
import { copyExample, mergeIntoExample } from './example.ts';

export class GithubWebhooks {
  readonly #url: () => string;
  readonly #deliveries = new WebhookDeliveries();
  #target: WebhookTarget | undefined;

  constructor(world: GithubWorld, url: () => string) {
    this.#url = url;
    world.onChange((change) => this.#tell(change));
  }

  /** Sets the target. As on GitHub, a new target first receives a ping. */
  aim(target: WebhookTarget | undefined): void {
    this.#target = target;
    if (target === undefined) return;
    this.#deliveries.seed(target.shuffled ?? 0);
    const example = copyExample('ping', undefined);
    const hook = mergeIntoExample(example.hook, {
      config: { content_type: 'json', insecure_ssl: '0', url: target.url },
    });
    this.#send('ping', { ...example, hook }, target);
  }

  async close(): Promise<void> {
    this.#target = undefined;
    await this.#deliveries.close();
  }

  #tell(change: GithubChange): void {
    if (this.#target === undefined) return;
    const body = buildWebhookBody(change, this.#url());
    if (body !== undefined) this.#send(change.event, body, this.#target);
  }

  #send(event: string, content: object, target: WebhookTarget): void {
    const body = JSON.stringify(content);
    const signature = createHmac('sha256', target.secret).update(body).digest('hex');
    const headers = {
      'user-agent': 'GitHub-Hookshot/simulated',
      'x-github-event': event,
      // A repeated delivery keeps its id, so that receivers can detect it.
      'x-github-delivery': randomUUID(),
      'x-github-hook-id': '1',
      'x-hub-signature-256': `sha256=${signature}`,
    };
    this.#deliveries.send({ url: target.url, headers, body }, target);
  }
}
