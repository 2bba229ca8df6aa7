/** Creates the states and labels that a team lacks, each once, however often it is asked for. */
import { LegionError } from '../core/model/fault.ts';
import { readTeams, type StateType, type Team } from '../integrations/linear/client/teams.ts';
import type { CreateLabelMutation, CreateStateMutation } from '../integrations/linear/generated/client.ts';
import type { LinearClient } from './client.ts';
import type { Missing, NewState } from './missing.ts';

export interface Creation {
  readonly client: LinearClient;
  /** The team's UUID. */
  readonly team: string;
  readonly missing: Pick<Missing, 'states' | 'labels'>;
  /** How a label looks; Linear chooses where nobody says. */
  readonly look?: (label: string) => { readonly color: string; readonly description: string };
  /** Called after each. */
  readonly told: (made: Made) => void;
  readonly signal: AbortSignal;
}

export interface Made {
  readonly kind: 'state' | 'label';
  readonly name: string;
  /** `found`: somebody else, or an earlier try of ours, has made it meanwhile. */
  readonly outcome: 'created' | 'found';
}

export async function createMissing(creation: Creation): Promise<void> {
  const { missing, told } = creation;
  let there = await present(creation);

  async function once(kind: Made['kind'], name: string, create: () => Promise<void>): Promise<void> {
    const isThere = () => there[kind].has(name.trim().toLowerCase());
    if (isThere()) return told({ kind, name, outcome: 'found' });
    try {
      await create();
    } catch (error) {
      if (!mayBeThere(error)) throw error;
      there = await present(creation);
      if (!isThere()) throw error;
      return told({ kind, name, outcome: 'found' });
    }
    told({ kind, name, outcome: 'created' });
  }

  // In the pipeline's order, so that a board that is stopped half-way still reads from left to right.
  for (const state of missing.states) await once('state', state.name, () => createState(creation, state));
  for (const label of missing.labels) await once('label', label, () => createLabel(creation, label));
}

/** Names are the same however they are capitalised. */
async function present({
  client,
  team,
  signal,
}: Creation): Promise<Record<Made['kind'], ReadonlySet<string>>> {
  const found = (await readTeams(client, signal)).find(({ id }) => id === team);
  if (found === undefined) throw new LegionError('linear.missing', `the account sees no team ${team}`);
  return { state: names(found.states), label: names(found.labels.filter(({ isGroup }) => !isGroup)) };
}

function names(list: Team['states'] | Team['labels']): ReadonlySet<string> {
  return new Set(list.map(({ name }) => name.trim().toLowerCase()));
}

/** No answer says whether it was made; and a refusal may be because somebody else was faster. */
function mayBeThere(error: unknown): boolean {
  return error instanceof LegionError && ['linear.unavailable', 'linear.refused'].includes(error.code);
}

/** Linear's own, as it colours what it makes itself. */
const COLOURS: Readonly<Record<StateType, string>> = {
  triage: '#fc7840',
  backlog: '#bec2c8',
  unstarted: '#e2e2e2',
  started: '#f2c94c',
  completed: '#5e6ad2',
  canceled: '#95a2b3',
  duplicate: '#95a2b3',
};

export const CREATE_STATE = `
mutation CreateState($input: WorkflowStateCreateInput!) { workflowStateCreate(input: $input) { success } }`;

async function createState(
  { client, team, signal }: Creation,
  { name, type, position }: NewState,
): Promise<void> {
  const input = { teamId: team, name, type, position, color: COLOURS[type] };
  const answer = await client.mutate<CreateStateMutation>(CREATE_STATE, { input }, { signal });
  insist(answer.workflowStateCreate, `the state ${name}`);
}

export const CREATE_LABEL = `
mutation CreateLabel($input: IssueLabelCreateInput!) { issueLabelCreate(input: $input) { success } }`;

/** Of the team, not of the workspace: other teams need not see them. */
async function createLabel({ client, team, signal, look }: Creation, name: string): Promise<void> {
  const looks = look?.(name);
  const input = {
    ...{ teamId: team, name },
    ...(looks && { color: `#${looks.color}`, description: looks.description }),
  };
  const answer = await client.mutate<CreateLabelMutation>(CREATE_LABEL, { input }, { signal });
  insist(answer.issueLabelCreate, `the label ${name}`);
}

function insist({ success }: { readonly success: boolean }, what: string): void {
  if (!success)
    throw new LegionError('linear.refused', `Linear would not create ${what}, and did not say why`);
}
