/**
 * Batches all lookups of one event loop turn into a single process, because showing a board needs
 * hundreds of commits at once.
 */
export class RequestBatch<Answer> {
  readonly #ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  #gathered: Map<string, PromiseWithResolvers<Answer | undefined>> | undefined;

  /** `ask` looks up many keys at once. A key without a result resolves to undefined. */
  constructor(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>) {
    this.#ask = ask;
  }

  get(key: string): Promise<Answer | undefined> {
    if (this.#gathered === undefined) {
      this.#gathered = new Map();
      // Runs after all synchronous lookups and after those made by promises that resolve in the
      // same turn.
      setImmediate(() => this.#flush());
    }
    const waiting = this.#gathered.get(key) ?? Promise.withResolvers<Answer | undefined>();
    this.#gathered.set(key, waiting);
    return waiting.promise;
  }

  #flush(): void {
    const gathered = this.#gathered ?? new Map<string, PromiseWithResolvers<Answer | undefined>>();
    this.#gathered = undefined;
    this.#ask([...gathered.keys()]).then(
      (answers) => {
        for (const [key, { resolve }] of gathered) resolve(answers.get(key));
      },
      (error: unknown) => {
        for (const { reject } of gathered.values()) reject(error);
      },
    );
  }
}
