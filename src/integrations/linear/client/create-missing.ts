/** Computes which states and labels a team lacks, and creates them. Idempotent. */
import { LegionError } from '../../../core/model/fault.ts';
import { LABELS } from '../../../core/model/label.ts';
import { type ColumnNames, findColumn, STATUSES, type Status } from '../../../core/model/status.ts';
import type { CreateLabelMutation, CreateStateMutation } from '../generated/client.ts';
import type { LinearClient } from './client.ts';
import { type LinearTeam, readTeams, type StateType, type TeamLabel, type TeamState } from './teams.ts';

export interface CreateMissingOptions {
  readonly client: LinearClient;
  /** UUID of the team. */
  readonly team: string;
  readonly missing: Pick<MissingTeamParts, 'states' | 'labels'>;
  /** Returns a label's colour and description. If absent, Linear chooses them. */
  readonly labelStyle?: (label: string) => { readonly color: string; readonly description: string };
  /** Called after each creation. */
  readonly onResult: (result: CreateMissingResult) => void;
  readonly signal: AbortSignal;
}

export interface CreateMissingResult {
  readonly kind: 'state' | 'label';
  readonly name: string;
  /**
   * `found` means that another process or an earlier attempt has already created the state or
   * label.
   */
  readonly outcome: 'created' | 'found';
}

export async function createMissing(creation: CreateMissingOptions): Promise<void> {
  const { missing, onResult } = creation;
  let present = await readPresentNames(creation);

  async function createOnce(
    kind: CreateMissingResult['kind'],
    name: string,
    create: () => Promise<void>,
  ): Promise<void> {
    const isPresent = () => present[kind].has(name.trim().toLowerCase());
    if (isPresent()) return onResult({ kind, name, outcome: 'found' });
    try {
      await create();
    } catch (error) {
      if (!isPossiblyCreated(error)) throw error;
      present = await readPresentNames(creation);
      if (!isPresent()) throw error;
      return onResult({ kind, name, outcome: 'found' });
    }
    onResult({ kind, name, outcome: 'created' });
  }

  // Creates states in pipeline order, so that the columns are in order even after an interrupted
  // run.
  for (const state of missing.states)
    await createOnce('state', state.name, () => createState(creation, state));
  for (const label of missing.labels) await createOnce('label', label, () => createLabel(creation, label));
}

/** Names are case-insensitive. */
async function readPresentNames({
  client,
  team,
  signal,
}: CreateMissingOptions): Promise<Record<CreateMissingResult['kind'], ReadonlySet<string>>> {
  const match = (await readTeams(client, signal)).find(({ id }) => id === team);
  if (match === undefined) throw new LegionError('linear.missing', `The account cannot see team ${team}`);
  return { state: toNameSet(match.states), label: toNameSet(match.labels.filter(({ isGroup }) => !isGroup)) };
}

function toNameSet(list: LinearTeam['states'] | LinearTeam['labels']): ReadonlySet<string> {
  return new Set(list.map(({ name }) => name.trim().toLowerCase()));
}

/**
 * Returns whether the object may exist. Without a response it may have been created, and a refusal
 * may mean that another process created it first.
 */
function isPossiblyCreated(error: unknown): boolean {
  return error instanceof LegionError && ['linear.unavailable', 'linear.refused'].includes(error.code);
}

/** Linear's default colours. */
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
  { client, team, signal }: CreateMissingOptions,
  { name, type, position }: NewState,
): Promise<void> {
  const input = { teamId: team, name, type, position, color: COLOURS[type] };
  const answer = await client.mutate<CreateStateMutation>(CREATE_STATE, { input }, { signal });
  requireSuccess(answer.workflowStateCreate, `the state ${name}`);
}

export const CREATE_LABEL = `
mutation CreateLabel($input: IssueLabelCreateInput!) { issueLabelCreate(input: $input) { success } }`;

/** Creates a team label, because other teams need not see it. */
async function createLabel(
  { client, team, signal, labelStyle }: CreateMissingOptions,
  name: string,
): Promise<void> {
  const style = labelStyle?.(name);
  const input = {
    teamId: team,
    name,
    ...(style && { color: `#${style.color}`, description: style.description }),
  };
  const answer = await client.mutate<CreateLabelMutation>(CREATE_LABEL, { input }, { signal });
  requireSuccess(answer.issueLabelCreate, `the label ${name}`);
}

function requireSuccess({ success }: { readonly success: boolean }, description: string): void {
  if (!success)
    throw new LegionError('linear.refused', `Linear refused to create ${description} and gave no reason`);
}

export interface MissingTeamParts {
  /** States to create, in pipeline order. */
  readonly states: readonly NewState[];
  /** Existing states whose names must be mapped in the configuration. */
  readonly unsaid: readonly { readonly status: Status; readonly state: string }[];
  /**
   * States whose type contradicts their status: Linear would treat open issues as closed, or closed
   * issues as open.
   */
  readonly unfit: readonly { readonly status: Status; readonly state: string; readonly type: string }[];
  readonly labels: readonly string[];
  /**
   * Legion's labels that are in one exclusive group: adding one of them to an issue would remove
   * the others.
   */
  readonly exclusive: readonly { readonly group: string; readonly labels: readonly string[] }[];
}

