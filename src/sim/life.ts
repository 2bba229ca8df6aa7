/** One life of a daemon: it can be killed, and it can be frozen with its machine and wake up without knowing that. */
export class Life {
  readonly #onDeath: () => void;
  #isAlive = true;
  #thawing: PromiseWithResolvers<void> | undefined;
  readonly #leaving = Promise.withResolvers<void>();

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves when it goes on; undefined while it is not frozen. */
  get frozen(): Promise<void> | undefined {
    return this.#thawing?.promise;
  }

  /** Resolves when somebody else is to take its place: it is dead, or is taken for dead. */
  get left(): Promise<void> {
    return this.#leaving.promise;
  }

  /** The process is killed in this instant. */
  die(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#onDeath();
    this.#leaving.resolve();
  }

  freeze(): void {
    this.#thawing ??= Promise.withResolvers();
  }

  thaw(): void {
    this.#thawing?.resolve();
    this.#thawing = undefined;
  }

  /** Whoever watches over it sees no sign of life and starts another, which it cannot know to be too early. */
  giveUp(): void {
    if (this.#thawing !== undefined) this.#leaving.resolve();
  }
}
