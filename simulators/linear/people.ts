/**
 * Applies actions of people and administrators directly to the workspace, so they need no requests,
 * keys or rate limits.
 */
import { randomBytes } from 'node:crypto';
import { archiveIssue, createIssue, deleteIssue, unarchiveIssue, updateIssue } from './model/issues.ts';
import { createLabel, findLabel } from './model/labels.ts';
import {
  type ExternalUser,
  formatIdentifier,
  type Issue,
  type IssueLabel,
  type Project,
  type Team,
  type User,
  type WorkflowState,
} from './model/nodes.ts';
import { addProject, addTeam, addUser, listTeamStates } from './model/teams.ts';
import { addAttachment, addComment, addRelation } from './model/threads.ts';
import type { LinearCredential, LinearWorld } from './model/world.ts';
import type { LinearPeople } from './simulator.ts';

export function createPeople(world: LinearWorld): LinearPeople {
  const user = (name: string): User => findUser(world, name) ?? addUser(world, name);
  const issue = (id: string): Issue => requireFound(world.issue(id), `issue ${id}`);
  const team = (key: string): Team => requireFound(world.team(key), `team ${key}`);
  return {
    user: (name, how) => (findUser(world, name) ?? addUser(world, name, how)).id,
    apiKey: (name, scopes) => createCredential(world, { user: user(name), scopes, kind: 'key' }),
    app(name, scopes) {
      const acting = addUser(world, name, { app: true });
      return { id: acting.id, accessToken: createCredential(world, { user: acting, scopes, kind: 'token' }) };
    },
    team: (wanted) => addTeam(world, wanted).id,
    join: (name, key) => void team(key).members.add(user(name)),
    label({ name, team: key, group }) {
      const own = key === undefined ? undefined : team(key);
      const parent =
        group === undefined
          ? undefined
          : (findLabel(world, group, own) ??
            createLabel(world, undefined, { name: group, team: own, isGroup: true }));
      return createLabel(world, undefined, { name, team: own, parent }).id;
    },
    project: (name, keys) => addProject(world, name, keys.map(team)).id,

    issue(key, wanted) {
      const own = team(key);
      const by = {
        user: wanted.creator === undefined ? undefined : user(wanted.creator),
        external:
          wanted.creator === undefined ? ensureExternalUser(world, wanted.external ?? 'somebody') : undefined,
      };
      const made = createIssue(world, by, own, {
        title: wanted.title,
        description: wanted.description,
        state: wanted.state === undefined ? undefined : requireState(world, own, wanted.state),
        labels: ensureLabels(world, own, wanted.labels ?? []),
        priority: wanted.priority,
        project: wanted.project === undefined ? undefined : requireProject(world, wanted.project),
        parent: wanted.parent === undefined ? undefined : issue(wanted.parent),
      });
      return formatIdentifier(made);
    },
    move: (name, id, state) =>
      updateIssue(world, user(name), issue(id), { state: requireState(world, issue(id).team, state) }),
    setLabels(name, id, { add = [], remove = [] }) {
      const own = issue(id).team;
      const labels = { add: ensureLabels(world, own, add), remove: ensureLabels(world, own, remove) };
      updateIssue(world, user(name), issue(id), { labels });
    },
    comment(name, id, body, parent) {
      const above =
        parent === undefined ? undefined : requireFound(world.byId('Comment', parent), `comment ${parent}`);
      return addComment(world, { user: user(name) }, issue(id), { body, parent: above }).id;
    },
    externalComment: (name, id, body) =>
      addComment(world, { external: ensureExternalUser(world, name) }, issue(id), { body }).id,
    edit: (name, id, text) => updateIssue(world, user(name), issue(id), text),
    assign: (name, id, assignee) =>
      updateIssue(world, user(name), issue(id), { assignee: assignee === null ? null : user(assignee) }),
    putIntoProject(name, id, project) {
      const target = project === null ? null : requireProject(world, project);
      updateIssue(world, user(name), issue(id), { project: target });
    },
    moveToTeam(name, id, key) {
      const moved = issue(id);
      updateIssue(world, user(name), moved, { team: team(key) });
      return formatIdentifier(moved);
    },
    archive: (name, id) => archiveIssue(world, user(name), issue(id), false),
    unarchive: (name, id) => unarchiveIssue(world, user(name), issue(id)),
    trash: (name, id) => archiveIssue(world, user(name), issue(id), true),
    delete: (id) => deleteIssue(world, undefined, issue(id)),
    block: (id, by) => addRelation(world, issue(by), issue(id), { kind: 'blocks' }).id,
    unblock: (id) => world.remove(requireFound(world.byId('IssueRelation', id), `relation ${id}`)),
    attach: (id, { url, title = url }) => void addAttachment(world, undefined, issue(id), { url, title }),

    renameState(key, from, to) {
      const state = requireState(world, team(key), from);
      state.name = to;
      state.updatedAt = world.now();
    },
  };
}

/** Length of a secret in bytes, the same as in Linear's own keys. */
const SECRET_BYTES = 20;

function createCredential(world: LinearWorld, credential: LinearCredential): string {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const value = credential.kind === 'key' ? `lin_api_${secret}` : `lin_oauth_${secret}`;
  world.credentials.set(value, credential);
  return value;
}

function requireFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Unknown ${what}.`);
  return value;
}

function findUser(world: LinearWorld, name: string): User | undefined {
  return world.all('User').find((each) => each.name === name);
}

function ensureExternalUser(world: LinearWorld, name: string): ExternalUser {
  const known = world.all('ExternalUser').find((each) => each.name === name);
  return known ?? world.add({ ...world.identity('ExternalUser'), node: 'ExternalUser', name });
}

function requireState(world: LinearWorld, team: Team, name: string): WorkflowState {
  const state = listTeamStates(world, team).find((each) => each.name === name);
  return requireFound(state, `state ${name} in ${team.key}`);
}

/** Creates missing labels for the team. */
function ensureLabels(world: LinearWorld, team: Team, names: readonly string[]): IssueLabel[] {
  return names.map((name) => findLabel(world, name, team) ?? createLabel(world, undefined, { name, team }));
}

/** Accepts a name or a UUID. */
function requireProject(world: LinearWorld, name: string): Project {
  const project = world.byId('Project', name) ?? world.all('Project').find((each) => each.name === name);
  return requireFound(project, `project ${name}`);
}
