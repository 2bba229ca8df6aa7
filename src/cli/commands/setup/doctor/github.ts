/** Checks GitHub: accounts, permissions, board setup, webhooks and the remaining API budget. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseRepositoryName } from '../../../../config/legion/schema.ts';
import type { ColumnNames } from '../../../../core/model/status.ts';
import { requireEnclosingRepository } from '../../../../daemon/composition/clone.ts';
import { openGithubClient } from '../../../../daemon/composition/open-github.ts';
import { type AccessFinding, checkAccess } from '../../../../integrations/github/client/check-access.ts';
import type { GithubRole } from '../../../../integrations/github/client/client.ts';
import {
  hasSharedAccount,
  type IdentityNote,
  NO_NATIVE_REVIEW,
} from '../../../../integrations/github/client/credentials.ts';
import type { GithubConnection } from '../../../../integrations/github/client/open.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import { compareColumns, describeUnconfiguredColumns } from '../../../columns.ts';
import {
  describeMissingColumns,
  findMissingLabels,
  readBoard,
  readProjectName,
} from '../../../github/board.ts';
import { getRewriteNotePath } from '../../../github/rewrite-options.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import {
  type DoctorFinding,
  inspectApiBudget,
  inspectWebhooks,
  reportFault,
  reportOk,
  reportProblem,
  reportWarning,
} from './finding.ts';

const MORE_POINTS_ADVICE = 'To get more, run fewer legions on one account or use a GitHub App.';

export async function inspectGithub(
  location: LegionLocation,
  context: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const { config } = location.resolved;
  let client: GithubConnection;
  try {
    client = await openGithubClient(config, context.env, systemClock);
  } catch (error) {
    return [reportFault('GitHub', error)];
  }
  try {
    const notes = await client.credentials.describeIdentity();
    const [legion] = notes;
    // Stops here, because without an account or a connection all other checks would report the same
    // problem.
    if (legion !== undefined && typeof legion.login !== 'string') {
      const { message, next, code } = legion.login;
      const by = code === 'github.unauthorized' && legion.uses !== 'nothing' ? `${legion.uses}: ` : '';
      return [
        reportProblem('GitHub', `${by}${message} [${code}]`, next),
        inspectWebhooks('github', config.credentials.webhooks.github, context),
      ];
    }
    const repos = await listRepositories(location, context);
    return [
      ...inspectIdentities(notes),
      ...(await inspectAccess(client, notes, repos, location, context)),
      ...(await inspectColumns(client, location, context)),
      ...(await inspectRepositoryLabels(client, repos, location, context)),
      ...repos.map((repo) => inspectClone(repo, location)),
      inspectWebhooks('github', config.credentials.webhooks.github, context),
      ...inspectApiBudget('GitHub points', client.budget(), MORE_POINTS_ADVICE),
    ];
  } catch (error) {
    return [reportFault('GitHub', error)];
  } finally {
    await client.close();
  }
}

async function listRepositories(
  { resolved, file }: LegionLocation,
  { env }: CommandContext,
): Promise<readonly string[]> {
  const { repos, github } = resolved.config;
  const named = repos.map(({ repo }) => repo);
  return named.length > 0
    ? named
    : [(await requireEnclosingRepository(dirname(file.path), github.url, env)).repo];
}

function inspectClone(repo: string, { resolved, paths }: LegionLocation): DoctorFinding {
  const { owner, name } = parseRepositoryName(repo);
  const { repos, github } = resolved.config;
  const own = repos.find((entry) => entry.repo === repo)?.path;
  if (own !== undefined) return reportOk(`code of ${repo}`, `from the checkout ${own}`);
  const path = paths.clone(new URL(github.url).host, owner, name);
  const isThere = existsSync(join(path, 'HEAD'));
  return reportOk(`code of ${repo}`, isThere ? `cloned to ${path}` : 'will be cloned at the first start');
}

/** Checks that the GitHub board has a column for each status. */
async function inspectColumns(
  client: GithubConnection,
  { resolved, state }: LegionLocation,
  { signal }: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const { legion, statuses, backend } = resolved.config;
  const project = readProjectName(legion);
  if (backend !== 'github' || project === undefined) return [];
  if (existsSync(getRewriteNotePath(state)))
    return [
      reportProblem(
        'columns',
        `rewriting the columns was interrupted, and some items are not back in their columns (${getRewriteNotePath(state)})`,
        'Run `legion init --create-missing --rewrite-options` to finish.',
      ),
    ];
  try {
    const board = await readBoard(client, project, signal);
    const columns = compareColumns(
      board.options.map(({ name }) => name),
      statuses as ColumnNames,
    );
    const boardText = `${board.title}, ${board.url}`;
    if (columns.missing.length > 0)
      return [
        reportProblem(
          'columns',
          `no column for ${columns.missing.join(', ')}; ${boardText}`,
          describeMissingColumns(board, columns.missing),
        ),
      ];
    return Object.keys(columns.unconfigured).length === 0
      ? [reportOk('columns', `every status has a column; ${boardText}`)]
      : [
          reportProblem(
            'columns',
            `Legion does not recognise some of the column names; ${boardText}`,
            describeUnconfiguredColumns(columns.unconfigured),
          ),
        ];
  } catch (error) {
    return [reportFault('columns', error)];
  }
}

