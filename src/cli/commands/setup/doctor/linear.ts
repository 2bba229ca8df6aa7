/**
 * Checks Linear: account, team, write access, states, labels, repositories, webhooks and the
 * remaining API budget.
 */

import { z } from 'zod';
import type { LegionConfig } from '../../../../config/legion/schema.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import type { ColumnNames } from '../../../../core/model/status.ts';
import { openLinearClient } from '../../../../daemon/composition/open-tracker.ts';
import type { LinearClient, LinearViewer } from '../../../../integrations/linear/client/client.ts';
import { findMissingParts } from '../../../../integrations/linear/client/create-missing.ts';
import { probeWriteAccess } from '../../../../integrations/linear/client/credential.ts';
import { findTeam, type LinearTeam, readTeams } from '../../../../integrations/linear/client/teams.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import { describeUnconfiguredColumns } from '../../../columns.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import {
  buildTeamUrl,
  compareStates,
  describeLinearCredential,
  describeMissingStates,
} from '../../../linear-team.ts';
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

const MORE_BUDGET_ADVICE = 'To leave more for Legion, run fewer programs that use the same person’s keys.';

export async function inspectLinear(
  location: LegionLocation,
  context: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const { config } = location.resolved;
  const webhooks = inspectWebhooks('linear', config.credentials.webhooks.linear, context);
  let client: LinearClient;
  let by: string;
  try {
    by = describeLinearCredential(config, context.env);
    client = await openLinearClient(config, context.env, systemClock);
  } catch (error) {
    return [reportFault('Linear', error), webhooks];
  }
  try {
    const viewer = await client.viewer();
    const account = reportOk(
      'Linear account',
      `${describeViewer(viewer)} of ${viewer.workspace.name}, using ${by}`,
    );
    const board = await inspectTeam(client, viewer, location, context);
    const left = inspectApiBudget('Linear budget', client.budget(), MORE_BUDGET_ADVICE);
    return [account, ...board, webhooks, ...left];
  } catch (error) {
    // Stops here, because without an account or a connection all other checks would report the same
    // problem.
    return [reportFault('Linear', error), webhooks];
  } finally {
    await client.close();
  }
}

function describeViewer({ name, email }: LinearViewer): string {
  return email === '' ? name : `${name} (${email})`;
}

async function inspectTeam(
  client: LinearClient,
  viewer: LinearViewer,
  { resolved: { config } }: LegionLocation,
  { signal }: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const writes = await inspectWriteAccess(client, signal);
  let team: LinearTeam;
  try {
    team = findTeam(await readTeams(client, signal), config.legion);
  } catch (error) {
    return [reportFault('team', error), writes];
  }
  const address = buildTeamUrl(config.linear.url, viewer, team.key);
  return [
    reportOk('team', [`${team.name} (${team.key})`, address].filter(Boolean).join(', ')),
    writes,
    ...inspectStates(team, config),
    inspectTeamLabels(team),
    ...(await inspectRepositoryRouting(client, team, config, signal)),
  ];
}

/**
 * Tries a write on an issue that does not exist, because Linear does not report what a key is
 * allowed to do.
 */
async function inspectWriteAccess(client: LinearClient, signal: AbortSignal): Promise<DoctorFinding> {
  const subject = 'writing';
  try {
    const access = await probeWriteAccess(client, signal);
    if (access.verdict === 'yes')
      return reportOk(
        subject,
        'allowed: a test write to an issue that does not exist was rejected only because the issue does not exist',
      );
    if (access.verdict === 'no')
      return reportProblem(
        subject,
        `not allowed: ${access.reason}`,
        'Create a key with the Write permission, or a token with the write scope.',
      );
    const next =
      'No action needed if moving an issue works. Linear does not report what a key is allowed to do.';
    return reportWarning(subject, `unknown: ${access.reason}`, next);
  } catch (error) {
    return reportFault(subject, error);
  }
}

/** Checks that the Linear team has a suitable state for each status. */
function inspectStates(team: LinearTeam, { statuses }: LegionConfig): readonly DoctorFinding[] {
  const subject = 'states';
  const { columns, missing } = compareStates(team, statuses as ColumnNames);
  const unfit = missing.unfit.map(({ status, state, type }) =>
    reportProblem(
      subject,
      `${state} has the type ${type}, which does not fit ${status}`,
      'Create another state in the team’s settings, and list it under `statuses` in legion.yaml.',
    ),
  );
  if (columns.missing.length > 0)
    return [
      reportProblem(
        subject,
        `no state for ${columns.missing.join(', ')}`,
        describeMissingStates(columns.missing),
      ),
      ...unfit,
    ];
  if (Object.keys(columns.unconfigured).length > 0)
    return [
      reportProblem(
        subject,
        'Legion does not recognise some of the state names',
        describeUnconfiguredColumns(columns.unconfigured),
      ),
      ...unfit,
    ];
  const named = columns.rows.filter(({ status, column }) => column !== status);
  const words = named.map(({ status, column }) => `${status} is ${column}`).join(', ');
  return unfit.length > 0
    ? unfit
    : [reportOk(subject, `every status has a state${words === '' ? '' : `; ${words}`}`)];
}

