/**
 * Sets up a simulated Linear for `legion demo`: a team with Legion's own states, and the API key of
 * a person in it.
 */
import { STATUSES, type Status } from '../../src/core/model/status.ts';
import type { LinearSimulator, StateType } from './simulator.ts';

export const DEMO_TEAM = 'DEMO';

export interface DemoSeed {
  /** UUID of the team. */
  readonly team: string;
  /** API key of ada. */
  readonly key: string;
}

export function seedDemo({ people }: LinearSimulator): DemoSeed {
  people.user('ada');
  const team = people.team({ key: DEMO_TEAM, name: 'Stockroom', states: buildDemoStates(STATUSES) });
  return { team, key: people.apiKey('ada') };
}

const TYPES: Readonly<Record<Status, StateType>> = {
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

/** Returns states with these names, plus the two final states that every Linear team has. */
export function buildDemoStates(
  names: readonly string[],
): { readonly name: string; readonly type: StateType }[] {
  const ends = [
    { name: 'Canceled', type: 'canceled' },
    { name: 'Duplicate', type: 'duplicate' },
  ] as const;
  const own = names.map((name) => ({ name, type: getStateType(name) }));
  return [...own, ...ends.filter((end) => !names.includes(end.name))];
}

/** Treats every name that Legion does not use as work in progress. */
function getStateType(name: string): StateType {
  if (Object.hasOwn(TYPES, name)) return TYPES[name as Status];
  if (name === 'Canceled') return 'canceled';
  return name === 'Duplicate' ? 'duplicate' : 'started';
}
