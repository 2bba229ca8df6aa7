/**
 * Reads a repository's own rules from `.legion` on its base branch and tracks which of them the
 * operator approved.
 */

import { type ApprovalStore, openApprovalStore } from '../../config/approval.ts';
import { toConfigFault } from '../../config/problem.ts';
import {
  computeCommandsFingerprint,
  computePromptsFingerprint,
  computeShownFingerprint,
  readRepositoryConfig,
} from '../../config/repository/load.ts';
import type { RepositoryConfig } from '../../config/repository/schema.ts';
import type { Clock } from '../../core/model/clock.ts';
import { type Fault, LegionError } from '../../core/model/fault.ts';
import type { GitLookup } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import { unwrap } from '../../lib/result.ts';
import { buildPromptsTreeName, type RepositoryPrompts, readCommittedPrompts } from './prompts.ts';

const RULES_FILE = '.legion/config.yml';

interface RepositoryRules {
  readonly config: RepositoryConfig;
  readonly prompts: RepositoryPrompts;
  /** Fingerprint of everything that needs approval, as shown to the operator. */
  readonly fingerprint: string;
  /** Whether the commands are approved. */
  readonly approved: boolean;
  readonly promptsApproved: boolean;
}

export interface RuleBook {
  /** Rules as of the last refresh. */
  current(): RepositoryRules;
  refresh(): Promise<RepositoryRules>;
  approve(fingerprint: string): Promise<void>;
}

export interface RuleBookOptions {
  readonly git: GitRunner;
  readonly lookup: GitLookup;
  readonly repository: string;
  readonly repo: string;
  readonly base: string;
  /** Full local name of the base branch, such as `refs/remotes/origin/main`. */
  readonly ref: string;
  readonly state: string;
  readonly clock: Clock;
  /** Called with a problem, and with undefined once the problem is resolved. */
  readonly onFaultChange: (about: 'repository' | 'prompts', fault: Fault | undefined) => void;
}

/**
 * Reads rules only from the base branch, because a worker's edits in its workspace are not the
 * repository's rules yet.
 */
export async function openRuleBook(options: RuleBookOptions): Promise<RuleBook> {
  const { git, lookup, repository, repo, base, ref, clock, onFaultChange: tell } = options;
  const approvals: ApprovalStore = openApprovalStore(options.state);
  let config = unwrap(readRepositoryConfig(''));
  let prompts = await readCommittedPrompts(git, repository, base, undefined);
  let blob: string | undefined;
  let tree: string | undefined;

  async function read(): Promise<void> {
    const [file, folder] = await lookup.objects([`${ref}:${RULES_FILE}`, buildPromptsTreeName(ref)]);
    if (file !== blob) await readConfig(file);
    if (folder !== tree) await readPrompts(folder);
  }

  async function readConfig(found: string | undefined): Promise<void> {
    const text = found === undefined ? '' : await git.run(repository, ['cat-file', 'blob', found]);
    const next = readRepositoryConfig(text, `${base}:${RULES_FILE}`);
    blob = found;
    tell('repository', next.ok ? undefined : next.fault);
    // An invalid file changes nothing: the last valid one stays in force.
    if (next.ok) config = next.value;
  }

  /** Reads the prompts. Ignores an invalid prompt and uses Legion's own instead. */
  async function readPrompts(found: string | undefined): Promise<void> {
    prompts = await readCommittedPrompts(git, repository, base, found);
    tree = found;
    tell('prompts', prompts.problems.length === 0 ? undefined : toConfigFault(prompts.problems));
  }

  function readCurrentRules(): RepositoryRules {
    const none = Object.values(config.commands).every((command) => command === undefined);
    return {
      config,
      prompts,
      fingerprint: computeShownFingerprint(config, prompts.texts),
      approved: none || unwrap(approvals.isApproved(repo, computeCommandsFingerprint(config))),
      promptsApproved:
        prompts.templates.size === 0 ||
        unwrap(approvals.isApproved(repo, computePromptsFingerprint(prompts.texts))),
    };
  }

  async function refresh(): Promise<RepositoryRules> {
    await read();
    rules = readCurrentRules();
    return rules;
  }

  // Cached, because rules are read many times per pass and approvals are read from a file.
  let rules = readCurrentRules();
  await refresh();
  return {
    current: () => rules,
    refresh,
    async approve(fingerprint) {
      if ((await refresh()).fingerprint !== fingerprint)
        throw new LegionError(
          'commands.changed',
          `The commands of ${repo} have changed since they were shown.`,
        );
      // Approves commands and prompts separately, so that either stays approved if the other
      // changes later. If the daemon crashes between the two writes, the prompts need approval
      // again.
      const at = clock.now();
      unwrap(approvals.approve({ repo, fingerprint: computeCommandsFingerprint(config), at }));
      if (prompts.templates.size > 0)
        unwrap(approvals.approve({ repo, fingerprint: computePromptsFingerprint(prompts.texts), at }));
      rules = readCurrentRules();
    },
  };
}