function inspectTeamLabels(team: LinearTeam): DoctorFinding {
  const subject = 'labels';
  const { labels: missing, exclusive } = findMissingParts(team, {});
  const [group] = exclusive;
  if (group !== undefined)
    return reportProblem(
      subject,
      `${group.labels.join(', ')} are in the group ${group.group}, and an issue can have only one label of a group`,
      'Move them out of the group.',
    );
  if (missing.length === 0) return reportOk(subject, 'all exist');
  const next =
    'No action needed: Legion creates each label when it first needs it. To create them now, run `legion init --create-missing`.';
  return reportWarning(subject, `missing: ${missing.join(', ')}`, next);
}

/**
 * Checks how issues are assigned to repositories. Returns no findings if there is only one
 * repository and every issue belongs to it.
 */
async function inspectRepositoryRouting(
  client: LinearClient,
  team: LinearTeam,
  config: LegionConfig,
  signal: AbortSignal,
): Promise<readonly DoctorFinding[]> {
  const subject = 'repositories of issues';
  const { repos } = config;
  const marks = collectRoutingCriteria(config);
  const [first] = repos;
  if (first === undefined || (repos.length === 1 && marks.labels.length + marks.projects.length === 0))
    return [];
  try {
    const missing = await findMissingCriteria(client, team, marks, signal);
    const words = [
      ...missing.labels.map((name) => `the label ${name}`),
      ...missing.projects.map((name) => `the project ${name}`),
    ];
    if (words.length > 0)
      return [
        reportWarning(
          subject,
          `the team does not have ${words.join(', ')}`,
          'Create them in Linear, or correct `repos` in legion.yaml. Until then, they cannot assign issues to repositories.',
        ),
      ];
    const unreachable = repos
      .slice(1)
      .filter(({ labels: own = [], projects = [] }) => own.length + projects.length === 0);
    if (unreachable.length > 0) {
      const names = unreachable.map(({ repo }) => repo).join(', ');
      return [
        reportWarning(
          subject,
          `no label or project assigns issues to ${names}`,
          'Add some under `repos` in legion.yaml.',
        ),
      ];
    }
    return [reportOk(subject, `chosen by label or project; all other issues go to ${first.repo}`)];
  } catch (error) {
    return [reportFault(subject, error)];
  }
}

interface RoutingCriteria {
  readonly labels: readonly string[];
  readonly projects: readonly string[];
}

/** Collects the labels and projects that route issues to repositories in `legion.yaml`. */
function collectRoutingCriteria({ repos }: Pick<LegionConfig, 'repos'>): RoutingCriteria {
  return {
    labels: removeDuplicates(repos.flatMap(({ labels = [] }) => labels)),
    projects: removeDuplicates(repos.flatMap(({ projects = [] }) => projects)),
  };
}

/** Returns the labels and projects that the configuration uses but the team lacks. */
async function findMissingCriteria(
  client: LinearClient,
  team: Pick<LinearTeam, 'id' | 'labels'>,
  { labels, projects }: RoutingCriteria,
  signal: AbortSignal,
): Promise<RoutingCriteria> {
  const own = new Set(
    team.labels.filter(({ isGroup }) => !isGroup).map(({ name }) => normalizeCriterion(name)),
  );
  const known = await findKnownProjects(client, team.id, projects, signal);
  return {
    labels: labels.filter((name) => !own.has(normalizeCriterion(name))),
    projects: projects.filter((name) => !known.has(normalizeCriterion(name))),
  };
}

/** Number of names per request, so that the filter stays small and all results fit on one page. */
const NAMES_AT_ONCE = 50;

const PROJECTS_QUERY = `query ProjectsNamed($filter: ProjectFilter!, $first: Int!) {
  projects(first: $first, filter: $filter) { nodes { name } }
}`;

const projectsAnswerSchema = z.object({
  projects: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
});

async function findKnownProjects(
  client: LinearClient,
  team: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const filters = names.slice(from, from + NAMES_AT_ONCE).map((name) => ({ name: { eqIgnoreCase: name } }));
    const filter = { and: [{ or: filters }, { accessibleTeams: { some: { id: { eq: team } } } }] };
    // Several projects may have the same name, and finding one of them is enough.
    const first = 4 * NAMES_AT_ONCE;
    const answer = projectsAnswerSchema.safeParse(
      await client.query(PROJECTS_QUERY, { filter, first }, { signal }),
    );
    if (!answer.success)
      throw new LegionError('linear.unavailable', 'Linear returned data in an unexpected format.');
    for (const { name } of answer.data.projects.nodes) known.add(normalizeCriterion(name));
  }
  return known;
}

function removeDuplicates(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [normalizeCriterion(name), name.trim()])).values()];
}

function normalizeCriterion(name: string): string {
  return name.trim().toLowerCase();
}
