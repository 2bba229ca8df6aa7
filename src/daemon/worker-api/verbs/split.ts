/** `split`: creates sub-issues of this issue, once per revision. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { isLabel } from '../../../core/model/label.ts';
import { createIssueRecord } from '../../../core/state/state.ts';
import type { VerbInput } from '../../../protocol/verb.ts';
import type { PortContext } from '../../context/daemon-context.ts';
import { appendAs } from '../attempt-guard.ts';
import type { VerbHandler } from '../verb-handler.ts';

type SplitPart = VerbInput<'split'>['children'][number];

/**
 * Creates all sub-issues before it journals the split. If the daemon is killed in between,
 * repeating the call finds the existing sub-issues by their keys and creates the rest. Splits of
 * one issue run one after another, because two lists could otherwise use the same keys.
 */
export const handleSplit: VerbHandler<'split'> = async (context, who, { revision, children }) => {
  const { issue } = who;
  const { lastSplit, children: known } = context.ledger.state.issues.get(issue) ?? createIssueRecord(issue);
  if (revision === lastSplit) return answerSplit(issue, known);
  if (revision !== lastSplit + 1) {
    const next = `the next revision is ${lastSplit + 1}`;
    throw new LegionError(
      'input.invalid',
      `split.revision: ${issue} has been split ${lastSplit} times; ${next}`,
    );
  }
  refuseOwnLabels(children);
  const made = await createChildren(context, issue, revision, children);
  await appendAs(context, who, ({ record }) =>
    record.lastSplit + 1 === revision ? [{ type: 'split.made', issue, revision, children: [...made] }] : [],
  );
  for (const each of [issue, ...made]) context.wake(each);
  return answerSplit(issue, made);
};

function answerSplit(issue: IssueId, children: readonly IssueId[]) {
  return {
    children: [...children],
    says: `${issue} is now waiting for ${children.join(', ')}. Report with \`legion worker done\`.`,
  };
}

/** A worker must not be able to approve, or mark as tested, issues that it has just created. */
function refuseOwnLabels(children: readonly SplitPart[]): void {
  children.forEach(({ labels }, index) => {
    const own = labels.find((label) => isLabel(label.toLowerCase()));
    if (own === undefined) return;
    throw new LegionError('input.invalid', `split.children[${index}].labels: ${own} is reserved for Legion`);
  });
}

async function createChildren(
  { tracker }: PortContext,
  parent: IssueId,
  revision: number,
  children: readonly SplitPart[],
): Promise<readonly IssueId[]> {
  const made = new Map<number, IssueId>();
  for (const index of sortByDependencies(children)) {
    const part = children[index];
    if (part === undefined) continue;
    const { title, body, labels, priority, after } = part;
    const blockedBy = [...new Set(after)].flatMap((earlier) => made.get(earlier) ?? []);
    const key = `${parent}:split:${revision}:${index}`;
    const wanted = {
      title,
      body,
      status: 'Backlog',
      labels: [...new Set(labels)],
      priority,
      blockedBy,
      parent,
    } as const;
    made.set(index, await tracker.create(key, wanted));
  }
  return children.flatMap((_, index) => made.get(index) ?? []);
}

interface OrderedPart {
  readonly after: readonly number[];
}

/**
 * Orders sub-issues so that each is created after those it waits for. Returns indexes into `parts`.
 * Throws if an index does not exist or the order has a cycle.
 */
export function sortByDependencies(parts: readonly OrderedPart[]): readonly number[] {
  refuseUnknown(parts);
  const order = new Set<number>();
  while (order.size < parts.length) {
    const ready = parts.flatMap(({ after }, index) =>
      !order.has(index) && after.every((other) => order.has(other)) ? [index] : [],
    );
    if (ready.length === 0)
      throw createCircularError(parts.flatMap((_, index) => (order.has(index) ? [] : [index])));
    for (const index of ready) order.add(index);
  }
  return [...order];
}

function refuseUnknown(parts: readonly OrderedPart[]): void {
  parts.forEach(({ after }, index) => {
    const unknown = after.find((other) => parts[other] === undefined);
    if (unknown === undefined) return;
    throw new LegionError(
      'input.invalid',
      `split.children[${index}].after: sub-issue ${unknown} does not exist`,
    );
  });
}

function createCircularError(indexes: readonly number[]): LegionError {
  return new LegionError(
    'input.invalid',
    `split.children: sub-issues ${indexes.join(', ')} wait for each other`,
  );
}
