/** What Legion and its roles may not do on GitHub that every issue needs, each with what to do about it. */
import { checkAccess, type Wanted } from './check-access.ts';
import type { Finding } from './finding.ts';
import type { Github } from './open.ts';

/** Reads only. Rejects where GitHub could not be asked: that is not a missing permission. */
export async function findMissingPermissions(
  client: Github,
  { project, repositories }: Pick<Wanted, 'project' | 'repositories'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing = lackingIn(await checkAccess(client, { project, repositories }, signal), 'GitHub');
  for (const { who, own, login } of await client.credentials.describeIdentity()) {
    // A role without an account of its own acts as Legion.
    if (who === 'legion' || !own || typeof login !== 'string') continue;
    const findings = await checkAccess(client, { repositories, role: who }, signal);
    missing.push(...lackingIn(findings, `GitHub, role ${who}`));
  }
  return missing;
}

function lackingIn(findings: readonly Finding[], who: string): string[] {
  const lacking = findings.filter(({ ok, optional }) => !ok && optional !== true);
  const unasked = lacking.find(({ fault }) => fault?.retryable === true);
  if (unasked?.fault !== undefined) throw unasked.fault;
  return lacking.map(({ what, why, next }) => `${who}: ${what}: ${why}. ${next ?? ''}`.trimEnd());
}