async function inspectRepositoryLabels(
  client: GithubConnection,
  repos: readonly string[],
  { resolved }: LegionLocation,
  { signal }: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const purpose = resolved.config.backend === 'github' ? 'everything' : 'pull requests';
  return Promise.all(
    repos.map(async (repo) => {
      const subject = `labels of ${repo}`;
      try {
        const { owner, name } = parseRepositoryName(repo);
        const { missing } = await findMissingLabels(client, `${owner}/${name}`, signal, purpose);
        if (missing.length === 0) return reportOk(subject, 'all exist');
        const next =
          'No action needed: Legion creates each label when it first needs it. To create them now, run `legion init --create-missing`.';
        return reportWarning(subject, `missing: ${missing.join(', ')}`, next);
      } catch (error) {
        return reportFault(subject, error);
      }
    }),
  );
}

/** Reports the accounts of Legion and its roles on GitHub. */
function inspectIdentities(notes: readonly IdentityNote[]): readonly DoctorFinding[] {
  const own = notes.flatMap((note) => {
    if (!note.own) return [];
    const subject = note.who === 'legion' ? 'GitHub account' : `role ${note.who}`;
    const { login, uses } = note;
    return [
      typeof login === 'string'
        ? reportOk(subject, `${login}, using ${uses}`)
        : reportProblem(subject, `${uses}: ${login.message} [${login.code}]`, login.next),
    ];
  });
  const fallbackRoles = notes.filter((note) => !note.own).map(({ who }) => who);
  if (fallbackRoles.length === 0) return own;
  const subject = `${fallbackRoles.length === 1 ? 'role' : 'roles'} ${fallbackRoles.join(', ')}`;
  const message = 'no separate identity; acts as Legion itself';
  const next = `Set credentials.github.${fallbackRoles.at(-1)} to another account or a GitHub App. See docs/github.md.`;
  return [
    ...own,
    hasSharedAccount(notes)
      ? reportWarning(subject, `${message}. ${NO_NATIVE_REVIEW}.`, next)
      : reportOk(subject, message),
  ];
}

/**
 * Checks the permissions. Legion's account needs all of them; a role with its own account needs
 * only code and pull requests.
 */
async function inspectAccess(
  client: GithubConnection,
  notes: readonly IdentityNote[],
  repos: readonly string[],
  { resolved }: LegionLocation,
  { signal }: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const repositories = repos.map((repo) => {
    const { owner, name } = parseRepositoryName(repo);
    return { owner, repo: name };
  });
  const project = resolved.config.backend === 'github' ? readProjectName(resolved.config.legion) : undefined;
  const findings = (await checkAccess(client, { project, repositories }, signal)).map((each) =>
    toDoctorFinding(each, ''),
  );
  for (const { who, own, login } of notes) {
    if (who === 'legion' || !own || typeof login !== 'string') continue;
    const role: GithubRole = who;
    const ofRole = await checkAccess(client, { repositories, role }, signal);
    findings.push(...ofRole.map((each) => toDoctorFinding(each, `role ${role}: `)));
  }
  // `inspectIdentities` already reports the accounts.
  return findings.filter(({ what, verdict }) => verdict !== 'ok' || !what.endsWith('account'));
}

function toDoctorFinding(
  { what, ok: isOk, why, next = '', optional }: AccessFinding,
  prefix: string,
): DoctorFinding {
  if (isOk) return reportOk(prefix + what, why);
  return optional === true
    ? reportWarning(prefix + what, why, next)
    : reportProblem(prefix + what, why, next);
}
