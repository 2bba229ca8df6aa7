/**
 * Confirms leadership before each start of a worker process and each change to a worker's files.
 */
import type { WorkerId } from '../../../core/model/ids.ts';
import type {
  FoundProcess,
  Host,
  NewProcess,
  OutputChunk,
  OutputStream,
  ProcessIdentity,
  ProcessObservation,
} from '../../../ports/host.ts';
import type { Leadership } from '../../context/ledger.ts';

export class FencedHost implements Host {
  readonly #host: Host;
  readonly #leadership: Leadership;

  constructor(host: Host, leadership: Leadership) {
    this.#host = host;
    this.#leadership = leadership;
  }

  get name(): string {
    return this.#host.name;
  }

  async start(process: NewProcess): Promise<ProcessIdentity> {
    await this.#leadership.confirm();
    return this.#host.start(process);
  }

  adopt(worker?: WorkerId): Promise<readonly FoundProcess[]> {
    return this.#host.adopt(worker);
  }

  observe(process: ProcessIdentity): Promise<ProcessObservation> {
    return this.#host.observe(process);
  }

  output(
    worker: WorkerId,
    attempt: number,
    offset: number,
    stream?: OutputStream,
  ): AsyncIterable<OutputChunk> {
    return this.#host.output(worker, attempt, offset, stream);
  }

  findLineNearEnd(worker: WorkerId, attempt: number, bytes: number, stream?: OutputStream): Promise<number> {
    return this.#host.findLineNearEnd(worker, attempt, bytes, stream);
  }

  watch(worker: WorkerId, attempt: number, changed: () => void): () => void {
    return this.#host.watch(worker, attempt, changed);
  }

  async deliver(worker: WorkerId, attempt: number, name: string, text: string): Promise<void> {
    await this.#leadership.confirm();
    return this.#host.deliver(worker, attempt, name, text);
  }

  /**
   * This call is not fenced: it targets one identified process, which must exit no matter which
   * daemon leads.
   */
  signal(process: ProcessIdentity, signal: 'TERM' | 'KILL'): ReturnType<Host['signal']> {
    return this.#host.signal(process, signal);
  }

  async forget(worker: WorkerId, upTo: number): Promise<void> {
    await this.#leadership.confirm();
    return this.#host.forget(worker, upTo);
  }

  readCapacity(): ReturnType<Host['readCapacity']> {
    return this.#host.readCapacity();
  }
}
