/** What every behaviour of the local forge works with. */
import type { Clock } from '../../domain/clock.ts';
import type { Comparison } from '../compare.ts';
import type { Repository } from '../repository.ts';
import type { Ci } from './ci.ts';
import type { Records } from './records.ts';

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
