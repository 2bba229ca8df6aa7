/**
 * Stores which commands of which repositories the operator has approved, in a file of the legion's
 * state directory.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import { ok, type Result } from '../core/model/fault.ts';
import { readPrivateRecord, writePrivateRecord } from './text-file.ts';

/**
 * Enough for a few thousand approvals. The file is read on every check, so that a manual revocation
 * takes effect at once.
 */
const MAX_APPROVALS_BYTES = 1_024 * 1_024;

const approvalSchema = z.strictObject({
  repo: z.string().min(1).max(400),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const fileSchema = z.strictObject({ version: z.literal(1), approvals: z.array(approvalSchema) });

type FingerprintApproval = z.output<typeof approvalSchema>;

/**
 * Contract: nothing is approved unless the operator's file says so. A missing file approves
 * nothing. A file that cannot be read, trusted or parsed is an error and is never overwritten. An
 * approval is on disk when `approve` returns. If two approvals are made at the same time, one may
 * be lost; it is then requested again.
 */
export interface ApprovalStore {
  isApproved(repo: string, fingerprint: string): Result<boolean>;
  approve(approval: FingerprintApproval): Result<void>;
}

export function openApprovalStore(stateFolder: string): ApprovalStore {
  const path = join(stateFolder, 'approvals.json');
  return {
    isApproved(repo, fingerprint) {
      const known = readApprovals(path);
      return known.ok ? ok(known.value.some((each) => isSameApproval(each, { repo, fingerprint }))) : known;
    },
    approve(approval) {
      const known = readApprovals(path);
      if (!known.ok) return known;
      const others = known.value.filter((each) => !isSameApproval(each, approval));
      const next = decode(fileSchema, { version: 1, approvals: [...others, approval] }, 'approvals');
      return next.ok ? writePrivateRecord(path, next.value, 'config.approvals_unwritten') : next;
    },
  };
}

function isSameApproval(
  a: Pick<FingerprintApproval, 'repo' | 'fingerprint'>,
  b: Pick<FingerprintApproval, 'repo' | 'fingerprint'>,
): boolean {
  return a.repo === b.repo && a.fingerprint === b.fingerprint;
}

function readApprovals(path: string): Result<readonly FingerprintApproval[]> {
  const file = readPrivateRecord(path, fileSchema, MAX_APPROVALS_BYTES, 'config.approvals_invalid');
  return file.ok ? ok(file.value?.approvals ?? []) : file;
}
