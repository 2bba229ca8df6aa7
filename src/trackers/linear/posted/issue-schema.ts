/** One issue as Linear's API has it (`identifier`, `state`) or its MCP server (`id`, `status`): what is read of it. */
import { z } from 'zod';
import type { Priority } from '../../../domain/issue.ts';
import { STATE_TYPES } from '../../../integrations/linear/client/teams.ts';
import { byForm, isObject, listOf, name, named } from './forms.ts';
import { IDENTIFIER, identifierOf, type NamedPlace } from './identifier.ts';

/** Linear's own limits are lower; what is longer is no issue. */
const TITLE_MOST = 2_000;
const DESCRIPTION_MOST = 500_000;

/** Of states. One that Linear adds one day is none of those that end an issue. */
const stateType = z.enum(STATE_TYPES).nullish().catch(undefined);

interface State {
  readonly name: string;
  readonly type?: string | null | undefined;
}
const stateName = name.transform((text): State => ({ name: text }));
const wholeState: z.ZodType<State> = z.object({ name, type: stateType });

/** As in `"Todo"` and `{"name": "Todo", "type": "unstarted"}`. */
const state = byForm<State>((value) => (typeof value === 'string' ? stateName : wholeState));

const PRIORITIES: ReadonlyMap<string, Priority> = new Map<string, Priority>([
  ['no priority', 0],
  ['none', 0],
  ['urgent', 1],
  ['high', 2],
  ['medium', 3],
  ['normal', 3],
  ['low', 4],
]);
const priorityNumber = z.literal([0, 1, 2, 3, 4]);

const priorityValue = z.object({ value: priorityNumber }).transform((given) => given.value);
const priorityName = z.string().transform((text, context): Priority => {
  const number = PRIORITIES.get(text.trim().toLowerCase());
  if (number === undefined) context.addIssue('is no priority of Linear');
  return number ?? 0;
});

/** As in `2`, `{"value": 2, "name": "High"}` and `"High"`. */
const priority = byForm<Priority>((value) => {
  if (isObject(value)) return priorityValue;
  return typeof value === 'string' ? priorityName : priorityNumber;
});

const place = { id: name.nullish(), identifier: name.nullish(), url: name.nullish() };

interface Other {
  readonly identifier: string;
  readonly state?: State | undefined;
}
const otherName = name.transform(
  (text, context): Other => ({
    identifier: identified({ identifier: text }, context),
  }),
);
const wholeOther = z.object({ ...place, state: state.optional(), status: state.optional() }).transform(
  (given, context): Other => ({
    identifier: identified(given, context),
    state: given.state ?? given.status,
  }),
);

/** Another issue: as in `"ENG-3"` and `{"identifier": "ENG-3", "state": {…}}`. */
const other = byForm<Other>((value) => (typeof value === 'string' ? otherName : wholeOther));

/** The API lists relations as they were made; the MCP server sorts them by what they mean. */
const sorted = z.object({ blockedBy: listOf(other).nullish() });
const asMade = listOf(z.object({ type: name.optional() })).transform(() => ({ blockedBy: undefined }));

const withAddress = z.object({ url: name }).transform(({ url }) => url);
const address = byForm<string>((value) => (isObject(value) ? withAddress : name));

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const postedIssue = z
  .object({
    ...place,
    title: z.string().max(TITLE_MOST),
    description: z.string().max(DESCRIPTION_MOST).nullish(),
    state: state.optional(),
    status: state.optional(),
    statusType: stateType,
    labels: listOf(named),
    priority: priority.nullish(),
    createdAt: time.nullish(),
    archivedAt: name.nullish(),
    trashed: z.boolean().nullish(),
    parent: other.nullish(),
    parentId: name.nullish(),
    project: named.nullish(),
    attachments: listOf(address).nullish(),
    /** Those that this one waits for are at the other end of theirs. */
    inverseRelations: listOf(z.object({ type: name, issue: other })).nullish(),
    relations: byForm((value) => (isObject(value) && !('nodes' in value) ? sorted : asMade)).nullish(),
    blockedBy: listOf(other).nullish(),
  })
  .transform((given, context) => {
    const present = given.state ?? given.status;
    if (present === undefined) context.addIssue(missing('state', given));
    return { ...given, identifier: identified(given, context), state: present ?? { name: '' } };
  });
export type PostedAnswer = z.output<typeof postedIssue>;

function identified(given: NamedPlace, context: z.core.$RefinementCtx): string {
  const identifier = identifierOf(given);
  if (identifier === undefined) context.addIssue(missing('identifier', given));
  else if (!IDENTIFIER.test(identifier))
    context.addIssue({
      code: 'custom',
      path: ['identifier'],
      input: identifier,
      message: 'is no identifier such as ENG-21',
    });
  return identifier ?? '';
}

function missing(key: string, input: object) {
  const code = { code: 'invalid_type', expected: 'string' } as const;
  return { ...code, path: [key], input };
}
