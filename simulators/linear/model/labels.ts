/** Labels: one name once in a team and the workspace, and of a group one at most on an issue. */
import type { Issue, IssueLabel, Team, User } from './nodes.ts';
import { invalid, LinearRefusal } from './refusal.ts';
import type { World } from './world.ts';

const GREY = '#bec2c8';

export interface NewLabel {
  readonly id?: string | null;
  readonly name: string;
  readonly team?: Team | undefined;
  readonly parent?: IssueLabel | undefined;
  readonly isGroup?: boolean | null;
  readonly color?: string | null;
  readonly description?: string | null;
}

export function createLabel(world: World, by: User | undefined, wanted: NewLabel): IssueLabel {
  const { name, team, parent } = wanted;
  if (name.trim() === '') throw invalid('name must not be empty');
  if (clashes(world, name, team)) {
    throw new LinearRefusal(
      'invalid input',
      'duplicate label name',
      `A label with the name "${name}" already exists.`,
    );
  }
  if (parent?.parent !== undefined) throw invalid('A label group cannot be in another group');
  if (parent?.team !== undefined && parent.team !== team)
    throw invalid('A label belongs to the team of its group');
  const identity = world.identity('IssueLabel', wanted.id);
  // Whatever has a label in it is a group from then on.
  if (parent !== undefined) parent.isGroup = true;
  const label: IssueLabel = world.add({
    ...identity,
    node: 'IssueLabel',
    name,
    team,
    parent,
    isGroup: wanted.isGroup ?? false,
    color: wanted.color ?? GREY,
    description: wanted.description ?? undefined,
    creator: by,
  });
  world.changed({ action: 'create', node: label, by });
  return label;
}

/** A workspace label is seen in every team, so its name is taken there, too. */
function clashes(world: World, name: string, team: Team | undefined): boolean {
  return world
    .all('IssueLabel')
    .some(
      (label) =>
        label.name.toLowerCase() === name.toLowerCase() &&
        (label.team === team || label.team === undefined || team === undefined),
    );
}

export function labelNamed(world: World, name: string, team: Team | undefined): IssueLabel | undefined {
  return world
    .all('IssueLabel')
    .find(
      (label) =>
        label.name.toLowerCase() === name.toLowerCase() && (label.team === undefined || label.team === team),
    );
}

/** What an issue has after the change; nothing is written yet. */
export function labelsAfter(
  issue: Pick<Issue, 'labels' | 'team'>,
  change: {
    readonly set?: readonly IssueLabel[] | undefined;
    readonly add?: readonly IssueLabel[] | undefined;
    readonly remove?: readonly IssueLabel[] | undefined;
  },
): readonly IssueLabel[] {
  const { set, add = [], remove = [] } = change;
  const fresh = [...(set ?? []), ...add];
  for (const label of fresh) requireAssignable(label, issue.team);
  requireExclusive(set ?? []);
  requireExclusive(add);
  const base = (set ?? issue.labels).filter((label) => !remove.includes(label));
  // A new one takes the place of its sibling.
  const kept = base.filter(
    (label) =>
      add.includes(label) || !add.some(({ parent }) => parent !== undefined && parent === label.parent),
  );
  return [...new Set([...kept, ...add])];
}

function requireAssignable({ name, isGroup, team: own }: IssueLabel, team: Team): void {
  if (isGroup) throw invalid(`The label '${name}' is a group and cannot be assigned to issues directly.`);
  if (own !== undefined && own !== team) {
    throw invalid(`The label '${name}' is not associated with the same team as the issue.`);
  }
}

function requireExclusive(labels: readonly IssueLabel[]): void {
  const groups = [...new Set(labels)].flatMap(({ parent }) => (parent === undefined ? [] : [parent]));
  if (new Set(groups).size < groups.length) {
    throw new LinearRefusal(
      'invalid input',
      'labelIds not exclusive child labels',
      'Only one label of a label group can be assigned to an issue.',
    );
  }
}
