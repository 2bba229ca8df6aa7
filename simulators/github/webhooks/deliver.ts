/** Sends webhooks, signed, without holding up what caused them; each once, however it went. */
import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { fraction, nextState } from '../http/faults.ts';
import type { Change } from '../model/change.ts';
import type { World } from '../model/world.ts';
import type { WebhookTarget } from '../simulator.ts';
import { bodyOf } from './body.ts';
import { exampleOf, filled } from './example.ts';

/** How long GitHub waits for an answer. */
const LONGEST_MS = 10_000;
/** How long deliveries are gathered before they are sent in another order. */
const GATHERED_MS = 50;

interface Delivery {
  readonly event: string;
  readonly id: string;
  readonly body: string;
  readonly target: WebhookTarget;
}

export class Webhooks {
  readonly #url: () => string;
  readonly #ending = new AbortController();
  #target: WebhookTarget | undefined;
  #drawn = 0;
  #gathered: Delivery[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** One after another, so that the order is that of the changes unless another is asked for. */
  #last: Promise<void> = Promise.resolve();

  constructor(world: World, url: () => string) {
    this.#url = url;
    world.onChange((change) => this.#tell(change));
  }

  /** GitHub greets a new target with a ping. */
  aim(target: WebhookTarget | undefined): void {
    this.#target = target;
    if (target === undefined) return;
    this.#drawn = target.shuffled ?? 0;
    const example = exampleOf('ping', undefined);
    const hook = filled(example.hook, {
      config: { content_type: 'json', insecure_ssl: '0', url: target.url },
    });
    this.#send('ping', { ...example, hook }, target);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#gathered = [];
    this.#target = undefined;
    this.#ending.abort();
    await this.#last;
  }

  #tell(change: Change): void {
    if (this.#target === undefined) return;
    const body = bodyOf(change, this.#url());
    if (body !== undefined) this.#send(change.event, body, this.#target);
  }

  #send(event: string, body: object, target: WebhookTarget): void {
    if (target.dropped === 'all') return;
    // The same delivery again has the same id: that is how it is told from another.
    const delivery = { event, id: randomUUID(), body: JSON.stringify(body), target };
    const copies = Array.from({ length: target.times ?? 1 }, () => delivery);
    if (target.shuffled === undefined) this.#queue(copies);
    else {
      this.#gathered.push(...copies);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#queue(this.#shuffled(this.#gathered.splice(0)));
      }, GATHERED_MS);
    }
  }

  #queue(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      this.#last = this.#last.then(() => post(delivery, this.#ending.signal));
    }
  }

  #shuffled(deliveries: Delivery[]): Delivery[] {
    const keyed = deliveries.map((delivery) => {
      this.#drawn = nextState(this.#drawn);
      return { delivery, key: fraction(this.#drawn) };
    });
    return keyed.sort((a, b) => a.key - b.key).map(({ delivery }) => delivery);
  }
}

/** Resolves however it went: nobody hears of a delivery that failed. */
function post({ event, id, body, target }: Delivery, ending: AbortSignal): Promise<void> {
  if (ending.aborted) return Promise.resolve();
  const signature = createHmac('sha256', target.secret).update(body).digest('hex');
  return new Promise((resolve) => {
    const sending = request(target.url, {
      method: 'POST',
      agent: false,
      timeout: LONGEST_MS,
      signal: ending,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'GitHub-Hookshot/simulated',
        'x-github-event': event,
        'x-github-delivery': id,
        'x-github-hook-id': '1',
        'x-hub-signature-256': `sha256=${signature}`,
      },
    });
    sending.on('timeout', () => sending.destroy());
    sending.on('response', (response) => response.resume());
    sending.on('error', () => undefined);
    sending.on('close', () => resolve());
    sending.end(body);
  });
}
