/** Linear's ids of the labels a team may use; those that are missing are made. */

import { LegionError } from '../../core/model/fault.ts';
import { labelLook } from '../../core/model/label.ts';
import { LABELS } from '../../domain/label.ts';
import type { LabelsNamedQuery } from '../../integrations/linear/generated/tracker.ts';
import { LABELS_NAMED } from '../../integrations/linear/tracker/documents.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { everyPage } from '../../lib/paginate.ts';
import type { LinearClient } from '../../linear/client.ts';
import { mutate } from './made-once.ts';
import { createLabels, inputsOf } from './write-documents.ts';

export interface TeamLabels {
  /** In the order of the names. */
  idsOf(names: readonly string[]): Promise<readonly string[]>;
  /** The ids may be wrong: somebody may have deleted a label and made it again. */
  forget(): void;
  /** What is wrong with how Legion's labels are set up. */
  troubles(): readonly string[];
}

/** `parent` is the group it is in. */
type FoundLabel = LabelsNamedQuery['issueLabels']['nodes'][number];

export function openTeamLabels(client: LinearClient, team: string): TeamLabels {
  const known = new Map<string, FoundLabel>();
  let exclusive: readonly string[] = [];

  /** All of Legion's at once, because they will all be needed. */
  async function look(names: readonly string[]): Promise<void> {
    const wanted = [...new Set([...names, ...LABELS].map(keyOf))];
    const filter = {
      and: [
        { or: wanted.map((name) => ({ name: { eqIgnoreCase: name } })) },
        { or: [{ team: { id: { eq: team } } }, { team: { null: true } }] },
      ],
    };
    const found = await everyPage(async (after) => {
      const how = { signal: NEVER_ABORTED };
      return (await client.query<LabelsNamedQuery>(LABELS_NAMED, { filter, after }, how)).issueLabels;
    });
    known.clear();
    // The team's own before the workspace's of the same name, and a label before a group, which no issue can have.
    for (const label of found.toSorted((a, b) => rank(a) - rank(b))) known.set(keyOf(label.name), label);
    exclusive = groupsIn([...known.values()]);
  }

  const missing = (names: readonly string[]) => [...new Set(names.filter((name) => !known.has(keyOf(name))))];

  return {
    async idsOf(names) {
      if (missing(names).length > 0) await look(names);
      if (missing(names).length > 0) {
        await make(client, team, missing(names));
        await look(names);
      }
      return names.map((name) => {
        const label = known.get(keyOf(name));
        if (label === undefined)
          throw new LegionError('linear.unavailable', `the label ${name} is gone again`);
        if (label.isGroup)
          throw new LegionError(
            'linear.refused',
            `${name} is a group of labels, which no issue can have; rename it`,
          );
        return label.id;
      });
    },
    forget: () => known.clear(),
    troubles: () => exclusive,
  };
}

/** Two that make them at once: one is told that a name is taken, and both find them when they look again. */
async function make(client: LinearClient, teamId: string, names: readonly string[]): Promise<void> {
  const inputs = names.map((name) => {
    const { color, description } = labelLook(name);
    return { teamId, name, color: `#${color}`, description };
  });
  try {
    await mutate(client, createLabels(names.length), inputsOf(inputs));
  } catch (error) {
    if (!(error instanceof LegionError && MAY_BE_THERE.includes(error.code))) throw error;
  }
}

/** No answer says whether; and a refusal may be because somebody else was faster. */
const MAY_BE_THERE: readonly string[] = ['linear.unavailable', 'linear.refused'];

/** Names of labels are the same however they are capitalised. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

function rank({ isGroup, team }: FoundLabel): number {
  return isGroup ? 0 : team === null ? 1 : 2;
}

/** A group without a type is exclusive, as Linear documents it. */
function groupsIn(labels: readonly FoundLabel[]): readonly string[] {
  const own = labels.filter(({ name }) => LABELS.some((label) => label === keyOf(name)));
  const exclusive = own.filter(({ parent }) => parent !== null && parent.groupType !== 'multiSelect');
  return [...Map.groupBy(exclusive, ({ parent }) => parent?.name ?? '')]
    .filter(([, members]) => members.length > 1)
    .map(([group, members]) => {
      const names = members.map(({ name }) => name).toSorted();
      return `${names.join(', ')} are in one group of labels, ${group}, of which an issue can have only one: take them out of it`;
    });
}
