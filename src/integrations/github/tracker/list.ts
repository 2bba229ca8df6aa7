/**
 * Lists every issue of the boards once. The first board that contains an issue decides its column.
 */
import type { Issue } from '../../../core/model/issue.ts';
import { type IssueReference, toIssueReferenceKey } from '../client/issue-reference.ts';
import { collectBlockers, type IssueBlockers, listDistinctReferences, NO_BLOCKERS } from './blockers.ts';
import { hasEnded } from './board-fields.ts';
import type { BoardPlacement, ProjectFields } from './board-view.ts';
import type { IssueContent } from './contents.ts';
import type { GithubTrackerContext } from './context.ts';
import { describeIssue, toIssuePosition } from './to-issue.ts';

/**
 * Maximum number of nodes outside the boards in a digest: GitHub's limit. Further nodes are
 * requested separately.
 */
const OFF_BOARD_MAX = 100;

interface ListedIssue {
  readonly content: IssueContent;
  readonly placement: BoardPlacement;
}

export async function listBoardIssues(
  context: GithubTrackerContext,
  signal: AbortSignal,
): Promise<readonly Issue[]> {
  const { boards, contents, known, authors, states } = context;
  const offBoard = states.nodes().slice(0, OFF_BOARD_MAX);
  const placements = new Map<string, BoardPlacement>();
  const items = new Map<string, string>();
  const blocked = new Set<string>();
  const reported = new Map<string, boolean>();
  const boardFields: ProjectFields[] = [];
  const unknown: string[] = [];
  let redacted = 0;
  for (const [index, board] of boards.entries()) {
    const reading = await board.read(index === 0 ? offBoard : [], signal);
    await contents.keep(reading.whole, signal);
    const whole = new Set(reading.whole.map(({ id }) => id));
    await contents.refresh(
      reading.heads.filter(({ id }) => !whole.has(id) && reading.view.placements.has(id)),
      signal,
    );
    for (const [node, placement] of reading.view.placements) {
      if (!placements.has(node)) placements.set(node, placement);
      items.set(placement.item, node);
    }
    for (const [item, { placement, refusal }] of reading.view.refused) {
      const node = known.nodeOfItem(item);
      if (node === undefined) unknown.push(refusal.message);
      else {
        contents.refuse(node, refusal.message, refusal.code);
        if (!placements.has(node)) placements.set(node, placement);
        items.set(item, node);
      }
    }
    for (const node of reading.blocked) blocked.add(node);
    for (const [node, closed] of reading.offBoard) reported.set(node, closed);
    boardFields.push(reading.view.fields);
    redacted += reading.view.redacted;
    unknown.push(...reading.view.malformed);
  }
  contents.retain(new Set(placements.keys()));
  const listed = [...placements].flatMap(([node, placement]): ListedIssue[] => {
    const content = contents.of(node);
    return content === undefined ? [] : [{ content, placement }];
  });
  known.learn(
    listed.map(({ content }) => ({ reference: content.reference, node: content.answer.id })),
    context.repositories(),
  );
  known.learnItems(items);
  context.setBoardNotes({ boards: boardFields, redacted, refused: [...unknown, ...contents.missing()] });
  await authors.learn(
    listed.map(({ content }) => content.answer),
    signal,
  );
  const blockersByNode = await readBlockers(context, listed, blocked, reported, signal);
  return listed.flatMap(({ content, placement }) => {
    const id = known.idOf(content.reference);
    if (id === undefined) return [];
    const blockers = blockersByNode.get(content.answer.id) ?? NO_BLOCKERS;
    return [describeIssue(context, { id, content, placement, blockers })];
  });
}

/**
 * Returns the blockers of each waiting issue, keyed by the issue's node id. An issue that has ended
 * waits for no blockers.
 */
async function readBlockers(
  { columns, dependencies, states }: GithubTrackerContext,
  listed: readonly ListedIssue[],
  blocked: ReadonlySet<string>,
  reported: ReadonlyMap<string, boolean>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, IssueBlockers>> {
  const ended = new Map(
    listed.map(({ content, placement }) => [
      toIssueReferenceKey(content.reference),
      hasEnded(toIssuePosition(content.answer, placement), columns()),
    ]),
  );
  const waiting = listed.filter(({ content }) => ended.get(toIssueReferenceKey(content.reference)) === false);
  const native = waiting
    .map(({ content }) => content)
    .filter(({ answer }) => blocked.has(answer.id) || dependencies.isExpected(answer.id));
  dependencies.retain(new Set(native.map(({ answer }) => answer.id)));
  await dependencies.learn(native, signal);
  const wanted = waiting.map(({ content }) => ({
    node: content.answer.id,
    references: listDistinctReferences([...content.named, ...dependencies.of(content.answer.id)]),
  }));
  const externalReferences = listDistinctReferences(wanted.flatMap(({ references }) => references)).filter(
    (reference) => !ended.has(toIssueReferenceKey(reference)),
  );
  const { open, unreadable } = await states.open(externalReferences, reported, signal);
  const isOpen = (reference: IssueReference) => {
    const key = toIssueReferenceKey(reference);
    return ended.has(key) ? ended.get(key) === false : open.has(key);
  };
  return new Map(
    wanted.map(({ node, references }) => {
      const dependencyProblem = dependencies.problemOf(node);
      return [node, collectBlockers(references, { isOpen, unreadable, dependencyProblem })];
    }),
  );
}
