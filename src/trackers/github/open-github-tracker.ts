/** The GitHub tracker: issues of one or more boards (Projects v2), of an organization or a person. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { type ColumnNames, columnFor, STATUSES, type Status } from '../../core/model/status.ts';
import type { Clock } from '../../domain/clock.ts';
import { counted } from '../../domain/format.ts';
import type { Issue } from '../../domain/issue.ts';
import { authorsBy } from '../../github/authors.ts';
import type { GithubClient } from '../../github/client.ts';
import { makeChanges, step } from '../../github/in-one-request.ts';
import { isOneOf } from '../../github/logins.ts';
import { isGithubNumber } from '../../github/number-range.ts';
import { openPermissions, type Permissions } from '../../github/permissions.ts';
import { openRepositoryLabels } from '../../github/repository-labels.ts';
import { placeKey } from '../../integrations/github/client/issue-reference.ts';
import type { FieldNames, ProjectName } from '../../integrations/github/tracker/board-requests.ts';
import { openContents } from '../../integrations/github/tracker/contents.ts';
import { list } from '../../integrations/github/tracker/list.ts';
import { createMutex } from '../../lib/async/mutex.ts';
import { isRefusal } from '../../lib/read-isolated.ts';
import type { Tracker } from '../../ports/tracker.ts';
import { acceptedId } from '../accepted-id.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import { withCommentProblems } from '../malformed-comments.ts';
import { openBlockerStates } from './blocker-states.ts';
import { openBoard } from './board.ts';
import { hasEnded, isDone } from './column.ts';
import { closing, columnSteps } from './column-steps.ts';
import { commenter } from './comment.ts';
import { openComments } from './comments.ts';
import { creator } from './create.ts';
import { openDependencies } from './dependencies.ts';
import { describe } from './describe.ts';
import { blockersAmong, distinctPlaces, type IssueBlockers, NO_BLOCKERS } from './issue-blockers.ts';
import { type IssueHint, openKnownIssues } from './known-issues.ts';
import { mayDispatch } from './may-dispatch.ts';
import type { Noticed, Room } from './room.ts';
import { projectsOf } from './room.ts';
import { requireSight, type Sighting, sight } from './sight.ts';
import { standingOf } from './to-issue.ts';
import { write } from './write.ts';

export interface GithubTrackerOptions {
  readonly client: GithubClient;
  /** `owner/number`; the first is the one whose column counts, and where new issues go. */
  readonly projects: readonly string[];
  readonly columns: () => ColumnNames;
  /** `owner/name` of those whose issues may start workers; new issues without a parent go to the first. */
  readonly repositories: () => readonly string[];
  readonly authors: () => AuthorPolicy;
  /** Who may write, as far as it is known; whoever else asks the same GitHub may share it. */
  readonly permissions?: Permissions;
  readonly clock: Pick<Clock, 'now'>;
  /** Legion's own logins: `ada`, `legion-impl[bot]`. */
  readonly accounts: readonly string[];
  readonly fields?: FieldNames;
}

export interface GithubTracker extends Tracker {
  /** The id of an issue that has been seen, by what a webhook says of it; pure. */
  idOf(hint: IssueHint): IssueId | undefined;
  /** What does not stop the list but a person should know. */
  troubles(): readonly string[];
}

/** As a new project of GitHub has them. */
const FIELDS: FieldNames = { status: 'Status', priority: 'Priority' };

export async function openGithubTracker(options: GithubTrackerOptions): Promise<GithubTracker> {
  const room = openRoom(options);
  const { known } = room;
  const comments = openComments(room);
  const comment = commenter(room);
  const create = creator(room);

  return {
    kind: 'github',
    async list(signal) {
      signal.throwIfAborted();
      const issues = await room.list(signal);
      comments.listed(room.clock.now());
      return withCommentProblems(issues, comments.problemsOf);
    },
    async read(issue, signal) {
      signal.throwIfAborted();
      return read(room, acceptedId(issue), signal);
    },
    async commentsSince(issue, since, signal) {
      signal.throwIfAborted();
      return comments.since(acceptedId(issue), since, signal);
    },
    mayDispatch: (issue) => mayDispatch(issue, room.repositories(), room.policy()),
    write: async (issue, change) => write(room, acceptedId(issue), change),
    async comment(issue, key, text) {
      await comment(acceptedId(issue), key, text);
      comments.posted(issue);
    },
    create,
    close: async (issue) => close(room, acceptedId(issue)),
    move: async (issue, to) => move(room, acceptedId(issue), to),
    missingColumns() {
      const [first] = room.noticed()?.boards ?? [];
      if (first === undefined) return [];
      const names = first.status.options.map(({ name }) => name);
      return STATUSES.filter((status) => columnFor(status, names, room.columns()) === undefined);
    },
    budget: () => options.client.budget(),
    idOf: known.idOf,
    troubles: () => [...known.setAside(), ...hiddenItems(room.noticed())],
  };
}

