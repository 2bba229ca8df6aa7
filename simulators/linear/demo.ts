/** A Linear that `legion demo` can be played on: a team with Legion's own states, and the key of a person in it. */
import { STATUSES, type Status } from '../../src/core/model/status.ts';
import type { LinearSimulator, StateType } from './simulator.ts';

export const DEMO_TEAM = 'DEMO';

export interface DemoSeed {
  /** UUID of the team. */
  readonly team: string;
  /** Of ada. */
  readonly key: string;
}

export function seedDemo({ people }: LinearSimulator): DemoSeed {
  people.user('ada');
  const team = people.team({ key: DEMO_TEAM, name: 'Stockroom', states: statesOf(STATUSES) });
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

/** States of these names, and the two ends that every team of Linear has. */
export function statesOf(names: readonly string[]): { readonly name: string; readonly type: StateType }[] {
  const ends = [
    { name: 'Canceled', type: 'canceled' },
    { name: 'Duplicate', type: 'duplicate' },
  ] as const;
  const own = names.map((name) => ({ name, type: typeOf(name) }));
  return [...own, ...ends.filter((end) => !names.includes(end.name))];
}

/** Of a name that is none of Legion's, nothing is known but that work is going on. */
function typeOf(name: string): StateType {
  if (Object.hasOwn(TYPES, name)) return TYPES[name as Status];
  if (name === 'Canceled') return 'canceled';
  return name === 'Duplicate' ? 'duplicate' : 'started';
}
