/** What every behaviour of the local forge works with. */
import type { Clock } from '../../domain/clock.ts';
import type { Ci } from './ci.ts';
import type { Comparison } from './compare.ts';
import type { Records } from './records.ts';
import type { Repository } from './repository.ts';

export interface Desk {
  readonly repository: Repository;
  readonly records: Records;
  readonly comparison: Comparison;
  readonly ci: Ci;
  readonly clock: Clock;
  /** Told of what was set aside so that the rest could go on. */
  readonly complain: (error: unknown) => void;
  /** Under whose name commits are made, as git reads it from its environment. */
  readonly identity: Readonly<Record<string, string>>;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export function identityOf({ name, email }: Identity): Desk['identity'] {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
