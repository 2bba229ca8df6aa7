/** What a test repository needs before Legion starts workers on it: a command that checks the work, approved beforehand. */
import { join } from 'node:path';
import { approvalsIn } from '../../src/config/approval.ts';
import { commandsFingerprint } from '../../src/config/repository/fingerprint.ts';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';

export const REPOSITORY_CONFIG = '.legion/config.yml';

/** A quality gate that always passes: it costs no baseline run and no CI. */
export const CHECKED_CONFIG = "commands: { quality_gate: ['true'] }\n";

/** Approves exactly the commands of this text, as the operator of the legion in `state`. */
export function approveBeforehand(state: string, repo: string, text: string): void {
  const config = readRepositoryConfig(text, join(repo, REPOSITORY_CONFIG));
  if (!config.ok) throw new Error(config.fault.message);
  const approved = approvalsIn(state).approve({
    repo,
    fingerprint: commandsFingerprint(config.value),
    at: 0,
  });
  if (!approved.ok) throw new Error(approved.fault.message);
}
