/**
 * Gives a test repository the approved check command that Legion requires before it starts workers.
 */
import { join } from 'node:path';
import { openApprovalStore } from '../../src/config/approval.ts';
import { computeCommandsFingerprint, readRepositoryConfig } from '../../src/config/repository/load.ts';

export const REPOSITORY_CONFIG = '.legion/config.yml';

/** A quality gate that always passes. It needs no baseline run and no CI. */
export const CHECKED_CONFIG = "commands: { quality_gate: ['true'] }\n";

/** Approves exactly the commands in this text, as the operator of the legion in `state`. */
export function approveBeforehand(state: string, repo: string, text: string): void {
  const config = readRepositoryConfig(text, join(repo, REPOSITORY_CONFIG));
  if (!config.ok) throw new Error(config.fault.message);
  const approved = openApprovalStore(state).approve({
    repo,
    fingerprint: computeCommandsFingerprint(config.value),
    at: 0,
  });
  if (!approved.ok) throw new Error(approved.fault.message);
}
