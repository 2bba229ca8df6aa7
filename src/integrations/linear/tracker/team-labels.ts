/** Resolves label names to Linear's ids and creates missing labels. */

import { LegionError } from '../../../core/model/fault.ts';
import { getLabelStyle, LABELS } from '../../../core/model/label.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { collectPages } from '../../../lib/paginate.ts';
import type { LinearClient } from '../client/client.ts';
import type { LabelsNamedQuery } from '../generated/tracker.ts';
import { buildCreateLabelsDocument, LABELS_BY_NAME, toNumberedInputs } from './documents.ts';
import { runMutation } from './idempotent-create.ts';

export interface TeamLabels {
  /** Returns ids in the order of the names. */
  idsOf(names: readonly string[]): Promise<readonly string[]>;
  /** Clears the cache, because a label may have been deleted and created again. */
  forget(): void;
  /** Returns problems with the setup of Legion's labels. */
  problems(): readonly string[];
}

/** `parent` is the label's group. */
type FoundLabel = LabelsNamedQuery['issueLabels']['nodes'][number];

export function openTeamLabels(client: LinearClient, team: string): TeamLabels {
  const known = new Map<string, FoundLabel>();
  let exclusive: readonly string[] = [];

  /** Fetches all of Legion's labels at once, because all of them will be needed. */
  async function fetchIds(names: readonly string[]): Promise<void> {
    const wanted = [...new Set([...names, ...LABELS].map(toLabelKey))];
    const filter = {
      and: [
        { or: wanted.map((name) => ({ name: { eqIgnoreCase: name } })) },
        { or: [{ team: { id: { eq: team } } }, { team: { null: true } }] },
      ],
    };
    const labels = await collectPages(async (after) => {
      const callOptions = { signal: NEVER_ABORTED };
      return (await client.query<LabelsNamedQuery>(LABELS_BY_NAME, { filter, after }, callOptions))
        .issueLabels;
    });
    known.clear();
    // If several entries have the same name, the last one wins. A label takes precedence over a
    // group, which no issue can have, and a team label over a workspace label.
    for (const label of labels.toSorted((a, b) => computeLabelRank(a) - computeLabelRank(b)))
      known.set(toLabelKey(label.name), label);
    exclusive = describeExclusiveGroups([...known.values()]);
  }

  const listMissing = (names: readonly string[]) => [
    ...new Set(names.filter((name) => !known.has(toLabelKey(name)))),
  ];

  return {
    async idsOf(names) {
      if (listMissing(names).length > 0) await fetchIds(names);
      if (listMissing(names).length > 0) {
        await createMissingLabels(client, team, listMissing(names));
        await fetchIds(names);
      }
      return names.map((name) => {
        const label = known.get(toLabelKey(name));
        if (label === undefined)
          throw new LegionError(
            'linear.unavailable',
            `Someone deleted the label ${name} right after Legion created it`,
          );
        if (label.isGroup)
          throw new LegionError(
            'linear.refused',
            `${name} is a label group, which an issue cannot have. Rename the group`,
          );
        return label.id;
      });
    },
    forget: () => known.clear(),
    problems: () => exclusive,
  };
}

/**
 * Creates labels. If two processes create the same labels at once, one gets a name conflict, and
 * both find the labels on the next lookup.
 */
async function createMissingLabels(
  client: LinearClient,
  teamId: string,
  names: readonly string[],
): Promise<void> {
  const inputs = names.map((name) => {
    const { color, description } = getLabelStyle(name);
    return { teamId, name, color: `#${color}`, description };
  });
  try {
    await runMutation(client, buildCreateLabelsDocument(names.length), toNumberedInputs(inputs));
  } catch (error) {
    if (!(error instanceof LegionError && POSSIBLY_CREATED_CODES.includes(error.code))) throw error;
  }
}

/**
 * Faults after which the labels may exist: without a response they may have been created, and a
 * refusal may mean that another process created them first.
 */
const POSSIBLY_CREATED_CODES: readonly string[] = ['linear.unavailable', 'linear.refused'];

/** Label names are case-insensitive. */
function toLabelKey(name: string): string {
  return name.toLowerCase();
}

function computeLabelRank({ isGroup, team }: FoundLabel): number {
  return isGroup ? 0 : team === null ? 1 : 2;
}

/**
 * Reports exclusive groups that contain several of Legion's labels. Linear treats a group without a
 * type as exclusive.
 */
function describeExclusiveGroups(labels: readonly FoundLabel[]): readonly string[] {
  const own = labels.filter(({ name }) => LABELS.some((label) => label === toLabelKey(name)));
  const exclusive = own.filter(({ parent }) => parent !== null && parent.groupType !== 'multiSelect');
  return [...Map.groupBy(exclusive, ({ parent }) => parent?.name ?? '')]
    .filter(([, members]) => members.length > 1)
    .map(([group, members]) => {
      const names = members.map(({ name }) => name).toSorted();
      return `${names.join(', ')} are in the label group ${group}, of which an issue can have only one label. Remove them from the group`;
    });
}
