/** New issues: one a key, put on the board only when it is sure which one it is. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { makeChanges, step } from '../../github/in-one-request.ts';
import type {
  IssuesInFullQuery,
  LegionCreatesMutation,
} from '../../integrations/github/generated/tracker.ts';
import { isIssue } from '../../integrations/github/tracker/contents.ts';
import {
  type Made,
  type MadeIssues,
  openMadeIssues,
  readMade,
} from '../../integrations/github/tracker/created-issues.ts';
import { ISSUES_IN_FULL } from '../../integrations/github/tracker/documents.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import type { NewIssue } from '../../ports/tracker.ts';
import { acceptedId, unknownIssue } from '../accepted-id.ts';
import { keyName } from './key-name.ts';
import type { Known } from './known-issues.ts';
import { type BoardPlace, placeFor, placeOnBoard } from './place-on-board.ts';
import { published } from './published-text.ts';
import type { Room } from './room.ts';
import { findKnown, sight } from './sight.ts';
import { CREATE_ISSUE } from './write-documents.ts';

interface Wanted {
  readonly name: string;
  readonly issue: NewIssue;
  readonly parent: Known | undefined;
  readonly blockers: readonly Known[];
  readonly repository: { readonly owner: string; readonly name: string };
  readonly place: BoardPlace;
}

/**
 * Looks for the key's mark, makes the issue, and looks again in the answer to that: numbers count up, so of two who make it at
 * once the second always sees the first, and closes its own. Only then come its blockers and its place on the board. So what
 * is on the board is complete, and whoever finds one that is not there yet goes on where it was left.
 */
export function creator(room: Room): (key: string, issue: NewIssue) => Promise<IssueId> {
  const made = openMadeIssues(room.client, room.isLegion);
  const underWay = new Map<string, Promise<IssueId>>();

  return async (key, issue) => {
    const name = keyName(key);
    // Two of the same process need not find out from GitHub.
    const mine = underWay.get(name) ?? createOnce(room, made, name, issue);
    underWay.set(name, mine);
    try {
      return await mine;
    } finally {
      underWay.delete(name);
    }
  };
}

async function createOnce(room: Room, made: MadeIssues, name: string, issue: NewIssue): Promise<IssueId> {
  const wanted = await accepted(room, name, issue);
  const { parent, repository } = wanted;
  const [there] =
    parent === undefined ? await made.within(repository, name) : await made.below(parent.node, name);
  const first = there ?? (await make(room, made, wanted));
  const id = idOf(room, first);
  const seen = there === undefined ? undefined : await sight(room, id, NEVER_ABORTED);
  if (seen !== undefined && seen.placements[0].option !== '') return id;
  await block(room, first, wanted.blockers);
  await placeOnBoard(room, first.id, wanted.place);
  return id;
}

/** Everything that can be refused is, before anything is made. */
async function accepted(room: Room, name: string, issue: NewIssue): Promise<Wanted> {
  const known = async (id: IssueId) => {
    const found = await findKnown(room, acceptedId(id), NEVER_ABORTED);
    if (found === undefined) throw unknownIssue(id);
    return found;
  };
  const parent = issue.parent === undefined ? undefined : await known(issue.parent);
  const blockers: Known[] = [];
  for (const id of issue.blockedBy) blockers.push(await known(id));
  const place = await placeFor(room, issue);
  const [owner, repo] = (room.repositories()[0] ?? '').split('/');
  const home = parent?.place ?? { owner: owner ?? '', repo: repo ?? '' };
  if (home.repo === '')
    throw new LegionError('input.invalid', 'there is no repository to make an issue in; name one in `repos`');
  return { name, issue, parent, blockers, repository: { owner: home.owner, name: home.repo }, place };
}

async function make(room: Room, made: MadeIssues, wanted: Wanted): Promise<Made> {
  const { name, issue, parent, repository, place } = wanted;
  const named = { owner: { login: repository.owner }, name: repository.name };
  const { repository: repositoryId, labels } = await room.labels.idsOf(named, [
    ...issue.labels,
    ...place.labels,
  ]);
  const input = {
    repositoryId,
    title: issue.title,
    body: published(issue.body, name),
    labelIds: labels,
    ...(parent === undefined ? {} : { parentIssueId: parent.node }),
  };
  const variables = { input, isPart: parent !== undefined };
  const { createIssue } = await room.client
    .mutate<LegionCreatesMutation>(CREATE_ISSUE, variables)
    .catch((error: unknown) => {
      // One of its labels may be another by now.
      room.labels.forget(named);
      throw error;
    });
  const answer = createIssue?.issue;
  const [own] = readMade([answer ?? null]);
  // A later call then finds it by its mark.
  if (own === undefined)
    throw new LegionError('github.unavailable', 'GitHub does not show the issue that it was asked to make');
  const beside = readMade(answer?.parent?.subIssues.nodes ?? answer?.beside?.issues.nodes);
  const first = made.marked([...beside, own], name)[0] ?? own;
  if (first.id !== own.id) await takeBack(room, own, parent);
  return first;
}

/** GitHub lets only administrators delete an issue; a closed one that is on no board and below no parent disturbs nobody. */
async function takeBack({ client }: Room, { id }: Made, parent: Known | undefined): Promise<void> {
  const steps = [step('closeIssue', { issueId: id, stateReason: 'NOT_PLANNED' })];
  if (parent !== undefined) steps.push(step('removeSubIssue', { issueId: parent.node, subIssueId: id }));
  await makeChanges(client, 'TakeBack', steps);
}

function idOf({ known, repositories }: Room, { id, number, repository }: Made): IssueId {
  const place = { owner: repository.owner.login, repo: repository.name, number };
  known.learn([{ place, node: id }], repositories());
  const issue = known.idOf(place);
  if (issue === undefined)
    throw new LegionError('id.invalid', known.setAside().at(-1) ?? `${number} has no id`);
  return issue;
}

async function block(room: Room, made: Made, blockers: readonly Known[]): Promise<void> {
  if (blockers.length === 0) return;
  const { owner, name } = made.repository;
  const place = { owner: owner.login, repo: name, number: made.number };
  const ids = blockers.map(({ node }) => node);
  const { nodes } = await room.client.query<IssuesInFullQuery>(
    ISSUES_IN_FULL,
    { ids },
    { signal: NEVER_ABORTED },
  );
  room.dependencies.expect(made.id);
  for (const node of nodes) {
    const number = isIssue(node) ? Number(node.fullDatabaseId ?? Number.NaN) : Number.NaN;
    if (Number.isNaN(number))
      throw new LegionError(
        'github.unavailable',
        `GitHub does not show a blocker of ${owner.login}/${name}#${made.number}`,
      );
    await room.dependencies.add(place, number);
  }
}
