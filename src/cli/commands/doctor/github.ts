/** GitHub: who Legion is there, what it may do, whether the board is set up, webhooks, and what is left of the budget. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ColumnNames } from '../../../core/model/status.ts';
import { repositoryAround, repositoryName } from '../../../daemon/compose-clone.ts';
import { openGithubOf } from '../../../daemon/compose-github.ts';
import { checkAccess } from '../../../github/check-access.ts';
import type { Role } from '../../../github/client.ts';
import type { IdentityNote } from '../../../github/credentials.ts';
import type { Finding as AccessFinding } from '../../../github/finding.ts';
import { NO_NATIVE_REVIEW, sharesAccount } from '../../../github/identity-lines.ts';
import type { Github } from '../../../github/open.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import { compareColumns } from '../../columns.ts';
import type { CommandContext } from '../../command.ts';
import { readBoard } from '../../github/board.ts';
import { missingLabels } from '../../github/labels.ts';
import { readProjectName } from '../../github/project-name.ts';
import { notePath } from '../../github/rewrite-note.ts';
import type { Place } from '../../legion-location.ts';
import { sayNames } from '../init/board-page.ts';
import { byHand } from '../init/github-page.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';
import { budgetLeft, webhooks } from './service.ts';

const MORE_POINTS = 'Fewer legions on one account, or an App, have more.';

export async function examineGithub(place: Place, context: CommandContext): Promise<readonly Finding[]> {
  const { config } = place.resolved;
  let client: Github;
  try {
    client = await openGithubOf(config, context.env, systemClock);
  } catch (error) {
    return [fromError('GitHub', error)];
  }
  try {
    const notes = await client.credentials.describeIdentity();
    const [legion] = notes;
    // Without an account, or without GitHub, all the rest would say the same once more.
    if (legion !== undefined && typeof legion.login !== 'string') {
      const { message, next, code } = legion.login;
      const by = code === 'github.unauthorized' && legion.uses !== 'nothing' ? `${legion.uses}: ` : '';
      return [
        bad('GitHub', `${by}${message} [${code}]`, next),
        webhooks('github', config.credentials.webhooks.github, context),
      ];
    }
    const repos = await repositoriesOf(place, context);
    return [
      ...identities(notes),
      ...(await access(client, notes, repos, place, context)),
      ...(await board(client, place, context)),
      ...(await labels(client, repos, place, context)),
      ...repos.map((repo) => clone(repo, place)),
      webhooks('github', config.credentials.webhooks.github, context),
      ...budgetLeft('GitHub points', client.budget(), MORE_POINTS),
    ];
  } catch (error) {
    return [fromError('GitHub', error)];
  } finally {
    await client.close();
  }
}

async function repositoriesOf(
  { resolved, file }: Place,
  { env }: CommandContext,
): Promise<readonly string[]> {
  const { repos, github } = resolved.config;
  const named = repos.map(({ repo }) => repo);
  return named.length > 0 ? named : [(await repositoryAround(dirname(file.path), github.url, env)).repo];
}

function clone(repo: string, { resolved, paths }: Place): Finding {
  const { owner, name } = repositoryName(repo);
  const { repos, github } = resolved.config;
  const own = repos.find((entry) => entry.repo === repo)?.path;
  if (own !== undefined) return ok(`code of ${repo}`, `from the checkout ${own}`);
  const path = paths.clone(new URL(github.url).host, owner, name);
  const isThere = existsSync(join(path, 'HEAD'));
  return ok(`code of ${repo}`, isThere ? `cloned to ${path}` : 'is cloned at the first start');
}

/** Whether a board on GitHub has a column for each status, and its repositories Legion's labels. */
async function board(
  client: Github,
  { resolved, state }: Place,
  { signal }: CommandContext,
): Promise<readonly Finding[]> {
  const { legion, statuses, backend } = resolved.config;
  const project = readProjectName(legion);
  if (backend !== 'github' || project === undefined) return [];
  if (existsSync(notePath(state)))
    return [
      bad(
        'columns',
        `they were being written anew, and items are not all back (${notePath(state)})`,
        'Go on with it: legion init --create-missing --rewrite-options',
      ),
    ];
  try {
    const found = await readBoard(client, project, signal);
    const columns = compareColumns(
      found.options.map(({ name }) => name),
      statuses as ColumnNames,
    );
    const where = `${found.title}, ${found.url}`;
    if (columns.missing.length > 0)
      return [
        bad('columns', `none for ${columns.missing.join(', ')}; ${where}`, byHand(found, columns.missing)),
      ];
    return Object.keys(columns.unsaid).length === 0
      ? [ok('columns', `every status has one; ${where}`)]
      : [bad('columns', `some have names that Legion does not know; ${where}`, sayNames(columns.unsaid))];
  } catch (error) {
    return [fromError('columns', error)];
  }
}

async function labels(
  client: Github,
  repos: readonly string[],
  { resolved }: Place,
  { signal }: CommandContext,
): Promise<readonly Finding[]> {
  const purpose = resolved.config.backend === 'github' ? 'everything' : 'pull requests';
  return Promise.all(
    repos.map(async (repo) => {
      const what = `labels of ${repo}`;
      try {
        const { owner, name } = repositoryName(repo);
        const { missing } = await missingLabels(client, `${owner}/${name}`, signal, purpose);
        if (missing.length === 0) return ok(what, 'all there');
        const next =
          'Nothing has to be done: each is made when it is first needed. To set one by hand before: legion init --create-missing';
        return warn(what, `missing: ${missing.join(', ')}`, next);
      } catch (error) {
        return fromError(what, error);
      }
    }),
  );
}

/** Who Legion and its roles are on GitHub, and whether they may do there what they will do. */
function identities(notes: readonly IdentityNote[]): readonly Finding[] {
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
async function access(
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
