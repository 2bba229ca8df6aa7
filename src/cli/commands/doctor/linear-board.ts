/** Whether a team of Linear has a state for each status and Legion's labels, and whether issues find their repositories. */
import type { LegionConfig } from '../../../config/legion/schema.ts';
import type { ColumnNames } from '../../../domain/status.ts';
import type { LinearClient } from '../../../linear/client.ts';
import { missingIn } from '../../../linear/missing.ts';
import type { Team } from '../../../linear/teams.ts';
import { marksIn, missingMarks } from '../../linear/marks.ts';
import { compareStates } from '../../linear/states.ts';
import { sayNames } from '../init/board-page.ts';
import { byHand } from '../init/linear-page.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';

export function states(team: Team, { statuses }: LegionConfig): readonly Finding[] {
  const what = 'states';
  const { columns, missing } = compareStates(team, statuses as ColumnNames);
  const unfit = missing.unfit.map(({ status, state, type }) =>
    bad(
      what,
      `${state} is of the type ${type}, which ${status} cannot be`,
      'Make another state in the team’s settings, and name it under statuses in legion.yaml.',
    ),
  );
  if (columns.missing.length > 0)
    return [bad(what, `none for ${columns.missing.join(', ')}`, byHand(columns.missing)), ...unfit];
  if (Object.keys(columns.unsaid).length > 0)
    return [bad(what, 'some have names that Legion does not know', sayNames(columns.unsaid)), ...unfit];
  const named = columns.rows.filter(({ status, column }) => column !== status);
  const words = named.map(({ status, column }) => `${status} is ${column}`).join(', ');
  return unfit.length > 0 ? unfit : [ok(what, `every status has one${words === '' ? '' : `; ${words}`}`)];
}

export function labels(team: Team): Finding {
  const what = 'labels';
  const { labels: lacking, exclusive } = missingIn(team, {});
  const [group] = exclusive;
  if (group !== undefined)
    return bad(
      what,
      `${group.labels.join(', ')} are in the group ${group.group}, of which an issue has only one`,
      'Take them out of the group.',
    );
  if (lacking.length === 0) return ok(what, 'all there');
  const next =
    'Nothing has to be done: each is made when it is first needed. To set one by hand before: legion init --create-missing';
  return warn(what, `missing: ${lacking.join(', ')}`, next);
}

/** Nothing where every issue belongs to the only repository. */
export async function repositories(
  client: LinearClient,
  team: Team,
  config: LegionConfig,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const what = 'repositories of issues';
  const { repos } = config;
  const marks = marksIn(config);
  const [first] = repos;
  if (first === undefined || (repos.length === 1 && marks.labels.length + marks.projects.length === 0))
    return [];
  try {
    const lacking = await missingMarks(client, team, marks, signal);
    const words = [
      ...lacking.labels.map((name) => `the label ${name}`),
      ...lacking.projects.map((name) => `the project ${name}`),
    ];
    if (words.length > 0)
      return [
        warn(
          what,
          `the team does not have ${words.join(', ')}`,
          'Make them in Linear, or correct repos in legion.yaml; until then nothing leads issues there.',
        ),
      ];
    const unreachable = repos
      .slice(1)
      .filter(({ labels: own = [], projects = [] }) => own.length + projects.length === 0);
    if (unreachable.length > 0) {
      const names = unreachable.map(({ repo }) => repo).join(', ');
      return [
        warn(what, `no label and no project leads to ${names}`, 'Name some under repos in legion.yaml.'),
      ];
    }
    return [ok(what, `by their labels or project; ${first.repo} for all others`)];
  } catch (error) {
    return [fromError(what, error)];
  }
}
