/** Manages users, teams and their states. */
import type { NewTeam, StateType } from '../simulator.ts';
import type { Project, Team, User, WorkflowState } from './nodes.ts';
import { toInvalidInput } from './refusal.ts';
import type { LinearWorld } from './world.ts';

/** States of a new team in Linear. */
const STATES: readonly { readonly name: string; readonly type: StateType }[] = [
  { name: 'Backlog', type: 'backlog' },
  { name: 'Todo', type: 'unstarted' },
  { name: 'In Progress', type: 'started' },
  { name: 'In Review', type: 'started' },
  { name: 'Done', type: 'completed' },
  { name: 'Canceled', type: 'canceled' },
  { name: 'Duplicate', type: 'duplicate' },
];
/** State types that a client may create. Linear itself creates the others, once per team. */
const MAKEABLE: readonly string[] = ['backlog', 'unstarted', 'started', 'completed', 'canceled'];
/** Linear numbers a team's states with gaps between them. */
const STEP = 1000;
const GREY = '#bec2c8';

export function addUser(
  world: LinearWorld,
  name: string,
  { guest = false, active = true, app = false }: { guest?: boolean; active?: boolean; app?: boolean } = {},
): User {
  const user: User = {
    ...world.identity('User'),
    node: 'User',
    name,
    email: `${name.toLowerCase().replaceAll(/\s+/g, '.')}@example.com`,
    guest,
    app,
    active,
  };
  for (const team of world.all('Team')) if (!team.private && !guest) team.members.add(user);
  return world.add(user);
}

export function addTeam(
  world: LinearWorld,
  { key, name, states = STATES, triage = false, private: closed = false }: NewTeam,
): Team {
  if (world.team(key) !== undefined) throw new Error(`The team ${key} already exists.`);
  const members = closed ? [] : world.all('User').filter(({ guest }) => !guest);
  const team = world.add<Team>({
    ...world.identity('Team'),
    node: 'Team',
    key,
    name,
    private: closed,
    members: new Set(members),
    lastNumber: 0,
  });
  const all = triage ? [{ name: 'Triage', type: 'triage' as const }, ...states] : states;
  for (const { name: state, type } of all) addState(world, team, state, type);
  return team;
}

/** Returns the states by position, as a board shows them. */
export function listTeamStates(world: LinearWorld, team: Team): WorkflowState[] {
  return world
    .all('WorkflowState')
    .filter((state) => state.team === team)
    .sort((a, b) => a.position - b.position);
}

export interface NewState {
  readonly id?: string | null;
  readonly name: string;
  readonly type: string;
  readonly color?: string;
  readonly description?: string | null;
  readonly position?: number | null;
}

/** Creates a state for a client by Linear's rules. */
export function createState(world: LinearWorld, team: Team, wanted: NewState): WorkflowState {
  if (!MAKEABLE.includes(wanted.type)) throw toInvalidInput(`type must be one of ${MAKEABLE.join(', ')}`);
  if (wanted.name.trim() === '') throw toInvalidInput('name must not be empty');
  if (listTeamStates(world, team).some(({ name }) => name.toLowerCase() === wanted.name.toLowerCase())) {
    throw toInvalidInput(`A workflow state with the name "${wanted.name}" already exists in this team`);
  }
  return addState(world, team, wanted.name, wanted.type as StateType, wanted);
}

function addState(
  world: LinearWorld,
  team: Team,
  name: string,
  kind: StateType,
  { id, color = GREY, description, position }: Partial<NewState> = {},
): WorkflowState {
  const last = listTeamStates(world, team).at(-1)?.position ?? -STEP;
  return world.add({
    ...world.identity('WorkflowState', id),
    node: 'WorkflowState',
    team,
    name,
    kind,
    color,
    description: description ?? undefined,
    position: position ?? last + STEP,
  });
}

export function addProject(world: LinearWorld, name: string, teams: readonly Team[]): Project {
  return world.add({ ...world.identity('Project'), node: 'Project', name, teams });
}
