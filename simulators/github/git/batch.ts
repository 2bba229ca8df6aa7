/** Gathers what is asked in one turn of the event loop into one process: a board asks for hundreds of commits at once. */
export class Batch<Answer> {
  readonly #ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  #gathered: Map<string, PromiseWithResolvers<Answer | undefined>> | undefined;

  /** `ask` answers for many; what it has no answer for resolves to undefined. */
  constructor(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>) {
    this.#ask = ask;
  }

  get(key: string): Promise<Answer | undefined> {
    if (this.#gathered === undefined) {
      this.#gathered = new Map();
      // After all that is asked synchronously, and after the promises that ask in its wake.
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
