/** One line of the error catalogue. */

/**
 * `terminal`: the same call will fail again until something is changed. `retryable`: the same call may succeed later.
 */
type Nature = 'terminal' | 'retryable';

interface Entry {
  readonly http: number;
  readonly nature: Nature;
  readonly meaning: string;
  readonly next: string;
}

export type Entries = Readonly<Record<string, Entry>>;
