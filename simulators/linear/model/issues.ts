/** Manages issues: creates, changes, archives and restores them. */
import { randomUUID } from 'node:crypto';
import { applyLabelChange } from './labels.ts';
import { moveToTeam } from './moving.ts';
import type { ExternalUser, Issue, IssueLabel, Project, Team, User, WorkflowState } from './nodes.ts';
import { toInvalidInput } from './refusal.ts';
import { listTeamStates } from './teams.ts';
import type { LinearWorld } from './world.ts';

/** Priorities are 0 for none, then 1 (urgent) to 4 (low). */
const LOWEST_PRIORITY = 4;

export interface NewIssueNode {
  readonly id?: string | null | undefined;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly state?: WorkflowState | undefined;
  readonly labels?: readonly IssueLabel[] | undefined;
  readonly priority?: number | null | undefined;
  readonly estimate?: number | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly assignee?: User | undefined;
  readonly project?: Project | undefined;
  readonly parent?: Issue | undefined;
}

export function createIssue(
  world: LinearWorld,
  by: { readonly user?: User | undefined; readonly external?: ExternalUser | undefined },
  team: Team,
  wanted: NewIssueNode,
): Issue {
  if (wanted.title.trim() === '') throw toInvalidInput('title must not be empty');
  requirePriority(wanted.priority ?? 0);
  const state = wanted.state ?? getDefaultState(world, team);
  requireOwn(state, team, wanted.project);
  const labels = applyLabelChange({ labels: [], team }, { set: wanted.labels ?? [] });
  const identity = world.identity('Issue', wanted.id);
  team.lastNumber += 1;
  const issue = world.add<Issue>({
    ...identity,
    node: 'Issue',
    team,
    number: team.lastNumber,
    previousIdentifiers: [],
    title: wanted.title,
    description: wanted.description ?? undefined,
    state,
    spans: [],
    labels,
    priority: wanted.priority ?? 0,
    estimate: wanted.estimate ?? undefined,
    dueDate: wanted.dueDate ?? undefined,
    assignee: wanted.assignee,
    project: wanted.project,
    parent: wanted.parent,
    creator: by.user,
    external: by.external,
    startedAt: undefined,
    completedAt: undefined,
    canceledAt: undefined,
    triagedAt: undefined,
    trashed: false,
  });
  startStateSpan(issue, state, issue.createdAt);
  Object.assign(issue, computeProgressTimes(issue, state, issue.createdAt));
  world.changed({ action: 'create', node: issue, by: by.user ?? by.external });
  return issue;
}

/** Changes to an issue. Undefined keeps a value, null clears it. */
export interface IssueChange {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly state?: WorkflowState | undefined;
  readonly labels?: Parameters<typeof applyLabelChange>[1] | undefined;
  readonly priority?: number | null | undefined;
  readonly estimate?: number | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly assignee?: User | null | undefined;
  readonly project?: Project | null | undefined;
  readonly parent?: Issue | null | undefined;
  readonly team?: Team | undefined;
}

/** Applies all changes or none. Unchanged values cause no event. */
export function updateIssue(
  world: LinearWorld,
  by: User | undefined,
  issue: Issue,
  change: IssueChange,
): void {
  if (change.title === null || change.title?.trim() === '') throw toInvalidInput('title must not be empty');
  requirePriority(change.priority ?? 0);
  const moving = change.team === undefined || change.team === issue.team ? undefined : change.team;
  const moved = moving === undefined ? undefined : moveToTeam(world, issue, moving);
  const standing = {
    team: issue.team,
    state: issue.state,
    labels: issue.labels,
    project: issue.project,
    ...moved,
  };
  const state = change.state ?? standing.state;
  const project = change.project === undefined ? standing.project : (change.project ?? undefined);
  requireOwn(state, standing.team, change.project == null ? undefined : project);
  if (change.parent != null && isBelow(change.parent, issue))
    throw toInvalidInput('parentId would make a circle');
  const labels = change.labels === undefined ? standing.labels : applyLabelChange(standing, change.labels);
  if (moving !== undefined) {
    issue.previousIdentifiers.push(`${issue.team.key}-${issue.number}`);
    moving.lastNumber += 1;
  }
  const now = world.now();
  if (state !== issue.state) startStateSpan(issue, state, now);
  write(world, by, issue, {
    team: standing.team,
    number: moving?.lastNumber ?? issue.number,
    title: change.title ?? issue.title,
    description: resolveOptional(change.description, issue.description),
    state,
    ...(state === issue.state ? {} : computeProgressTimes(issue, state, now)),
    labels: hasSameLabels(labels, issue.labels) ? issue.labels : labels,
    priority: change.priority ?? issue.priority,
    estimate: resolveOptional(change.estimate, issue.estimate),
    dueDate: resolveOptional(change.dueDate, issue.dueDate),
    assignee: resolveOptional(change.assignee, issue.assignee),
    project,
    parent: resolveOptional(change.parent, issue.parent),
  });
}

