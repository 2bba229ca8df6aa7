/**
 * Sends webhooks without blocking the change that caused them. Each is sent exactly once, even if
 * sending fails, unless an injected fault changes this.
 */
import { request } from 'node:http';
import { computeNextState, toFraction } from './draw.ts';

/** Maximum time to wait for a receiver's response. */
const MAX_DELIVERY_MS = 10_000;
/** Time during which deliveries are collected before they are sent in another order. */
const GATHERED_MS = 50;

export interface WebhookDelivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DeliveryOptions {
  readonly dropped?: 'all';
  /** Number of times each webhook is delivered. */
  readonly times?: number;
  /** Delivers in a random order that depends on this seed. */
  readonly shuffled?: number;
}

export class WebhookDeliveries {
  readonly #ending = new AbortController();
  #drawn = 0;
  #gathered: WebhookDelivery[] = [];
  #timer: NodeJS.Timeout | undefined;
  /**
   * The last queued delivery. Deliveries are sent one after another, so that they keep the order of
   * the changes unless they are shuffled.
   */
  #last: Promise<void> = Promise.resolve();

  /** Sets the seed for the order of later deliveries. */
  seed(seed: number): void {
    this.#drawn = seed;
  }

  send(delivery: WebhookDelivery, { dropped, times = 1, shuffled }: DeliveryOptions): void {
    if (dropped === 'all') return;
    const copies = Array.from({ length: times }, () => delivery);
    if (shuffled === undefined) this.#queue(copies);
    else {
      this.#gathered.push(...copies);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#queue(this.#shuffled(this.#gathered.splice(0)));
      }, GATHERED_MS);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#gathered = [];
    this.#ending.abort();
    await this.#last;
  }

  #queue(deliveries: readonly WebhookDelivery[]): void {
    for (const delivery of deliveries) {
      this.#last = this.#last.then(() => sendDelivery(delivery, this.#ending.signal));
    }
  }

  #shuffled(deliveries: WebhookDelivery[]): WebhookDelivery[] {
    const keyed = deliveries.map((delivery) => {
      this.#drawn = computeNextState(this.#drawn);
      return { delivery, key: toFraction(this.#drawn) };
    });
    return keyed.sort((a, b) => a.key - b.key).map(({ delivery }) => delivery);
  }
}

/** Sends one delivery. Always resolves, because failed deliveries are not reported. */
function sendDelivery({ url, headers, body }: WebhookDelivery, ending: AbortSignal): Promise<void> {
  if (ending.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'POST',
      agent: false,
      timeout: MAX_DELIVERY_MS,
      signal: ending,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    sending.on('timeout', () => sending.destroy());
    sending.on('response', (response) => response.resume());
    sending.on('error', () => undefined);
    sending.on('close', () => resolve());
    sending.end(body);
  });
}