export interface NewState {
  readonly status: Status;
  readonly name: string;
  readonly type: StateType;
  readonly position: number;
  /** Note for the operator. */
  readonly note?: string;
}

/** Linear state type for each status. */
const TYPES: Readonly<Record<Status, StateType>> = {
  // Only a team setting in Linear creates a state of type triage.
  Triage: 'backlog',
  Icebox: 'backlog',
  Backlog: 'backlog',
  Todo: 'unstarted',
  'In Progress': 'started',
  Testing: 'started',
  'Needs Review': 'started',
  Retro: 'started',
  Done: 'completed',
};

const CLOSED: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

const TRIAGE_NOTE = 'an ordinary state of type backlog; Linear’s own Triage is enabled in the team settings';

/**
 * Computes which states and labels a Linear team still needs in order to serve as Legion's board.
 * Pure.
 */
export function findMissingParts(
  team: Pick<LinearTeam, 'states' | 'labels'>,
  columns: ColumnNames,
): MissingTeamParts {
  const { states } = team;
  const names = states.map(({ name }) => name);
  const rows = STATUSES.map((status) => {
    const column = findColumn(status, names, columns);
    return { status, state: states.find(({ name }) => name === column) };
  });
  const triage = states.find(({ type }) => type === 'triage');
  const lacksTriage = rows.some(({ status, state }) => status === 'Triage' && state === undefined);
  const triageDefault =
    lacksTriage && triage !== undefined ? [{ status: 'Triage', state: triage.name } as const] : [];
  return {
    states: planNewStates(rows, states, columns).filter(
      ({ status }) => !triageDefault.some((each) => each.status === status),
    ),
    unsaid: triageDefault,
    unfit: rows.flatMap(({ status, state }) =>
      state !== undefined && !isFittingType(status, state.type)
        ? [{ status, state: state.name, type: state.type }]
        : [],
    ),
    ...inspectLabels(team.labels),
  };
}

/** Computes the new states one by one, because each is positioned relative to those before it. */
function planNewStates(
  rows: readonly StatusRow[],
  states: readonly TeamState[],
  columns: ColumnNames,
): readonly NewState[] {
  const placed = [...rows];
  const all: StatePosition[] = [...states];
  return rows.flatMap(({ status, state }, index) => {
    if (state !== undefined) return [];
    const type = TYPES[status];
    const position = computePosition(index, type, placed, all);
    placed[index] = { status, state: { type, position } };
    all.push({ type, position });
    // The first configured name is the one Legion writes.
    const newState = { status, name: columns[status]?.[0] ?? status, type, position };
    return [status === 'Triage' ? { ...newState, note: TRIAGE_NOTE } : newState];
  });
}

function isFittingType(status: Status, type: string): boolean {
  return status === 'Done' ? type === 'completed' : !CLOSED.has(type);
}

/**
 * Finds missing labels and exclusive groups. Label names are case-insensitive. A label group does
 * not count as a label, because an issue cannot have it.
 */
function inspectLabels(labels: readonly TeamLabel[]): Pick<MissingTeamParts, 'labels' | 'exclusive'> {
  const entries = LABELS.map((name) => ({
    name,
    label: labels.find((each) => !each.isGroup && each.name.toLowerCase() === name),
  }));
  const grouped = Map.groupBy(
    entries.filter(({ label }) => label?.group?.isExclusive === true),
    ({ label }) => label?.group?.name ?? '',
  );
  return {
    labels: entries.filter(({ label }) => label === undefined).map(({ name }) => name),
    exclusive: [...grouped]
      .filter(([, members]) => members.length > 1)
      .map(([group, members]) => ({ group, labels: members.map(({ name }) => name) })),
  };
}

/**
 * Position of a state among the states of its type, which keeps board columns in pipeline order.
 */
type StatePosition = Pick<TeamState, 'type' | 'position'>;

/** A status and its state. The state is undefined if it does not exist yet. */
interface StatusRow {
  readonly status: Status;
  readonly state: StatePosition | undefined;
}

/**
 * Returns a position right after the nearest previous status that has a state of this type. If
 * there is none, uses the position right before the nearest following one, or else the end.
 */
function computePosition(
  index: number,
  type: string,
  rows: readonly StatusRow[],
  states: readonly StatePosition[],
): number {
  const hasType = (row: StatusRow) => row.state?.type === type;
  const positions = states.filter((state) => state.type === type).map(({ position }) => position);
  const before = rows.slice(0, index).findLast(hasType)?.state?.position;
  const next = rows.slice(index + 1).find(hasType)?.state?.position;
  if (before !== undefined) return computeMidpoint(before, findNextAbove(positions, before));
  if (next !== undefined) return computeMidpoint(findNextBelow(positions, next), next);
  return positions.length === 0 ? 0 : Math.max(...positions) + 1;
}

/** Returns a position between two others. Linear accepts fractions. */
function computeMidpoint(low: number | undefined, high: number | undefined): number {
  if (low === undefined) return (high ?? 0) - 1;
  return high === undefined ? low + 1 : (low + high) / 2;
}

function findNextAbove(positions: readonly number[], min: number): number | undefined {
  return positions.filter((position) => position > min).toSorted((a, b) => a - b)[0];
}

function findNextBelow(positions: readonly number[], max: number): number | undefined {
  return positions.filter((position) => position < max).toSorted((a, b) => b - a)[0];
}
