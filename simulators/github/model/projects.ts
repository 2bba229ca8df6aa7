/** Boards: projects with their fields and options, the items on them and the values those have. */

import type { NewProject } from '../simulator.ts';
import { unprocessable } from './fault.ts';
import type {
  Account,
  Draft,
  Field,
  FieldValue,
  Issue,
  Item,
  Option,
  Project,
  PullRequest,
} from './nodes.ts';
import type { World } from './world.ts';

/** A new project's own. */
const STATUSES = ['Todo', 'In Progress', 'Done'];

export function createProject(world: World, owner: Account, wanted: NewProject = {}): Project {
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
  world: World,
  project: Project,
  name: string,
  dataType: string,
  options: readonly NewOption[],
): Field {
  if (project.fields.some((field) => field.name === name)) throw unprocessable('Name has already been taken');
  const select = dataType === 'SINGLE_SELECT';
  const identity = world.identity(select ? 'PVTSSF' : 'PVTF');
  const field = world.add<Field>({
    ...identity,
    type: select ? 'ProjectV2SingleSelectField' : 'ProjectV2Field',
    project,
    name,
    dataType,
    options: newOptions(world, options),
    updatedAt: identity.createdAt,
  });
  project.fields.push(field);
  return field;
}

/** The options given take the place of all others: each gets a new id, and every value of an old one is gone. */
export function replaceOptions(world: World, field: Field, options: readonly NewOption[]): void {
  field.options = newOptions(world, options);
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

function newOptions(world: World, options: readonly NewOption[]): Option[] {
  if (new Set(options.map(({ name }) => name)).size < options.length) {
    throw unprocessable('Single select options must be unique');
  }
  return options.map(({ name, color = 'GRAY', description = '' }) => ({
    // GitHub's are eight hexadecimal digits.
    id: (world.identity('O').databaseId + 0xa000_0000).toString(16),
    name,
    color,
    description,
  }));
}

/** Adding what is there already gives the item that is there. */
export function addItem(
  world: World,
  by: Account,
  project: Project,
  content: Issue | PullRequest | Draft,
): Item {
  const known = project.items.find((item) => item.content === content);
  if (known !== undefined) return known;
  const identity = world.identity('PVTI');
  const item = world.add<Item>({
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

export function removeItem(world: World, by: Account, item: Item): void {
  item.project.items.splice(item.project.items.indexOf(item), 1);
  world.nodes.delete(item.id);
  item.project.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: 'deleted', by, item });
}

export function archiveItem(world: World, by: Account, item: Item, archived: boolean): void {
  item.archived = archived;
  item.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: archived ? 'archived' : 'restored', by, item });
}

/** Writing the value that is there already changes its time too, as on GitHub. */
export function setValue(
  world: World,
  by: Account,
  item: Item,
  field: Field,
  value: { readonly option?: Option; readonly text?: string },
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

export function clearValue(world: World, by: Account, item: Item, field: Field): void {
  const at = item.values.findIndex((value) => value.field === field);
  if (at >= 0) item.values.splice(at, 1);
  item.updatedAt = world.now();
  world.changed({ event: 'projects_v2_item', action: 'edited', by, item, field: field.name });
}

export function createDraft(world: World, creator: Account, title: string, body: string): Draft {
  const identity = world.identity('DI');
  return world.add<Draft>({
    ...identity,
    type: 'DraftIssue',
    creator,
    title,
    body,
    updatedAt: identity.createdAt,
  });
}

export function fieldNamed(project: Project, name: string): Field {
  const field = project.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`the project has no field ${name}`);
  return field;
}

export function optionNamed(field: Field, name: string): Option {
  const option = field.options.find((each) => each.name === name);
  if (option === undefined) throw new Error(`the field ${field.name} has no option ${name}`);
  return option;
}
