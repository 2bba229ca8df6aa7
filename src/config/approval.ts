/** Which commands of which repositories the operator has approved; kept in a file of the legion's state folder. */
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { readPrivateRecord, writePrivateRecord } from './private-record.ts';

/** Some thousand approvals; the file is read at each question, so that a revocation by hand counts at once. */
const MOST_BYTES = 1_024 * 1_024;

const approvalSchema = z.strictObject({
  repo: z.string().min(1).max(400),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const fileSchema = z.strictObject({ version: z.literal(1), approvals: z.array(approvalSchema) });

type Approval = z.output<typeof approvalSchema>;

/**
 * Contract: nothing is approved unless the operator's file says so. A file that is missing approves nothing; one that cannot
 * be read, trusted or understood is a fault, and is never written over. An approval is on disk when `approve` returns.
 * Two approvals at the same moment may keep only one: the other is then asked for again.
 */
export interface Approvals {
  approved(repo: string, fingerprint: string): Result<boolean>;
  approve(approval: Approval): Result<void>;
}

export function approvalsIn(stateFolder: string): Approvals {
  const path = join(stateFolder, 'approvals.json');
  return {
    approved(repo, fingerprint) {
      const known = readApprovals(path);
      return known.ok ? ok(known.value.some((each) => isSame(each, { repo, fingerprint }))) : known;
    },
    approve(approval) {
      const known = readApprovals(path);
      if (!known.ok) return known;
      const others = known.value.filter((each) => !isSame(each, approval));
      const next = decode(fileSchema, { version: 1, approvals: [...others, approval] }, 'approvals');
      return next.ok ? writePrivateRecord(path, next.value, 'config.approvals_unwritten') : next;
    },
  };
}

function isSame(
  a: Pick<Approval, 'repo' | 'fingerprint'>,
  b: Pick<Approval, 'repo' | 'fingerprint'>,
): boolean {
  return a.repo === b.repo && a.fingerprint === b.fingerprint;
}

function readApprovals(path: string): Result<readonly Approval[]> {
  const file = readPrivateRecord(path, fileSchema, MOST_BYTES, 'config.approvals_invalid');
  return file.ok ? ok(file.value?.approvals ?? []) : file;
}
