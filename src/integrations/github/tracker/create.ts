/**
 * Creates issues: one per key. An issue is put on the board only once it is known to be the only
 * one.
 */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { findColumn } from '../../../core/model/status.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import type { NewIssue } from '../../../ports/tracker.ts';
import { createUnknownIssueFault, requireIssueId } from '../../tracker-support/issue-input.ts';
import { createStep, makeChanges } from '../client/graphql-answer.ts';
import { buildPublishedText, toKeyName } from '../client/published-text.ts';
import type { IssuesInFullQuery, LegionCreatesMutation, PutOnBoardMutation } from '../generated/tracker.ts';
import { findPriorityOption, toPriorityLabel } from './board-fields.ts';
import type { ProjectField, ProjectFields } from './board-view.ts';
import { isIssue } from './contents.ts';
import type { GithubTrackerContext, KnownIssue } from './context.ts';
import {
  type CreatedIssue,
  type CreatedIssues,
  openCreatedIssues,
  readCreatedIssues,
} from './created-issues.ts';
import { CREATE_ISSUE, ISSUES_IN_FULL, PUT_ON_BOARD } from './documents.ts';
import { findKnownIssue, readIssueSnapshot } from './issue-snapshot.ts';
import { createCloseStep } from './write.ts';

interface PreparedIssue {
  readonly name: string;
  readonly issue: NewIssue;
  readonly parent: KnownIssue | undefined;
  readonly blockers: readonly KnownIssue[];
  readonly repository: { readonly owner: string; readonly name: string };
  readonly placement: BoardPlacementPlan;
}

/**
 * Searches for the key's marker, creates the issue, then checks the response for an earlier issue
 * with the same marker. Numbers ascend, so of two concurrent creators the second always sees the
 * first one's issue and closes its own. Blockers and the board position are added only after that
 * check. So an issue on the board is complete, and a later call for the same key finishes an
 * incomplete one.
 */
export function createIssueCreator(
  context: GithubTrackerContext,
): (key: string, issue: NewIssue) => Promise<IssueId> {
  const created = openCreatedIssues(context.client, context.isLegion);
  const pending = new Map<string, Promise<IssueId>>();

  return async (key, issue) => {
    const name = toKeyName(key);
    // Concurrent calls in this process share one request.
    const creation = pending.get(name) ?? createOnce(context, created, name, issue);
    pending.set(name, creation);
    try {
      return await creation;
    } finally {
      pending.delete(name);
    }
  };
}

async function createOnce(
  context: GithubTrackerContext,
  created: CreatedIssues,
  name: string,
  issue: NewIssue,
): Promise<IssueId> {
  const wanted = await prepareIssue(context, name, issue);
  const { parent, repository } = wanted;
  const [existing] =
    parent === undefined ? await created.within(repository, name) : await created.below(parent.node, name);
  const first = existing ?? (await createMarkedIssue(context, created, wanted));
  const id = requireCreatedId(context, first);
  const snapshot = existing === undefined ? undefined : await readIssueSnapshot(context, id, NEVER_ABORTED);
  if (snapshot !== undefined && snapshot.placements[0].option !== '') return id;
  await addBlockers(context, first, wanted.blockers);
  await placeOnBoard(context, first.id, wanted.placement);
  return id;
}

/** Validates everything before anything is created. */
async function prepareIssue(
  context: GithubTrackerContext,
  name: string,
  issue: NewIssue,
): Promise<PreparedIssue> {
  const requireKnown = async (id: IssueId) => {
    const knownIssue = await findKnownIssue(context, requireIssueId(id), NEVER_ABORTED);
    if (knownIssue === undefined) throw createUnknownIssueFault(id);
    return knownIssue;
  };
  const parent = issue.parent === undefined ? undefined : await requireKnown(issue.parent);
  const blockers: KnownIssue[] = [];
  for (const id of issue.blockedBy) blockers.push(await requireKnown(id));
  const placement = await planPlacement(context, issue);
  const [owner, repo] = (context.repositories()[0] ?? '').split('/');
  const home = parent?.reference ?? { owner: owner ?? '', repo: repo ?? '' };
  if (home.repo === '')
    throw new LegionError(
      'input.invalid',
      'There is no repository to create an issue in. Add one to `repos`',
    );
  return { name, issue, parent, blockers, repository: { owner: home.owner, name: home.repo }, placement };
}

async function createMarkedIssue(
  context: GithubTrackerContext,
  created: CreatedIssues,
  wanted: PreparedIssue,
): Promise<CreatedIssue> {
  const { name, issue, parent, repository, placement } = wanted;
  const named = { owner: { login: repository.owner }, name: repository.name };
  const { repository: repositoryId, labels } = await context.labels.idsOf(named, [
    ...issue.labels,
    ...placement.labels,
  ]);
  const input = {
    repositoryId,
    title: issue.title,
    body: buildPublishedText(issue.body, name),
    labelIds: labels,
    ...(parent === undefined ? {} : { parentIssueId: parent.node }),
  };
  const variables = { input, isPart: parent !== undefined };
  const { createIssue } = await context.client
    .mutate<LegionCreatesMutation>(CREATE_ISSUE, variables)
    .catch((error: unknown) => {
      // A label may have been deleted and created again with another id.
      context.labels.forget(named);
      throw error;
    });
  const answer = createIssue?.issue;
  const [own] = readCreatedIssues([answer ?? null]);
  // The issue may exist; a later call then finds it by its marker.
  if (own === undefined)
    throw new LegionError('github.unavailable', 'GitHub did not return the issue it was asked to create');
  const beside = readCreatedIssues(answer?.parent?.subIssues.nodes ?? answer?.beside?.issues.nodes);
  const first = created.marked([...beside, own], name)[0] ?? own;
  if (first.id !== own.id) await closeDuplicate(context, own, parent);
  return first;
}

