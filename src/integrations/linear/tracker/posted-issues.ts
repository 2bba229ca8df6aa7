/**
 * Reads the issues in a posted response of Linear's API (`identifier`, `state`) or its MCP server
 * (`id`, `status`).
 */
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { createRejectionFault, decode } from '../../../core/model/decode.ts';
import { fail, ok, type Result } from '../../../core/model/fault.ts';
import { toPlainLine, toStorableText } from '../../../core/model/format.ts';
import type { IssuePriority } from '../../../core/model/issue.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import type { PostedIssue, PostedIssues } from '../../../ports/tracker.ts';
import { toLabelNames } from '../../tracker-support/issue-input.ts';
import { STATE_TYPES } from '../client/teams.ts';
import { hasEnded, resolveColumn } from './column.ts';
import {
  findIdentifier,
  findIssues,
  IDENTIFIER,
  type IdentifierSource,
  resolveIdentifier,
} from './find-posted-issues.ts';

/**
 * Rejects each malformed issue with its path and reads the others. Fails if no issue is usable.
 * Sends no request, so fields that were not posted are omitted. Skips archived and trashed issues;
 * of duplicates, the last one wins.
 */
export function parsePostedIssues(posted: unknown, names: ColumnNames): Result<PostedIssues> {
  const entries = findIssues(posted);
  if (!entries.ok) return entries;
  const issues = new Map<string, PostedIssue>();
  const rejected = [...entries.value.rejected];
  let usable = 0;
  for (const { value, path } of entries.value.found) {
    const read = decode(postedIssue, value, path);
    if (!read.ok) rejected.push({ path, id: findIdentifier(value), message: read.fault.message });
    else {
      usable += 1;
      const issue = toPostedIssue(read.value, names);
      if (isOnBoard(read.value)) issues.set(issue.id, issue);
    }
  }
  return usable === 0 && rejected.length > 0
    ? fail(createRejectionFault(rejected))
    : ok({ issues: [...issues.values()], rejected });
}

function isOnBoard({ archivedAt, trashed }: PostedAnswer): boolean {
  return (archivedAt ?? undefined) === undefined && trashed !== true;
}

function toPostedIssue(answer: PostedAnswer, names: ColumnNames): PostedIssue {
  const { identifier, id, title, description, priority, createdAt, project, attachments } = answer;
  const state = { name: toPlainLine(answer.state.name), type: answer.state.type ?? answer.statusType ?? '' };
  const uuid = isUuid(id ?? '') ? id : undefined;
  const blockers = hasEnded(state, names) ? [] : listOpenBlockers(answer, names);
  const parent = answer.parent?.identifier ?? answer.parentId;
  return {
    id: identifier,
    title: toPlainLine(title),
    column: resolveColumn(state, names),
    labels: toLabelNames(answer.labels.map((name) => ({ name }))),
    ...(description !== undefined && { body: toStorableText(description ?? '') }),
    ...(priority !== undefined && { priority: priority ?? 0 }),
    ...toOptionalProperty('createdAt', createdAt),
    ...toOptionalProperty('parent', parent),
    ...toOptionalProperty('project', project && toPlainLine(project)),
    ...toOptionalProperty('links', attachments?.map(toPlainLine).toSorted()),
    ...toOptionalProperty('openBlockers', blockers),
    ...(uuid !== undefined && uuid !== null && { source: { kind: 'linear', uuid, identifier } as const }),
  };
}

/**
 * Returns undefined if blockers were not posted. A blocker without a posted state counts as open,
 * so that no worker starts too early.
 */
function listOpenBlockers(answer: PostedAnswer, names: ColumnNames): readonly string[] | undefined {
  const { inverseRelations, relations, blockedBy } = answer;
  const blocking = inverseRelations?.filter(({ type }) => type === 'blocks').map(({ issue }) => issue);
  const lists = [blocking, relations?.blockedBy, blockedBy].filter(
    (list) => (list ?? undefined) !== undefined,
  );
  if (lists.length === 0) return undefined;
  const open = lists
    .flatMap((list) => list ?? [])
    .filter(
      ({ state }) => state === undefined || !hasEnded({ name: state.name, type: state.type ?? '' }, names),
    );
  return [...new Set(open.map(({ identifier }) => identifier))].toSorted();
}

function toOptionalProperty<K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === undefined || value === null ? {} : ({ [key]: value } as Record<K, V>);
}

/**
 * Maximum length of an address or of the name of a label, state or project. Linear's own limits are
 * far lower.
 */
const MAX_NAME_CHARACTERS = 2_000;

/** Maximum number of labels, relations or attachments of one issue. */
const MAX_LIST_ENTRIES = 1_000;

const name = z.string().max(MAX_NAME_CHARACTERS);

/**
 * Selects the schema by the shape of the value, because one value may be a text, an object with a
 * name, a list, or a list in `nodes`. A Zod union would only report that no option fits; this
 * reports the exact error for the intended shape. Build the schemas once, outside `choose`, because
 * building one costs more than parsing an issue.
 */
function defineByForm<T>(choose: (value: unknown) => z.ZodType<T>) {
  return z.unknown().transform((value, context): T => {
    const read = choose(value).safeParse(value);
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });
}

const withName = z.object({ name }).transform((parsed) => parsed.name);

/** Accepts `"bug"` and `{"name": "bug"}`. */
const named = defineByForm<string>((value) => (typeof value === 'string' ? name : withName));

