/** What people and administrators do, straight to the workspace: no request, no key, no points. */
import { randomBytes } from 'node:crypto';
import { archiveIssue, createIssue, deleteIssue, unarchiveIssue, updateIssue } from './model/issues.ts';
import { createLabel, labelNamed } from './model/labels.ts';
import {
  type ExternalUser,
  type Issue,
  type IssueLabel,
  identifierOf,
  type Project,
  type Team,
  type User,
  type WorkflowState,
} from './model/nodes.ts';
import { addProject, addTeam, addUser, statesOf } from './model/teams.ts';
import { addComment, attach, relate } from './model/threads.ts';
import type { Credential, World } from './model/world.ts';
import type { People } from './simulator.ts';

export function peopleOf(world: World): People {
  const user = (name: string): User => userNamed(world, name) ?? addUser(world, name);
  const issue = (id: string): Issue => found(world.issue(id), `issue ${id}`);
  const team = (key: string): Team => found(world.team(key), `team ${key}`);
  return {
    user: (name, how) => (userNamed(world, name) ?? addUser(world, name, how)).id,
    apiKey: (name, scopes) => grant(world, { user: user(name), scopes, kind: 'key' }),
    app(name, scopes) {
      const acting = addUser(world, name, { app: true });
      return { id: acting.id, accessToken: grant(world, { user: acting, scopes, kind: 'token' }) };
    },
    team: (wanted) => addTeam(world, wanted).id,
    join: (name, key) => void team(key).members.add(user(name)),
    label({ name, team: key, group }) {
      const own = key === undefined ? undefined : team(key);
      const parent =
        group === undefined
          ? undefined
          : (labelNamed(world, group, own) ??
            createLabel(world, undefined, { name: group, team: own, isGroup: true }));
      return createLabel(world, undefined, { name, team: own, parent }).id;
    },
    project: (name, keys) => addProject(world, name, keys.map(team)).id,

    issue(key, wanted) {
      const own = team(key);
      const by = {
        user: wanted.creator === undefined ? undefined : user(wanted.creator),
        external:
          wanted.creator === undefined ? externalNamed(world, wanted.external ?? 'somebody') : undefined,
      };
      const made = createIssue(world, by, own, {
        title: wanted.title,
        description: wanted.description,
        state: wanted.state === undefined ? undefined : stateNamed(world, own, wanted.state),
        labels: labelsNamed(world, own, wanted.labels ?? []),
        priority: wanted.priority,
        project: wanted.project === undefined ? undefined : projectNamed(world, wanted.project),
        parent: wanted.parent === undefined ? undefined : issue(wanted.parent),
      });
      return identifierOf(made);
    },
    move: (name, id, state) =>
      updateIssue(world, user(name), issue(id), { state: stateNamed(world, issue(id).team, state) }),
    setLabels(name, id, { add = [], remove = [] }) {
      const own = issue(id).team;
      const labels = { add: labelsNamed(world, own, add), remove: labelsNamed(world, own, remove) };
      updateIssue(world, user(name), issue(id), { labels });
    },
    comment(name, id, body, parent) {
      const above =
        parent === undefined ? undefined : found(world.byId('Comment', parent), `comment ${parent}`);
      return addComment(world, { user: user(name) }, issue(id), { body, parent: above }).id;
    },
    externalComment: (name, id, body) =>
      addComment(world, { external: externalNamed(world, name) }, issue(id), { body }).id,
    edit: (name, id, text) => updateIssue(world, user(name), issue(id), text),
    assign: (name, id, assignee) =>
      updateIssue(world, user(name), issue(id), { assignee: assignee === null ? null : user(assignee) }),
    putIntoProject(name, id, project) {
      const target = project === null ? null : projectNamed(world, project);
      updateIssue(world, user(name), issue(id), { project: target });
    },
    moveToTeam(name, id, key) {
      const moved = issue(id);
      updateIssue(world, user(name), moved, { team: team(key) });
      return identifierOf(moved);
    },
    archive: (name, id) => archiveIssue(world, user(name), issue(id), false),
    unarchive: (name, id) => unarchiveIssue(world, user(name), issue(id)),
    trash: (name, id) => archiveIssue(world, user(name), issue(id), true),
    delete: (id) => deleteIssue(world, undefined, issue(id)),
    block: (id, by) => relate(world, issue(by), issue(id), { kind: 'blocks' }).id,
    unblock: (id) => world.remove(found(world.byId('IssueRelation', id), `relation ${id}`)),
    attach: (id, { url, title = url }) => void attach(world, undefined, issue(id), { url, title }),

    renameState(key, from, to) {
      const state = stateNamed(world, team(key), from);
      state.name = to;
      state.updatedAt = world.now();
    },
  };
}

/** As long as Linear's own. */
const SECRET_BYTES = 20;

function grant(world: World, credential: Credential): string {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const value = credential.kind === 'key' ? `lin_api_${secret}` : `lin_oauth_${secret}`;
  world.credentials.set(value, credential);
  return value;
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

function userNamed(world: World, name: string): User | undefined {
  return world.all('User').find((each) => each.name === name);
}

function externalNamed(world: World, name: string): ExternalUser {
  const known = world.all('ExternalUser').find((each) => each.name === name);
  return known ?? world.add({ ...world.identity('ExternalUser'), node: 'ExternalUser', name });
}

function stateNamed(world: World, team: Team, name: string): WorkflowState {
  const state = statesOf(world, team).find((each) => each.name === name);
  return found(state, `state ${name} in ${team.key}`);
}

/** One that is not there is made, for the team. */
function labelsNamed(world: World, team: Team, names: readonly string[]): IssueLabel[] {
  return names.map((name) => labelNamed(world, name, team) ?? createLabel(world, undefined, { name, team }));
}

/** By its name or its UUID. */
function projectNamed(world: World, name: string): Project {
  const project = world.byId('Project', name) ?? world.all('Project').find((each) => each.name === name);
  return found(project, `project ${name}`);
}
