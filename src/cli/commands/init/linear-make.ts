/** Makes in Linear what a team lacks, as far as somebody has agreed to it. */

import { LegionError } from '../../../core/model/fault.ts';
import { labelLook } from '../../../core/model/label.ts';
import type { Team } from '../../../integrations/linear/client/teams.ts';
import type { LinearClient } from '../../../linear/client.ts';
import { createMissing } from '../../../linear/create-missing.ts';
import type { Missing } from '../../../linear/missing.ts';
import type { CommandContext } from '../../command.ts';
import { withProgress } from '../../present/progress.ts';
import { askMakeLabels } from './board-ask.ts';
import type { Made } from './board-page.ts';
import { askMakeStates } from './linear-ask.ts';

export interface Wish {
  readonly client: LinearClient;
  readonly team: Team;
  readonly missing: Missing;
  /** By option. */
  readonly create: boolean;
  /** A person is at the terminal and answers. */
  readonly asks: boolean;
}

/** Without a person's word, by option or answer, nothing is made. */
export async function makeMissing(wish: Wish, context: CommandContext): Promise<Made> {
  const { missing, create, asks } = wish;
  const wants = async (is: boolean, ask: () => Promise<boolean>) => is && (create || (asks && (await ask())));
  const names = missing.states.map(({ name }) => name);
  const labels = (await wants(missing.labels.length > 0, () => askMakeLabels(missing.labels.length, context)))
    ? missing.labels
    : [];
  const states = (await wants(names.length > 0, () => askMakeStates(names, context))) ? missing.states : [];
  if (states.length + labels.length > 0) await made(wish, { states, labels }, context);
  return { statuses: states.map(({ status }) => status), labels: labels.length, items: 0 };
}

async function made(
  { client, team }: Wish,
  missing: Pick<Missing, 'states' | 'labels'>,
  context: CommandContext,
): Promise<void> {
  const count = missing.states.length + missing.labels.length;
  let done = 0;
  const told = () => {
    done += 1;
  };
  try {
    await withProgress(
      context,
      () => `making states and labels: ${done} of ${count}`,
      () => createMissing({ client, team: team.id, missing, look: labelLook, told, signal: context.signal }),
    );
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    const says = `${error.message}\n${done} of ${count} states and labels are there, legion.yaml is as it was: run the same command again to go on.`;
    throw new LegionError(error.code, says, { cause: error });
  }
}
