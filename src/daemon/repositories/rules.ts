/** What the repository says of itself on its base branch, in `.legion`, and what of it the operator has approved. */

import { type Approvals, approvalsIn } from '../../config/approval.ts';
import { faultOf } from '../../config/problem.ts';
import {
  commandsFingerprint,
  promptsFingerprint,
  shownFingerprint,
} from '../../config/repository/fingerprint.ts';
import { readRepositoryConfig } from '../../config/repository/load.ts';
import type { RepositoryConfig } from '../../config/repository/schema.ts';
import { type Fault, LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Lookup } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import { unwrap } from '../../lib/result.ts';
import { type OwnPrompts, promptsAt, promptsTree } from './prompts.ts';

const FILE = '.legion/config.yml';

interface Rules {
  readonly config: RepositoryConfig;
  readonly prompts: OwnPrompts;
  /** Of all there is to approve, as it is shown. */
  readonly fingerprint: string;
  /** The commands. */
  readonly approved: boolean;
  readonly promptsApproved: boolean;
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
  /** The full name of the base branch as it is known here, such as `refs/remotes/origin/main`. */
  readonly ref: string;
  readonly state: string;
  readonly clock: Clock;
  /** Undefined: nothing is wrong any more. */
  readonly tell: (about: 'repository' | 'prompts', fault: Fault | undefined) => void;
}

/** The base branch alone counts: what a worker writes in its workspace is not yet what the repository says. */
export async function openRuleBook(options: RuleBookOptions): Promise<RuleBook> {
  const { git, lookup, repository, repo, base, ref, clock, tell } = options;
  const approvals: Approvals = approvalsIn(options.state);
  let config = unwrap(readRepositoryConfig(''));
  let prompts = await promptsAt(git, repository, base, undefined);
  let blob: string | undefined;
  let tree: string | undefined;

  async function read(): Promise<void> {
    const [file, folder] = await lookup.objects([`${ref}:${FILE}`, promptsTree(ref)]);
    if (file !== blob) await readConfig(file);
    if (folder !== tree) await readPrompts(folder);
  }

  async function readConfig(found: string | undefined): Promise<void> {
    const text = found === undefined ? '' : await git.run(repository, ['cat-file', 'blob', found]);
    const next = readRepositoryConfig(text, `${base}:${FILE}`);
    blob = found;
    tell('repository', next.ok ? undefined : next.fault);
    // A file that cannot be understood changes nothing: the last good one stays in force.
    if (next.ok) config = next.value;
  }

  /** A prompt that is not as it must be counts for nothing: ours is used in its place. */
  async function readPrompts(found: string | undefined): Promise<void> {
    prompts = await promptsAt(git, repository, base, found);
    tree = found;
    tell('prompts', prompts.problems.length === 0 ? undefined : faultOf(prompts.problems));
  }

  function asOfNow(): Rules {
    const none = Object.values(config.commands).every((command) => command === undefined);
    return {
      ...{ config, prompts },
      fingerprint: shownFingerprint(config, prompts.texts),
      approved: none || unwrap(approvals.approved(repo, commandsFingerprint(config))),
      promptsApproved:
        prompts.templates.size === 0 || unwrap(approvals.approved(repo, promptsFingerprint(prompts.texts))),
    };
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
      // Each part on its own: a later change of one leaves the other approved. Cut off in between, the rest is asked again.
      const at = clock.now();
      unwrap(approvals.approve({ repo, fingerprint: commandsFingerprint(config), at }));
      if (prompts.templates.size > 0)
        unwrap(approvals.approve({ repo, fingerprint: promptsFingerprint(prompts.texts), at }));
      rules = asOfNow();
    },
  };
}
