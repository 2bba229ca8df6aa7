/**
 * Manages labels: a name must be unique among the labels of its team and of the workspace, and an
 * issue has at most one label of each group.
 */
import type { Issue, IssueLabel, Team, User } from './nodes.ts';
import { LinearRefusal, toInvalidInput } from './refusal.ts';
import type { LinearWorld } from './world.ts';

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

export function createLabel(world: LinearWorld, by: User | undefined, wanted: NewLabel): IssueLabel {
  const { name, team, parent } = wanted;
  if (name.trim() === '') throw toInvalidInput('name must not be empty');
  if (isNameTaken(world, name, team)) {
    throw new LinearRefusal(
      'invalid input',
      'duplicate label name',
      `A label with the name "${name}" already exists.`,
    );
  }
  if (parent?.parent !== undefined) throw toInvalidInput('A label group cannot be in another group');
  if (parent?.team !== undefined && parent.team !== team)
    throw toInvalidInput('A label belongs to the team of its group');
  const identity = world.identity('IssueLabel', wanted.id);
  // A label becomes a group when it gets its first child.
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

/**
 * Returns whether the name is taken in the team, or in any team if `team` is undefined. Workspace
 * labels are visible in every team, so their names are taken there too.
 */
function isNameTaken(world: LinearWorld, name: string, team: Team | undefined): boolean {
  return world
    .all('IssueLabel')
    .some(
      (label) =>
        label.name.toLowerCase() === name.toLowerCase() &&
        (label.team === team || label.team === undefined || team === undefined),
    );
}

export function findLabel(world: LinearWorld, name: string, team: Team | undefined): IssueLabel | undefined {
  return world
    .all('IssueLabel')
    .find(
      (label) =>
        label.name.toLowerCase() === name.toLowerCase() && (label.team === undefined || label.team === team),
    );
}

/** Returns the issue's labels after the change, without writing them. */
export function applyLabelChange(
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
  // A new label replaces the issue's previous label of the same group.
  const kept = base.filter(
    (label) =>
      add.includes(label) || !add.some(({ parent }) => parent !== undefined && parent === label.parent),
  );
  return [...new Set([...kept, ...add])];
}

function requireAssignable({ name, isGroup, team: own }: IssueLabel, team: Team): void {
  if (isGroup)
    throw toInvalidInput(`The label '${name}' is a group and cannot be assigned to issues directly.`);
  if (own !== undefined && own !== team) {
    throw toInvalidInput(`The label '${name}' is not associated with the same team as the issue.`);
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
