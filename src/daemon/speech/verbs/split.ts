/** `split`: sub-issues of this issue, made once for each revision. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { newIssueRecord } from '../../../core/state/state.ts';
import { isLabel } from '../../../domain/label.ts';
import type { VerbInput } from '../../../protocol/verb.ts';
import type { World } from '../../world.ts';
import { appendAs } from '../fence.ts';
import { inOrder } from '../order-of-parts.ts';
import type { Saying } from '../saying.ts';

type Part = VerbInput<'split'>['children'][number];

/**
 * All of them are made before the split is in the journal: killed in between, the same call again finds those that are
 * there by their keys and makes the rest. One split of an issue at a time, or two lists could share their keys.
 */
export const split: Saying<'split'> = async (world, who, { revision, children }) => {
  const { issue } = who;
  const { lastSplit, children: known } = world.ledger.swarm.issues.get(issue) ?? newIssueRecord(issue);
  if (revision === lastSplit) return answer(issue, known);
  if (revision !== lastSplit + 1) {
    const next = `the next one is ${lastSplit + 1}`;
    throw new LegionError(
      'input.invalid',
      `split.revision: ${issue} has been split ${lastSplit} times, ${next}`,
    );
  }
  refuseOwnLabels(children);
  const made = await makeAll(world, issue, revision, children);
  await appendAs(world, who, ({ record }) =>
    record.lastSplit + 1 === revision ? [{ type: 'split.made', issue, revision, children: [...made] }] : [],
  );
  for (const each of [issue, ...made]) world.wake(each);
  return answer(issue, made);
};

function answer(issue: IssueId, children: readonly IssueId[]) {
  return {
    children: [...children],
    says: `${issue} waits for ${children.join(', ')}. Report with \`legion worker done\`.`,
  };
}

/** A worker must not be able to approve, or to mark as tested, what it has just thought up. */
function refuseOwnLabels(children: readonly Part[]): void {
  children.forEach(({ labels }, index) => {
    const own = labels.find((label) => isLabel(label.toLowerCase()));
    if (own === undefined) return;
    throw new LegionError(
      'input.invalid',
      `split.children[${index}].labels: ${own} is a label of Legion’s own`,
    );
  });
}

async function makeAll(
  { tracker }: World,
  parent: IssueId,
  revision: number,
  children: readonly Part[],
): Promise<readonly IssueId[]> {
  const made = new Map<number, IssueId>();
  for (const index of inOrder(children)) {
    const part = children[index];
    if (part === undefined) continue;
    const { title, body, labels, priority, after } = part;
    const blockedBy = [...new Set(after)].flatMap((place) => made.get(place) ?? []);
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
