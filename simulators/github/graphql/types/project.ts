/** Fields of boards: projects, their fields and options, their items and the values of those. */
import { mayProject, maySee } from '../../model/access.ts';
import type { Draft, Field, FieldValue, Item, Option, Project } from '../../model/nodes.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Resolver, Table } from '../context.ts';
import { Shape, time } from '../shape.ts';
import { projectPath } from './urls.ts';

const ANY_FIELD: Readonly<Record<string, Resolver>> = {
  id: (it: Field) => it.id,
  databaseId: (it: Field) => it.databaseId,
  name: (it: Field) => it.name,
  dataType: (it: Field) => it.dataType,
  project: (it: Field) => it.project,
  createdAt: (it: Field) => time(it.createdAt),
  updatedAt: (it: Field) => time(it.updatedAt),
};

const ANY_VALUE: Readonly<Record<string, Resolver>> = {
  id: (it: FieldValue) => it.id,
  databaseId: (it: FieldValue) => it.databaseId,
  field: (it: FieldValue) => it.field,
  item: (it: FieldValue) => it.item,
  creator: (it: FieldValue) => it.creator,
  createdAt: (it: FieldValue) => time(it.createdAt),
  updatedAt: (it: FieldValue) => time(it.updatedAt),
};

export const PROJECT: Table = {
  ProjectV2: {
    id: (it: Project) => it.id,
    databaseId: (it: Project) => it.databaseId,
    fullDatabaseId: (it: Project) => String(it.databaseId),
    number: (it: Project) => it.number,
    title: (it: Project) => it.title,
    public: (it: Project) => it.public,
    closed: () => false,
    closedAt: () => null,
    owner: (it: Project) => it.owner,
    url: (it: Project, _: unknown, { url }: Context) => `${url}${projectPath(it)}`,
    resourcePath: (it: Project) => projectPath(it),
    createdAt: (it: Project) => time(it.createdAt),
    updatedAt: (it: Project) => time(it.updatedAt),
    viewerCanUpdate: (it: Project, _: unknown, { token }: Context) => mayProject(it, token, 'WRITE'),
    field: (it: Project, { name }: { name: string }) =>
      it.fields.find((field) => field.name === name) ?? null,
    fields: (it: Project, page: Page) => connection('ProjectV2FieldConfigurationConnection', it.fields, page),
    items: (it: Project, page: Page & { orderBy?: { direction: string } | null }) =>
      connection(
        'ProjectV2ItemConnection',
        page.orderBy?.direction === 'DESC' ? it.items.toReversed() : it.items,
        page,
      ),
  },
  ProjectV2Field: ANY_FIELD,
  ProjectV2SingleSelectField: {
    ...ANY_FIELD,
    options: (it: Field, { names }: { names?: string[] | null }) =>
      it.options.filter(({ name }) => names == null || names.includes(name)).map(optionShape),
  },
  ProjectV2Item: {
    id: (it: Item) => it.id,
    databaseId: (it: Item) => it.databaseId,
    fullDatabaseId: (it: Item) => String(it.databaseId),
    project: (it: Item) => it.project,
    creator: (it: Item) => it.creator,
    createdAt: (it: Item) => time(it.createdAt),
    updatedAt: (it: Item) => time(it.updatedAt),
    isArchived: (it: Item) => it.archived,
    // What the asker may not see is on the board, but without what it is.
    type: (it: Item, _: unknown, { token }: Context) =>
      maySee(it.content, token) ? TYPES[it.content.type] : 'REDACTED',
    content: (it: Item, _: unknown, { token }: Context) => (maySee(it.content, token) ? it.content : null),
    fieldValueByName: (it: Item, { name }: { name: string }) =>
      it.values.find(({ field }) => field.name === name) ?? null,
    fieldValues: (it: Item, page: Page) => connection('ProjectV2ItemFieldValueConnection', it.values, page),
  },
  ProjectV2ItemFieldSingleSelectValue: {
    ...ANY_VALUE,
    name: (it: FieldValue) => it.option?.name ?? null,
    optionId: (it: FieldValue) => it.option?.id ?? null,
    color: (it: FieldValue) => it.option?.color ?? 'GRAY',
    description: (it: FieldValue) => it.option?.description ?? null,
  },
  ProjectV2ItemFieldTextValue: { ...ANY_VALUE, text: (it: FieldValue) => it.text ?? null },
  DraftIssue: {
    id: (it: Draft) => it.id,
    title: (it: Draft) => it.title,
    body: (it: Draft) => it.body,
    bodyText: (it: Draft) => it.body,
    creator: (it: Draft) => it.creator,
    createdAt: (it: Draft) => time(it.createdAt),
    updatedAt: (it: Draft) => time(it.updatedAt),
  },
};

const TYPES = { Issue: 'ISSUE', PullRequest: 'PULL_REQUEST', DraftIssue: 'DRAFT_ISSUE' };

function optionShape(option: Option): Shape {
  return new Shape('ProjectV2SingleSelectFieldOption', { ...option });
}
