/** The checks of a commit with the ends of their logs, as people and workers may read them: bounded, and without secrets. */
import { LegionError, shown } from '../../core/model/fault.ts';
import type { Forge, ForgeCheck } from '../../ports/forge.ts';
import type { CheckView } from '../../protocol/ci.ts';
import { withoutSecrets } from '../present/without-secrets.ts';
import { inTime } from '../reports/read-outside.ts';

export interface CheckQuery {
  /** Only checks of this name. */
  readonly check?: string | undefined;
  /** Of each log. */
  readonly lines: number;
  /** Which checks bring their log; all where it is absent. */
  readonly logsOf?: 'not_passing' | undefined;
}

/** On a service each log costs a request. */
const MAX_LOGS = 10;

/** The names an error lists fit on a screen. */
const MAX_NAMES = 20;

/** Those that need somebody come first. */
const ORDER: Readonly<Record<ForgeCheck['status'], number>> = {
  failing: 0,
  could_not_run: 1,
  pending: 2,
  passing: 3,
};

export async function readChecks(forge: Forge, sha: string, query: CheckQuery): Promise<CheckView[]> {
  return inTime('forge.unavailable', async (signal) => {
    const all = await forge.checks(sha, signal);
    const checks = select(all, query.check, sha).toSorted((a, b) => ORDER[a.status] - ORDER[b.status]);
    const withLog = new Set(checks.filter((check) => wantsLog(check, query)).slice(0, MAX_LOGS));
    return Promise.all(
      checks.map(async (check) => ({
        ...check,
        summary: check.summary === undefined ? undefined : withoutSecrets(check.summary),
        ...(withLog.has(check)
          ? await readLog(forge, sha, check, query.lines, signal)
          : leftOut(check, query)),
      })),
    );
  });
}

function select(all: readonly ForgeCheck[], name: string | undefined, sha: string): readonly ForgeCheck[] {
  if (name === undefined) return all;
  const wanted = all.filter((check) => check.name === name);
  if (wanted.length > 0) return wanted;
  const names = [...new Set(all.map((check) => check.name))].slice(0, MAX_NAMES);
  const valid = names.length === 0 ? 'This commit has no checks.' : `Valid: ${names.join(', ')}.`;
  throw new LegionError('forge.check_unknown', `No check ${shown(name)} at ${sha.slice(0, 12)}. ${valid}`);
}

function wantsLog({ status }: ForgeCheck, { logsOf }: CheckQuery): boolean {
  return logsOf === undefined || status === 'failing' || status === 'could_not_run';
}

function leftOut(check: ForgeCheck, query: CheckQuery): Pick<CheckView, 'missing'> {
  if (!wantsLog(check, query)) return {};
  return { missing: `Only ${MAX_LOGS} logs are read at once: ask for this check by its name.` };
}

async function readLog(
  forge: Forge,
  sha: string,
  check: ForgeCheck,
  lines: number,
  signal: AbortSignal,
): Promise<Pick<CheckView, 'log' | 'missing'>> {
  const log = await forge.checkLog(sha, check, signal);
  return 'text' in log ? { log: lastLines(log.text, lines) } : { missing: withoutSecrets(log.missing) };
}

/** Redacted before it is cut, so that no half of a secret stays. */
export function lastLines(text: string, lines: number): string {
  return withoutSecrets(text).trimEnd().split('\n').slice(-lines).join('\n');
}