/** Accepts `[…]` and `{"nodes": […]}`. */
function defineListSchema<T>(item: z.ZodType<T>) {
  const list = z.array(item).max(MAX_LIST_ENTRIES);
  const withNodes = z.object({ nodes: list }).transform(({ nodes }) => nodes);
  return defineByForm<T[]>((value) => (isObject(value) ? withNodes : list));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Maximum length of a title. Linear's own limit is lower, so a value with a longer title is not an
 * issue.
 */
const MAX_TITLE_CHARACTERS = 2_000;

const MAX_DESCRIPTION_CHARACTERS = 500_000;

/** State type. A type that Linear adds later is treated as open. */
const stateType = z.enum(STATE_TYPES).nullish().catch(undefined);

interface PostedState {
  readonly name: string;
  readonly type?: string | null | undefined;
}

const stateName = name.transform((text): PostedState => ({ name: text }));

const wholeState: z.ZodType<PostedState> = z.object({ name, type: stateType });

/** Accepts `"Todo"` and `{"name": "Todo", "type": "unstarted"}`. */
const state = defineByForm<PostedState>((value) => (typeof value === 'string' ? stateName : wholeState));

const PRIORITIES: ReadonlyMap<string, IssuePriority> = new Map<string, IssuePriority>([
  ['no priority', 0],
  ['none', 0],
  ['urgent', 1],
  ['high', 2],
  ['medium', 3],
  ['normal', 3],
  ['low', 4],
]);

const priorityNumber = z.literal([0, 1, 2, 3, 4]);

const priorityValue = z.object({ value: priorityNumber }).transform((parsed) => parsed.value);

const priorityName = z.string().transform((text, context): IssuePriority => {
  const number = PRIORITIES.get(text.trim().toLowerCase());
  if (number === undefined) context.addIssue('is not a Linear priority');
  return number ?? 0;
});

/** Accepts `2`, `{"value": 2, "name": "High"}` and `"High"`. */
const priority = defineByForm<IssuePriority>((value) => {
  if (isObject(value)) return priorityValue;
  return typeof value === 'string' ? priorityName : priorityNumber;
});

const identityFields = { id: name.nullish(), identifier: name.nullish(), url: name.nullish() };

interface PostedIssueReference {
  readonly identifier: string;
  readonly state?: PostedState | undefined;
}

const otherName = name.transform(
  (text, context): PostedIssueReference => ({
    identifier: validateIdentifier({ identifier: text }, context),
  }),
);

const wholeOther = z
  .object({ ...identityFields, state: state.optional(), status: state.optional() })
  .transform(
    (parsed, context): PostedIssueReference => ({
      identifier: validateIdentifier(parsed, context),
      state: parsed.state ?? parsed.status,
    }),
  );

/** Another issue. Accepts `"ENG-3"` and `{"identifier": "ENG-3", "state": {…}}`. */
const other = defineByForm<PostedIssueReference>((value) =>
  typeof value === 'string' ? otherName : wholeOther,
);

/** The API lists relations in creation order, while the MCP server groups them by meaning. */
const grouped = z.object({ blockedBy: defineListSchema(other).nullish() });

const ungrouped = defineListSchema(z.object({ type: name.optional() })).transform(() => ({
  blockedBy: undefined,
}));

const withAddress = z.object({ url: name }).transform(({ url }) => url);

const address = defineByForm<string>((value) => (isObject(value) ? withAddress : name));

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const postedIssue = z
  .object({
    ...identityFields,
    title: z.string().max(MAX_TITLE_CHARACTERS),
    description: z.string().max(MAX_DESCRIPTION_CHARACTERS).nullish(),
    state: state.optional(),
    status: state.optional(),
    statusType: stateType,
    labels: defineListSchema(named),
    priority: priority.nullish(),
    createdAt: time.nullish(),
    archivedAt: name.nullish(),
    trashed: z.boolean().nullish(),
    parent: other.nullish(),
    parentId: name.nullish(),
    project: named.nullish(),
    attachments: defineListSchema(address).nullish(),
    /** Relations that point at this issue, which include its blockers. */
    inverseRelations: defineListSchema(z.object({ type: name, issue: other })).nullish(),
    relations: defineByForm((value) =>
      isObject(value) && !('nodes' in value) ? grouped : ungrouped,
    ).nullish(),
    blockedBy: defineListSchema(other).nullish(),
  })
  .transform((parsed, context) => {
    const present = parsed.state ?? parsed.status;
    if (present === undefined) context.addIssue(createMissingIssue('state', parsed));
    return { ...parsed, identifier: validateIdentifier(parsed, context), state: present ?? { name: '' } };
  });

type PostedAnswer = z.output<typeof postedIssue>;

function validateIdentifier(parsed: IdentifierSource, context: z.core.$RefinementCtx): string {
  const identifier = resolveIdentifier(parsed);
  if (identifier === undefined) context.addIssue(createMissingIssue('identifier', parsed));
  else if (!IDENTIFIER.test(identifier))
    context.addIssue({
      code: 'custom',
      path: ['identifier'],
      input: identifier,
      message: 'is not an identifier such as ENG-21',
    });
  return identifier ?? '';
}

function createMissingIssue(key: string, input: object) {
  const code = { code: 'invalid_type', expected: 'string' } as const;
  return { ...code, path: [key], input };
}
