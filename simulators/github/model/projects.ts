/** Manages boards: projects with their fields and options, their items and the items' values. */

import type { NewProject } from '../simulator.ts';
import { toUnprocessable } from './fault.ts';
import type {
  Account,
  DraftIssue,
  FieldValue,
  Issue,
  Project,
  ProjectField,
  ProjectItem,
  ProjectOption,
  PullRequest,
} from './nodes.ts';
import type { GithubWorld } from './world.ts';

/** Statuses of a new project. */
const STATUSES = ['Todo', 'In Progress', 'Done'];

export function createProject(world: GithubWorld, owner: Account, wanted: NewProject = {}): Project {
  const number =
    Math.max(0, ...world.projects.filter((each) => each.owner === owner).map((each) => each.number)) + 1;
  const identity = world.identity('PVT');
  const project = world.add<Project>({
    ...identity,
    type: 'ProjectV2',
    owner,
    number,
    title: wanted.title ?? `${owner.login}'s untitled project`,
    public: wanted.public ?? false,
    fields: [],
    items: [],
    updatedAt: identity.createdAt,
  });
  world.projects.push(project);
  for (const [name, dataType] of [
    ['Title', 'TITLE'],
    ['Assignees', 'ASSIGNEES'],
  ] as const) {
    addField(world, project, name, dataType, []);
  }
  const selects = { Status: wanted.statuses ?? STATUSES, ...wanted.fields };
  for (const [name, options] of Object.entries(selects)) {
    addField(
      world,
      project,
      name,
      'SINGLE_SELECT',
      options.map((option) => ({ name: option })),
    );
  }
  return project;
}

export function addField(
  world: GithubWorld,
  project: Project,
  name: string,
  dataType: string,
  options: readonly NewOption[],
): ProjectField {
  if (project.fields.some((field) => field.name === name))
    throw toUnprocessable('Name has already been taken');
  const select = dataType === 'SINGLE_SELECT';
  const identity = world.identity(select ? 'PVTSSF' : 'PVTF');
  const field = world.add<ProjectField>({
    ...identity,
    type: select ? 'ProjectV2SingleSelectField' : 'ProjectV2Field',
    project,
    name,
    dataType,
    options: createOptions(world, options),
    updatedAt: identity.createdAt,
  });
  project.fields.push(field);
  return field;
}

/** Replaces all options: each gets a new id, and values that used an old one are cleared. */
export function replaceOptions(world: GithubWorld, field: ProjectField, options: readonly NewOption[]): void {
  field.options = createOptions(world, options);
  field.updatedAt = world.now();
  for (const item of field.project.items) {
    const at = item.values.findIndex((value) => value.field === field);
    if (at < 0) continue;
    item.values.splice(at, 1);
    item.updatedAt = world.now();
  }
}

export interface NewOption {
  readonly name: string;
  readonly color?: string;
  readonly description?: string;
}

function createOptions(world: GithubWorld, options: readonly NewOption[]): ProjectOption[] {
  if (new Set(options.map(({ name }) => name)).size < options.length) {
    throw toUnprocessable('Single select options must be unique');
  }
  return options.map(({ name, color = 'GRAY', description = '' }) => ({
    // GitHub's option ids have eight hexadecimal digits.
    id: (world.identity('O').databaseId + 0xa000_0000).toString(16),
    name,
    color,
    description,
  }));
}

/** Adding an item that is already on the board returns the existing one. */
export function addItem(
  world: GithubWorld,
  by: Account,
  project: Project,
  content: Issue | PullRequest | DraftIssue,
): ProjectItem {
  const known = project.items.find((item) => item.content === content);
  if (known !== undefined) return known;
  const identity = world.identity('PVTI');
  const item = world.add<ProjectItem>({
    ...identity,
    type: 'ProjectV2Item',
    project,
    content,
    creator: by,
    values: [],
    archived: false,
    updatedAt: identity.createdAt,
  });
  project.items.push(item);
  project.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: 'created', by, item });
  return item;
}

export function removeItem(world: GithubWorld, by: Account, item: ProjectItem): void {
  item.project.items.splice(item.project.items.indexOf(item), 1);
  world.nodes.delete(item.id);
  item.project.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: 'deleted', by, item });
}

export function archiveItem(world: GithubWorld, by: Account, item: ProjectItem, archived: boolean): void {
  item.archived = archived;
  item.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: archived ? 'archived' : 'restored', by, item });
}

/** Writing an unchanged value also updates its time, as on GitHub. */
export function setValue(
  world: GithubWorld,
  by: Account,
  item: ProjectItem,
  field: ProjectField,
  value: { readonly option?: ProjectOption; readonly text?: string },
): void {
  const known = item.values.find((each) => each.field === field);
  if (known === undefined) {
    const select = value.option !== undefined;
    const identity = world.identity('PVTFSV');
    item.values.push(
      world.add<FieldValue>({
        ...identity,
        type: select ? 'ProjectV2ItemFieldSingleSelectValue' : 'ProjectV2ItemFieldTextValue',
        item,
        field,
        creator: by,
        option: value.option,
        text: value.text,
        updatedAt: identity.createdAt,
      }),
    );
  } else {
    known.option = value.option;
    known.text = value.text;
    known.updatedAt = world.now();
  }
  item.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: 'edited', by, item, field: field.name });
}

export function clearValue(world: GithubWorld, by: Account, item: ProjectItem, field: ProjectField): void {
  const at = item.values.findIndex((value) => value.field === field);
  if (at >= 0) item.values.splice(at, 1);
  item.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: 'edited', by, item, field: field.name });
}

export function createDraft(world: GithubWorld, creator: Account, title: string, body: string): DraftIssue {
  const identity = world.identity('DI');
  return world.add<DraftIssue>({
    ...identity,
    type: 'DraftIssue',
    creator,
    title,
    body,
    updatedAt: identity.createdAt,
  });
}

export function requireField(project: Project, name: string): ProjectField {
  const field = project.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`the project has no field ${name}`);
  return field;
}

export function requireOption(field: ProjectField, name: string): ProjectOption {
  const option = field.options.find((each) => each.name === name);
  if (option === undefined) throw new Error(`the field ${field.name} has no option ${name}`);
  return option;
}
