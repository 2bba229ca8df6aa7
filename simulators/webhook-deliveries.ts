/** Sends webhooks without holding up what caused them; each once, however it went, or as badly as was asked for. */
import { request } from 'node:http';
import { fraction, nextState } from './draw.ts';

/** How long a receiver is waited for. */
const LONGEST_MS = 10_000;
/** How long deliveries are gathered before they are sent in another order. */
const GATHERED_MS = 50;

export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Ways {
  readonly dropped?: 'all';
  /** Each is delivered this often. */
  readonly times?: number;
  /** Delivered in an order drawn from this seed. */
  readonly shuffled?: number;
}

export class WebhookDeliveries {
  readonly #ending = new AbortController();
  #drawn = 0;
  #gathered: Delivery[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** One after another, so that the order is that of the changes unless another is asked for. */
  #last: Promise<void> = Promise.resolve();

  /** The order of what follows is drawn from this. */
  seed(seed: number): void {
    this.#drawn = seed;
  }

  send(delivery: Delivery, { dropped, times = 1, shuffled }: Ways): void {
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
function post({ url, headers, body }: Delivery, ending: AbortSignal): Promise<void> {
  if (ending.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'POST',
      agent: false,
      timeout: LONGEST_MS,
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
