/** Who Legion and its roles are on GitHub, and whether they may do there what they will do. */
import { repositoryName } from '../../../daemon/compose-clone.ts';
import { checkAccess } from '../../../github/check-access.ts';
import type { Role } from '../../../github/client.ts';
import type { IdentityNote } from '../../../github/credentials.ts';
import type { Finding as AccessFinding } from '../../../github/finding.ts';
import { NO_NATIVE_REVIEW, sharesAccount } from '../../../github/identity-lines.ts';
import type { Github } from '../../../github/open.ts';
import type { CommandContext } from '../../command.ts';
import { readProjectName } from '../../github/project-name.ts';
import type { Place } from '../../place.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

export function identities(notes: readonly IdentityNote[]): readonly Finding[] {
  const own = notes.flatMap((note) => {
    if (!note.own) return [];
    const what = note.who === 'legion' ? 'GitHub account' : `role ${note.who}`;
    const { login, uses } = note;
    return [
      typeof login === 'string'
        ? ok(what, `${login}, by ${uses}`)
        : bad(what, `${uses}: ${login.message} [${login.code}]`, login.next),
    ];
  });
  const falling = notes.filter((note) => !note.own).map(({ who }) => who);
  if (falling.length === 0) return own;
  const what = `${falling.length === 1 ? 'role' : 'roles'} ${falling.join(', ')}`;
  const says = 'no identity of its own: acts as Legion itself';
  const next = `Set credentials.github.${falling.at(-1)} to another account or a GitHub App; see docs/github.md.`;
  return [...own, sharesAccount(notes) ? warn(what, `${says}. ${NO_NATIVE_REVIEW}.`, next) : ok(what, says)];
}

/** Legion needs all of it; a role with an identity of its own needs the code and the pull requests. */
export async function access(
  client: Github,
  notes: readonly IdentityNote[],
  repos: readonly string[],
  { resolved }: Place,
  { signal }: CommandContext,
): Promise<readonly Finding[]> {
  const repositories = repos.map((repo) => {
    const { owner, name } = repositoryName(repo);
    return { owner, repo: name };
  });
  const project = resolved.config.backend === 'github' ? readProjectName(resolved.config.legion) : undefined;
  const findings = (await checkAccess(client, { project, repositories }, signal)).map((each) =>
    inDoctorsWords(each, ''),
  );
  for (const { who, own, login } of notes) {
    if (who === 'legion' || !own || typeof login !== 'string') continue;
    const role: Role = who;
    const ofRole = await checkAccess(client, { repositories, role }, signal);
    findings.push(...ofRole.map((each) => inDoctorsWords(each, `role ${role}: `)));
  }
  // Who it is has been said.
  return findings.filter(({ what, verdict }) => verdict !== 'ok' || !what.endsWith('account'));
}

function inDoctorsWords(
  { what, ok: isOk, why, next = '', optional }: AccessFinding,
  prefix: string,
): Finding {
  if (isOk) return ok(prefix + what, why);
  return optional === true ? warn(prefix + what, why, next) : bad(prefix + what, why, next);
}
