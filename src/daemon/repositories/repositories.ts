/** Holds a legion's repositories with their rules and maps issues to them. */
import type { LegionConfig } from '../../config/legion/schema.ts';
import type { Clock } from '../../core/model/clock.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { PipelinePolicy } from '../../core/pipeline/policy.ts';
import type { ActiveProblems } from '../context/active-problems.ts';
import type { Repositories, Repository } from '../context/repository.ts';
import type { RuleBook } from './rules.ts';
import { createPolicyReader } from './settings.ts';

/** A repository with the rules that its `.legion` directory and the operator set. */
interface RuledRepository extends Repository {
  readonly rules: Pick<RuleBook, 'current' | 'refresh'>;
  readonly source: { readonly isDemo: boolean };
}

export interface OpenRepositories<R extends RuledRepository> extends Repositories {
  readonly all: readonly R[];
  find(issue: IssueId): R | undefined;
  require(issue: IssueId): R;
  policyOf(issue: IssueId): PipelinePolicy;
  /** Reads the rules of all repositories again. */
  refresh(): Promise<void>;
}

/**
 * Fetch interval, the same as the board's poll interval. Rules change rarely, and git fetches do
 * not count against GitHub’s rate limit.
 */
const FETCH_INTERVAL_MS = 30_000;

export interface RoutingPolicy<R extends RuledRepository> {
  /** Whether the issue belongs to the repository. */
  belongs(issue: IssueId, repository: R): boolean;
  /** Permanently assigns the issue to the repository. */
  assign(issue: IssueId, repository: R): void;
  /** Reports issues whose label or project contradicts their permanent assignment. */
  reportMismatches(): void;
}

export function createRepositories<R extends RuledRepository>(
  all: readonly R[],
  { belongs, assign: settle, reportMismatches: compare }: RoutingPolicy<R>,
  config: () => LegionConfig,
  { clock, problems }: { readonly clock: Clock; readonly problems: ActiveProblems },
): OpenRepositories<R> {
  let renewAt = Number.NEGATIVE_INFINITY;
  async function refreshRepository({ name, fetchLatest: renew }: R): Promise<void> {
    try {
      await renew();
      problems.resolve(`code of ${name}`);
    } catch (error) {
      problems.report(`code of ${name}`, error);
    }
  }

  const find = (issue: IssueId) => all.find((repository) => belongs(issue, repository));
  const policies = new Map(
    all.map((repository) => [
      repository,
      createPolicyReader(config, repository.rules.current, repository.source.isDemo),
    ]),
  );
  const without = createPolicyReader(config, () => undefined, false);
  function requireRepository(issue: IssueId): R {
    const found = find(issue);
    if (found !== undefined) return found;
    const names = all.map(({ name }) => name).join(', ');
    throw new LegionError(
      'repository.unknown',
      `${issue} does not belong to a configured repository. Configured: ${names}`,
    );
  }

  return {
    all,
    find,
    require: requireRepository,
    assign(issue) {
      const found = requireRepository(issue);
      settle(issue, found);
      return found;
    },
    policyOf(issue) {
      const found = find(issue);
      return (found === undefined ? without : (policies.get(found) ?? without))();
    },
    async refresh() {
      compare();
      // Fetches the base, which may have moved and changed the rules. The fetch is not awaited,
      // because a hanging fetch must not block reading the board.
      if (clock.now() >= renewAt) {
        renewAt = clock.now() + FETCH_INTERVAL_MS;
        for (const repository of all) void refreshRepository(repository);
      }
      await Promise.all(all.map(({ rules }) => rules.refresh()));
    },
  };
}