/**
 * Archives an issue. `trash` is what Linear calls deleting: the issue is archived now and removed
 * permanently after a while.
 */
export function archiveIssue(world: LinearWorld, by: User | undefined, issue: Issue, trash: boolean): void {
  if (issue.archivedAt !== undefined && issue.trashed === trash) return;
  const change = { archivedAt: issue.archivedAt ?? world.now(), trashed: trash };
  write(world, by, issue, change, trash ? 'remove' : 'update');
}

export function unarchiveIssue(world: LinearWorld, by: User | undefined, issue: Issue): void {
  write(world, by, issue, { archivedAt: undefined, trashed: false });
}

/** Deletes an issue permanently, with everything attached to it. */
export function deleteIssue(world: LinearWorld, by: User | undefined, issue: Issue): void {
  for (const comment of world.all('Comment')) if (comment.issue === issue) world.remove(comment);
  for (const attachment of world.all('Attachment')) if (attachment.issue === issue) world.remove(attachment);
  for (const relation of world.all('IssueRelation'))
    if (relation.issue === issue || relation.related === issue) world.remove(relation);
  for (const child of world.all('Issue')) if (child.parent === issue) child.parent = undefined;
  world.remove(issue);
  world.changed({ action: 'remove', node: issue, by });
}

function write(
  world: LinearWorld,
  by: User | undefined,
  issue: Issue,
  values: Partial<Issue>,
  action: 'update' | 'remove' = 'update',
): void {
  const before = new Map(Object.entries(issue));
  const changed = Object.entries(values).filter(([name, value]) => before.get(name) !== value);
  if (changed.length === 0) return;
  const updatedFrom = Object.fromEntries(changed.map(([name]) => [name, before.get(name)]));
  const updatedAt = issue.updatedAt;
  Object.assign(issue, values, { updatedAt: Math.max(world.now(), updatedAt) });
  world.changed({ action, node: issue, by, updatedFrom: { ...updatedFrom, updatedAt } });
}

function startStateSpan(issue: Issue, state: WorkflowState, now: number): void {
  const last = issue.spans.at(-1);
  if (last !== undefined) last.endedAt = now;
  issue.spans.push({ id: randomUUID(), state, startedAt: now, endedAt: undefined });
}

function resolveOptional<T>(wanted: T | null | undefined, standing: T | undefined): T | undefined {
  return wanted === undefined ? standing : (wanted ?? undefined);
}

/**
 * Returns the state of an issue created without one: triage if the team has it, otherwise the first
 * backlog state.
 */
function getDefaultState(world: LinearWorld, team: Team): WorkflowState {
  const states = listTeamStates(world, team);
  const found =
    states.find(({ kind }) => kind === 'triage') ??
    states.find(({ kind }) => kind === 'backlog') ??
    states.find(({ kind }) => kind === 'unstarted') ??
    states[0];
  if (found === undefined) throw toInvalidInput(`The team ${team.key} has no states`);
  return found;
}

type ProgressTimes = Pick<Issue, 'startedAt' | 'completedAt' | 'canceledAt' | 'triagedAt'>;

function computeProgressTimes(issue: Issue, { kind }: WorkflowState, now: number): ProgressTimes {
  const ended = kind === 'completed' || kind === 'canceled' || kind === 'duplicate';
  return {
    startedAt: kind === 'started' ? (issue.startedAt ?? now) : ended ? issue.startedAt : undefined,
    completedAt: kind === 'completed' ? now : undefined,
    canceledAt: kind === 'canceled' || kind === 'duplicate' ? now : undefined,
    triagedAt: issue.state.kind === 'triage' && kind !== 'triage' ? now : issue.triagedAt,
  };
}

function requirePriority(priority: number): void {
  if (priority < 0 || priority > LOWEST_PRIORITY)
    throw toInvalidInput(`priority must be from 0 to ${LOWEST_PRIORITY}`);
}

function requireOwn(state: WorkflowState, team: Team, project: Project | undefined): void {
  if (state.team !== team) throw toInvalidInput('Discrepancy between issue state and team');
  if (project !== undefined && !project.teams.includes(team)) {
    throw toInvalidInput('Discrepancy between issue project and team');
  }
}

function isBelow(issue: Issue, above: Issue): boolean {
  return issue === above || (issue.parent !== undefined && isBelow(issue.parent, above));
}

function hasSameLabels(one: readonly IssueLabel[], other: readonly IssueLabel[]): boolean {
  return one.length === other.length && one.every((label) => other.includes(label));
}