function openRoom(options: GithubTrackerOptions): Room {
  const { client, clock, columns, accounts, fields = FIELDS } = options;
  const { permissions = openPermissions(client, clock) } = options;
  const turn = createMutex();
  let noticed: Noticed | undefined;
  const room: Room = {
    client,
    clock,
    columns,
    isLegion: (login) => isOneOf(login, accounts),
    fields,
    repositories: options.repositories,
    policy: options.authors,
    boards: options.projects.map((name) => openBoard(client, readProjectName(name), fields, clock)),
    contents: openContents(client, clock),
    known: openKnownIssues(),
    authors: authorsBy(permissions, (login) => isOneOf(login, [...accounts, ...options.authors().also])),
    dependencies: openDependencies(client),
    states: openBlockerStates({ client, clock, columns, statusField: fields.status }),
    labels: openRepositoryLabels(client),
    list: (signal) => turn(() => list(room, signal), signal),
    notice: (seen) => {
      noticed = seen;
    },
    noticed: () => noticed,
  };
  return room;
}

function readProjectName(name: string): ProjectName {
  const [, owner, number] = /^([^/\s]+)\/([1-9]\d{0,9})$/.exec(name) ?? [];
  if (owner === undefined || !isGithubNumber(Number(number)))
    throw new LegionError('id.invalid', `project ${JSON.stringify(name)}: is not \`owner/number\``);
  return { owner, number: Number(number) };
}

/** Each reason once: an organization refuses all of its issues for the same one. */
function hiddenItems(noticed: Noticed | undefined): readonly string[] {
  const { redacted = 0, refused = [] } = noticed ?? {};
  return [
    ...(redacted === 0 ? [] : [`${redacted} items of the boards may not be seen by Legion’s account`]),
    ...[...Map.groupBy(refused, (reason) => reason)].map(
      ([reason, { length }]) => `${counted(length, 'item')} of the boards cannot be read: ${reason}`,
    ),
  ];
}

/**
 * Ending an issue without finishing it; one that is Done stays Done.
 * Of what is Done GitHub says that it was completed, of everything else that nobody plans to.
 */
async function close(room: Room, id: IssueId): Promise<void> {
  const { content, placements } = await requireSight(room, id);
  if (content.answer.closedAt !== null) return;
  const stateReason = isDone(placements[0].option, room.columns()) ? 'COMPLETED' : 'NOT_PLANNED';
  const steps = [step('closeIssue', { issueId: content.answer.id, stateReason })];
  await makeChanges(room.client, 'LegionCloses', steps);
}

/** A person's move, carried out for them: unlike Legion's own it opens a closed issue. */
async function move(room: Room, id: IssueId, to: Status): Promise<void> {
  const seen = await requireSight(room, id);
  const { id: issueId, closedAt } = seen.content.answer;
  const isClosed = closedAt !== null;
  const steps = [...columnSteps(to, seen, room.columns())];
  if (to === 'Done' && !isClosed) steps.push(closing(issueId));
  if (to !== 'Done' && isClosed) steps.push(step('reopenIssue', { issueId }));
  await makeChanges(room.client, 'LegionMoves', steps);
}

/** Reading one issue as it is now. */
async function read(room: Room, id: IssueId, signal: AbortSignal): Promise<Issue | undefined> {
  try {
    const seen = await sight(room, id, signal);
    if (seen === undefined) return undefined;
    const { content, placements } = seen;
    await room.authors.learn([content.answer], signal);
    const blockers = await readBlockers(room, seen, signal);
    return describe(room, { id, content, placement: placements[0], blockers });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // A list shows an issue that GitHub refuses as it was before, with the reason.
    return (await room.list(signal)).find((issue) => issue.id === id);
  }
}

async function readBlockers(
  room: Room,
  { content, placements }: Sighting,
  signal: AbortSignal,
): Promise<IssueBlockers> {
  const { columns, dependencies, states } = room;
  if (hasEnded(standingOf(content.answer, placements[0]), columns())) return NO_BLOCKERS;
  const native = await dependencies.ask(content, signal);
  const dependencyProblem = dependencies.problemOf(content.answer.id);
  const places = distinctPlaces([...content.named, ...native]);
  const projects = places.length === 0 ? [] : await projectsOf(room, signal);
  const { open, unreadable } = await states.ask(places, projects, signal);
  return blockersAmong(places, {
    isOpen: (place) => open.has(placeKey(place)),
    unreadable,
    dependencyProblem,
  });
}
