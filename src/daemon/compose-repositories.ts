/** The repositories a legion works on, each with its rules, and which of them an issue belongs to. */
import type { LegionConfig } from '../config/legion/schema.ts';
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import type { Clock } from '../domain/clock.ts';
import type { OpenRepository } from './composition/open-repository.ts';
import { policyUnder } from './repositories/settings.ts';
import type { Repositories } from './repository.ts';
import type { Troubles } from './troubles.ts';

export interface OpenRepositories extends Repositories {
  readonly all: readonly OpenRepository[];
  find(issue: IssueId): OpenRepository | undefined;
  of(issue: IssueId): OpenRepository;
  policyOf(issue: IssueId): Policy;
  /** Reads the rules of all of them anew. */
  refresh(): Promise<void>;
}

/** Rules change seldom, and a fetch is a request of git’s, which GitHub does not count: as often as the board is polled. */
const RENEW_EVERY_MS = 30_000;

export interface Belonging {
  /** Whose an issue is. */
  belongs(issue: IssueId, repository: OpenRepository): boolean;
  /** Keeps it so. */
  settle(issue: IssueId, repository: OpenRepository): void;
  /** Tells of what no longer fits what was settled. */
  compare(): void;
}

export function repositoriesOf(
  all: readonly OpenRepository[],
  { belongs, settle, compare }: Belonging,
  config: () => LegionConfig,
  { clock, troubles }: { readonly clock: Clock; readonly troubles: Troubles },
): OpenRepositories {
  let renewAt = Number.NEGATIVE_INFINITY;
  async function renewed({ name, renew }: OpenRepository): Promise<void> {
    try {
      await renew();
      troubles.clear(`code of ${name}`);
    } catch (error) {
      troubles.raise(`code of ${name}`, error);
    }
  }

  const find = (issue: IssueId) => all.find((repository) => belongs(issue, repository));
  const policies = new Map(
    all.map((repository) => [
      repository,
      policyUnder(config, repository.rules.current, repository.ground.isDemo),
    ]),
  );
  const without = policyUnder(config, () => undefined, false);
  function of(issue: IssueId): OpenRepository {
    const found = find(issue);
    if (found !== undefined) return found;
    const names = all.map(({ name }) => name).join(', ');
    throw new LegionError('repository.unknown', `${issue} belongs to none of ${names}`);
  }

  return {
    ...{ all, find, of },
    settle(issue) {
      const found = of(issue);
      settle(issue, found);
      return found;
    },
    policyOf(issue) {
      const found = find(issue);
      return (found === undefined ? without : (policies.get(found) ?? without))();
    },
    async refresh() {
      compare();
      // A base that moved without us may have other rules. Not waited for: a fetch that hangs must not keep the board from being read.
      if (clock.now() >= renewAt) {
        renewAt = clock.now() + RENEW_EVERY_MS;
        for (const repository of all) void renewed(repository);
      }
      await Promise.all(all.map(({ rules }) => rules.refresh()));
    },
  };
}