/**
 * Closes a duplicate issue, because only administrators may delete one. A closed issue without a
 * board and a parent is harmless.
 */
async function closeDuplicate(
  { client }: GithubTrackerContext,
  { id }: CreatedIssue,
  parent: KnownIssue | undefined,
): Promise<void> {
  const steps = [createStep('closeIssue', { issueId: id, stateReason: 'NOT_PLANNED' })];
  if (parent !== undefined)
    steps.push(createStep('removeSubIssue', { issueId: parent.node, subIssueId: id }));
  await makeChanges(client, 'TakeBack', steps);
}

function requireCreatedId(
  { known, repositories }: GithubTrackerContext,
  { id, number, repository }: CreatedIssue,
): IssueId {
  const reference = { owner: repository.owner.login, repo: repository.name, number };
  known.learn([{ reference, node: id }], repositories());
  const issue = known.idOf(reference);
  if (issue === undefined)
    throw new LegionError('id.invalid', known.ignored().at(-1) ?? `Issue ${number} has no valid id`);
  return issue;
}

async function addBlockers(
  context: GithubTrackerContext,
  created: CreatedIssue,
  blockers: readonly KnownIssue[],
): Promise<void> {
  if (blockers.length === 0) return;
  const { owner, name } = created.repository;
  const reference = { owner: owner.login, repo: name, number: created.number };
  const ids = blockers.map(({ node }) => node);
  const { nodes } = await context.client.query<IssuesInFullQuery>(
    ISSUES_IN_FULL,
    { ids },
    { signal: NEVER_ABORTED },
  );
  context.dependencies.expect(created.id);
  for (const node of nodes) {
    const number = isIssue(node) ? Number(node.fullDatabaseId ?? Number.NaN) : Number.NaN;
    if (Number.isNaN(number))
      throw new LegionError(
        'github.unavailable',
        `GitHub did not return a blocker of ${owner.login}/${name}#${created.number}`,
      );
    await context.dependencies.add(reference, number);
  }
}

interface BoardPlacementPlan {
  readonly project: string;
  /** Options to choose, by field. */
  readonly choices: readonly { readonly fieldId: string; readonly optionId: string }[];
  /** Labels for values that the board has no field for. */
  readonly labels: readonly string[];
  readonly isDone: boolean;
}

/**
 * Plans the position of a new issue on the first board, with its column and priority. Throws if the
 * board has no column for the status, even after reading the board again.
 */
async function planPlacement(
  context: GithubTrackerContext,
  { status, priority }: NewIssue,
): Promise<BoardPlacementPlan> {
  const names = context.columns();
  const known = context.boardNotes()?.boards[0];
  const fields =
    known !== undefined && findColumnChoice(known) !== undefined ? known : await requirePrimaryBoard(context);
  const column = findColumnChoice(fields);
  if (column === undefined)
    throw new LegionError('tracker.column_missing', `Board ${fields.project} has no column for ${status}`);
  const urgency = findChoice(
    fields.priority,
    priority === 0 ? undefined : findPriorityOption(priority, listOptionNames(fields.priority)),
  );
  const label = urgency === undefined ? toPriorityLabel(priority) : undefined;
  return {
    project: fields.project,
    choices: [column, ...(urgency === undefined ? [] : [urgency])],
    labels: label === undefined ? [] : [label],
    isDone: status === 'Done',
  };

  function findColumnChoice(board: ProjectFields) {
    return findChoice(board.status, findColumn(status, listOptionNames(board.status), names));
  }
}

/** Puts the issue on the board. If it is already there, GitHub returns the existing item. */
async function placeOnBoard(
  { client }: GithubTrackerContext,
  issue: string,
  { project, choices, isDone }: BoardPlacementPlan,
): Promise<void> {
  const input = { projectId: project, contentId: issue };
  const added = await client.mutate<PutOnBoardMutation>(PUT_ON_BOARD, { input });
  const itemId = added.addProjectV2ItemById?.item?.id;
  // The next attempt adds the issue again and gets the same item.
  if (itemId === undefined)
    throw new LegionError('github.unavailable', 'GitHub did not return the item it was asked to add');
  const steps = choices.map(({ fieldId, optionId }) => {
    const value = { singleSelectOptionId: optionId };
    return createStep('updateProjectV2ItemFieldValue', { projectId: project, itemId, fieldId, value });
  });
  // Sets the status last, because an issue with a status is considered complete.
  const last = steps.slice(1).concat(steps.slice(0, 1));
  if (isDone) last.push(createCloseStep(issue));
  await makeChanges(client, 'ChooseColumn', last);
}

async function requirePrimaryBoard(context: GithubTrackerContext): Promise<ProjectFields> {
  await context.list(NEVER_ABORTED);
  const [board] = context.boardNotes()?.boards ?? [];
  if (board === undefined) throw new LegionError('github.missing', 'There is no board to put an issue on');
  return board;
}

function findChoice({ id, options }: ProjectField, name: string | undefined) {
  const option = options.find((each) => each.name === name);
  return id === undefined || option === undefined ? undefined : { fieldId: id, optionId: option.id };
}

function listOptionNames({ options }: ProjectField): readonly string[] {
  return options.map(({ name }) => name);
}
