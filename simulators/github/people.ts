/**
 * Applies actions of people and administrators directly to the state, so they need no requests,
 * tokens or rate limit points.
 */
import type { GitFacts } from './git/facts.ts';
import { addAccount, addApp, addToken } from './model/accounts.ts';
import { addComment } from './model/comments.ts';
import { blockIssue, closeIssue, createIssue, editIssue, reopenIssue } from './model/issues.ts';
import { addLabels, createLabel, findLabel, removeLabels } from './model/labels.ts';
import { mergePullRequest } from './model/merging.ts';
import type { Account, Label, ProjectItem, Repository } from './model/nodes.ts';
import {
  addItem,
  archiveItem,
  createDraft,
  createProject,
  removeItem,
  requireField,
  requireOption,
  setValue,
} from './model/projects.ts';
import { closePullRequest, createPullRequest } from './model/pull-requests.ts';
import { updateRefs } from './model/refs.ts';
import { createRepository } from './model/repositories.ts';
import { addReview } from './model/reviews.ts';
import type { GithubWorld } from './model/world.ts';
import type { GithubPeople, NewIssue, ProjectName, RepoName } from './simulator.ts';

export function createPeople(world: GithubWorld, facts: GitFacts, folder: string): GithubPeople {
  const by = (login: string): Account => addAccount(world, login, 'User');
  return {
    user: (login) => void by(login),
    organization(login, members = []) {
      const organization = addAccount(world, login, 'Organization');
      for (const member of members) organization.members.add(by(member).login);
    },
    token: (login, scopes) => addToken(world, login, scopes),
    app: (app) => addApp(world, app),

    async repository(name, repository) {
      if (!world.accounts.has(name.split('/')[0]?.toLowerCase() ?? '')) by(name.split('/')[0] ?? '');
      await createRepository(world, folder, name, repository);
    },
    grant(name, login, permission) {
      by(login);
      world.grant(name, login, permission);
    },
    protect: (name, branch, protection) => world.protect(name, branch, protection),
    folder: (name) => world.repository(name).folder,

    project(owner, project) {
      if (!world.accounts.has(owner.toLowerCase())) by(owner);
      return createProject(world, world.account(owner), project).number;
    },
    issue: (name, issue) => openIssue(world, by(issue.author), name, issue),
    addToProject: (project, name, number, status) =>
      put(world, world.project(project).owner, project, name, number, status),
    addDraft(project, draft) {
      const board = world.project(project);
      const creator = by(draft.author);
      const item = addItem(world, creator, board, createDraft(world, creator, draft.title, draft.body ?? ''));
      if (draft.status !== undefined) set(world, creator, item, 'Status', draft.status);
    },
    removeFromProject(project, name, number) {
      const item = requireProjectItem(world, project, name, number);
      removeItem(world, item.project.owner, item);
    },
    archive(login, project, name, number, archived = true) {
      archiveItem(world, by(login), requireProjectItem(world, project, name, number), archived);
    },
    move: (login, project, name, number, status) =>
      set(world, by(login), requireProjectItem(world, project, name, number), 'Status', status),
    setField(project, name, number, field, option) {
      const item = requireProjectItem(world, project, name, number);
      set(world, item.project.owner, item, field, option);
    },
    label(login, name, number, { add = [], remove = [] }) {
      const thread = world.thread(name, number);
      addLabels(world, by(login), thread, ensureLabels(world, thread.repository, add));
      removeLabels(world, by(login), thread, ensureLabels(world, thread.repository, remove));
    },
    comment: (login, name, number, body) =>
      void addComment(world, by(login), world.thread(name, number), body),
    editIssue: (login, name, number, text) => editIssue(world, by(login), world.issue(name, number), text),
    closeIssue: (login, name, number) => closeIssue(world, by(login), world.issue(name, number)),
    reopenIssue: (login, name, number) => reopenIssue(world, by(login), world.issue(name, number)),
    block: (name, number, other) =>
      blockIssue(world, world.issue(name, number), world.issue(other.name, other.number)),

    async pullRequest(login, name, { head, title, body, draft = false }) {
      const repository = world.repository(name);
      updateRefs(world, repository, by(login));
      const base = repository.base;
      return (
        await createPullRequest(world, facts, by(login), repository, { head, base, title, body, draft })
      ).number;
    },
    async review(login, name, number, state, body = '') {
      updateRefs(world, world.repository(name));
      addReview(world, by(login), world.pullRequest(name, number), { state, body: body || state });
    },
    merge(login, name, number) {
      updateRefs(world, world.repository(name));
      return mergePullRequest(world, facts, by(login), world.pullRequest(name, number), { method: 'SQUASH' });
    },
    closePullRequest: (login, name, number) =>
      closePullRequest(world, by(login), world.pullRequest(name, number)),
  };
}

function openIssue(world: GithubWorld, author: Account, name: RepoName, wanted: NewIssue): number {
  const repository = world.repository(name);
  const { number } = createIssue(world, author, repository, {
    title: wanted.title,
    body: wanted.body ?? '',
    labels: ensureLabels(world, repository, wanted.labels ?? []),
    parent: wanted.parent === undefined ? undefined : world.issue(name, wanted.parent),
  });
  if (wanted.project !== undefined) put(world, author, wanted.project, name, number, wanted.status);
  return number;
}

function ensureLabels(world: GithubWorld, repository: Repository, names: readonly string[]): Label[] {
  return names.map((name) => findLabel(repository, name) ?? createLabel(world, repository, name));
}

function put(
  world: GithubWorld,
  by: Account,
  project: ProjectName,
  name: RepoName,
  number: number,
  status?: string,
): void {
  const item = addItem(world, by, world.project(project), world.thread(name, number));
  if (status !== undefined) set(world, by, item, 'Status', status);
}

function requireProjectItem(
  world: GithubWorld,
  project: ProjectName,
  name: RepoName,
  number: number,
): ProjectItem {
  const content = world.thread(name, number);
  const item = world.project(project).items.find((each) => each.content === content);
  if (item === undefined) throw new Error(`${name}#${number} is not on ${project}`);
  return item;
}

function set(
  world: GithubWorld,
  by: Account,
  item: ProjectItem,
  fieldName: string,
  optionName: string,
): void {
  const field = requireField(item.project, fieldName);
  setValue(world, by, item, field, { option: requireOption(field, optionName) });
}
