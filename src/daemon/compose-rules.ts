/** What the repository's own `.legion/config.yml` says on the base branch, and whether the operator has approved its commands. */
import { type Approvals, approvalsIn } from '../config/approval.ts';
import { commandsFingerprint } from '../config/repository/fingerprint.ts';
import { readRepositoryConfig } from '../config/repository/load.ts';
import type { RepositoryConfig } from '../config/repository/schema.ts';
import type { Clock } from '../domain/clock.ts';
import { type Fault, LegionError } from '../domain/fault.ts';
import type { Result } from '../domain/result.ts';
import type { Lookup } from '../git/lookup.ts';
import type { Git } from '../git/runner.ts';

const FILE = '.legion/config.yml';

interface Rules {
  readonly config: RepositoryConfig;
  readonly fingerprint: string;
  readonly approved: boolean;
}

export interface RuleBook {
  /** As of the last refresh. */
  current(): Rules;
  refresh(): Promise<Rules>;
  approve(fingerprint: string): Promise<void>;
}

export interface RuleBookOptions {
  readonly git: Git;
  readonly lookup: Lookup;
  readonly repository: string;
  readonly repo: string;
  readonly base: string;
  readonly state: string;
  readonly clock: Clock;
  /** Undefined: nothing is wrong any more. */
  readonly tell: (fault: Fault | undefined) => void;
}

/** The base branch alone counts: what a worker writes in its workspace is not yet what the repository says. */
export async function openRuleBook(options: RuleBookOptions): Promise<RuleBook> {
  const { git, lookup, repository, repo, base, clock, tell } = options;
  const approvals: Approvals = approvalsIn(options.state);
  let config = orThrow(readRepositoryConfig(''));
  let blob: string | undefined;

  async function read(): Promise<void> {
    const name = `refs/heads/${base}:${FILE}`;
    const [found] = await lookup.objects([name]);
    if (found === blob) return;
    const text = found === undefined ? '' : await git.run(repository, ['cat-file', 'blob', found]);
    const next = readRepositoryConfig(text, `${base}:${FILE}`);
    blob = found;
    tell(next.ok ? undefined : next.fault);
    // A file that cannot be understood changes nothing: the last good one stays in force.
    if (next.ok) config = next.value;
  }

  function asOfNow(): Rules {
    const fingerprint = commandsFingerprint(config);
    const none = Object.values(config.commands).every((command) => command === undefined);
    const approved = none || orThrow(approvals.approved(repo, fingerprint));
    return { config, fingerprint, approved };
  }

  async function refresh(): Promise<Rules> {
    await read();
    rules = asOfNow();
    return rules;
  }

  // Kept, because the settings are asked for many times in each pass, and each look at the approvals is a file read.
  let rules = asOfNow();
  await refresh();
  return {
    current: () => rules,
    refresh,
    async approve(fingerprint) {
      if ((await refresh()).fingerprint !== fingerprint)
        throw new LegionError('commands.changed', `the commands of ${repo} are not those that were shown`);
      orThrow(approvals.approve({ repo, fingerprint, at: clock.now() }));
      rules = asOfNow();
    },
  };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new LegionError(result.fault.code, result.fault.message);
  return result.value;
}
