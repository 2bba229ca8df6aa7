/** Resolves fields of boards: projects, their fields and options, their items and values. */
import { canAccessProject, canSeeNode } from '../../model/access.ts';
import type {
  DraftIssue,
  FieldValue,
  Project,
  ProjectField,
  ProjectItem,
  ProjectOption,
} from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolver, GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime, SchemaValue } from '../shape.ts';
import { toProjectPath } from './urls.ts';

const ANY_FIELD: Readonly<Record<string, GithubResolver>> = {
  id: (it: ProjectField) => it.id,
  databaseId: (it: ProjectField) => it.databaseId,
  name: (it: ProjectField) => it.name,
  dataType: (it: ProjectField) => it.dataType,
  project: (it: ProjectField) => it.project,
  createdAt: (it: ProjectField) => formatGithubTime(it.createdAt),
  updatedAt: (it: ProjectField) => formatGithubTime(it.updatedAt),
};

const ANY_VALUE: Readonly<Record<string, GithubResolver>> = {
  id: (it: FieldValue) => it.id,
  databaseId: (it: FieldValue) => it.databaseId,
  field: (it: FieldValue) => it.field,
  item: (it: FieldValue) => it.item,
  creator: (it: FieldValue) => it.creator,
  createdAt: (it: FieldValue) => formatGithubTime(it.createdAt),
  updatedAt: (it: FieldValue) => formatGithubTime(it.updatedAt),
};

export const PROJECT: GithubResolverTable = {
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
    url: (it: Project, _: unknown, { url }: GithubResolverContext) => `${url}${toProjectPath(it)}`,
    resourcePath: (it: Project) => toProjectPath(it),
    createdAt: (it: Project) => formatGithubTime(it.createdAt),
    updatedAt: (it: Project) => formatGithubTime(it.updatedAt),
    viewerCanUpdate: (it: Project, _: unknown, { token }: GithubResolverContext) =>
      canAccessProject(it, token, 'WRITE'),
    field: (it: Project, { name }: { name: string }) =>
      it.fields.find((field) => field.name === name) ?? null,
    fields: (it: Project, page: PageArguments) =>
      buildConnection('ProjectV2FieldConfigurationConnection', it.fields, page),
    items: (it: Project, page: PageArguments & { orderBy?: { direction: string } | null }) =>
      buildConnection(
        'ProjectV2ItemConnection',
        page.orderBy?.direction === 'DESC' ? it.items.toReversed() : it.items,
        page,
      ),
  },
  ProjectV2Field: ANY_FIELD,
  ProjectV2SingleSelectField: {
    ...ANY_FIELD,
    options: (it: ProjectField, { names }: { names?: string[] | null }) =>
      it.options.filter(({ name }) => names == null || names.includes(name)).map(toOptionValue),
  },
  ProjectV2Item: {
    id: (it: ProjectItem) => it.id,
    databaseId: (it: ProjectItem) => it.databaseId,
    fullDatabaseId: (it: ProjectItem) => String(it.databaseId),
    project: (it: ProjectItem) => it.project,
    creator: (it: ProjectItem) => it.creator,
    createdAt: (it: ProjectItem) => formatGithubTime(it.createdAt),
    updatedAt: (it: ProjectItem) => formatGithubTime(it.updatedAt),
    isArchived: (it: ProjectItem) => it.archived,
    // An item whose content the requester may not see is on the board, but redacted.
    type: (it: ProjectItem, _: unknown, { token }: GithubResolverContext) =>
      canSeeNode(it.content, token) ? TYPES[it.content.type] : 'REDACTED',
    content: (it: ProjectItem, _: unknown, { token }: GithubResolverContext) =>
      canSeeNode(it.content, token) ? it.content : null,
    fieldValueByName: (it: ProjectItem, { name }: { name: string }) =>
      it.values.find(({ field }) => field.name === name) ?? null,
    fieldValues: (it: ProjectItem, page: PageArguments) =>
      buildConnection('ProjectV2ItemFieldValueConnection', it.values, page),
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
    id: (it: DraftIssue) => it.id,
    title: (it: DraftIssue) => it.title,
    body: (it: DraftIssue) => it.body,
    bodyText: (it: DraftIssue) => it.body,
    creator: (it: DraftIssue) => it.creator,
    createdAt: (it: DraftIssue) => formatGithubTime(it.createdAt),
    updatedAt: (it: DraftIssue) => formatGithubTime(it.updatedAt),
  },
};

const TYPES = { Issue: 'ISSUE', PullRequest: 'PULL_REQUEST', DraftIssue: 'DRAFT_ISSUE' };

function toOptionValue(option: ProjectOption): SchemaValue {
  return new SchemaValue('ProjectV2SingleSelectFieldOption', { ...option });
}
