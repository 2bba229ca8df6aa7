/** What every behaviour of the local forge works with. */
import type { Clock } from '../../domain/clock.ts';
import type { Comparison } from '../../integrations/forge-support/compare.ts';
import type { Repository } from '../../integrations/forge-support/repository.ts';
import type { Ci } from '../../integrations/local/forge/ci.ts';
import type { Records } from '../../integrations/local/forge/records.ts';

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
