/** The end of the log of a job of GitHub Actions; other services keep their logs to themselves. */
import { LegionError } from '../../core/model/fault.ts';
import type { CheckLog, ForgeCheck } from '../../ports/forge.ts';
import { cleanTail } from '../clean-text.ts';
import type { Desk } from './desk.ts';

/** Characters at the end of a log: the last screens of a test run, and little against a prompt. */
export const TAIL_CHARS = 8_000;

export async function readCheckLog(
  desk: Desk,
  { status, url }: ForgeCheck,
  signal: AbortSignal,
): Promise<CheckLog> {
  if (status === 'pending')
    return { missing: 'The check is still running: GitHub has its log when it ends.' };
  try {
    const text = await readJobLog(desk, url, signal);
    if (text !== undefined) return { text: text.trimEnd() };
    return { missing: 'GitHub has no log of this check: follow its link.' };
  } catch (error) {
    if (signal.aborted || !(error instanceof LegionError)) throw error;
    return { missing: describeRefusal(error) };
  }
}

/** The end of it; undefined where the address is not that of a job, or the job wrote nothing. */
export async function readJobLog(
  { client, repo, jobLogs }: Desk,
  address: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, job] = /\/actions\/runs\/\d+\/job\/(\d+)/.exec(address ?? '') ?? [];
  if (job === undefined) return undefined;
  return jobLogs(job, async () => {
    const parameters = { owner: repo.owner, repo: repo.name, job_id: Number(job) };
    const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const { data } = await client.rest<unknown>(route, parameters, { signal });
    if (typeof data !== 'string' || data.trim() === '') return undefined;
    return cleanTail(withoutTimes(data), TAIL_CHARS);
  });
}

/** Each line of such a log begins with its time, which helps nobody who reads its end. Only the end is looked at. */
function withoutTimes(log: string): string {
  return log.slice(-8 * TAIL_CHARS).replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '');
}

function describeRefusal({ code, message }: LegionError): string {
  if (code === 'github.missing')
    return 'GitHub no longer has the log: follow the link, or run the job again.';
  const hint = code === 'github.forbidden' ? ' Legion’s account needs the permission to read Actions.' : '';
  return `The log could not be read: ${message}.${hint}`;
}
