/** Checks that every name that Legion declares has a producer and a consumer in the source tree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { repositorySchema } from '../../src/config/repository/schema.ts';
import { listKeys } from '../../src/config/schema/section.ts';
import { commandSchema } from '../../src/core/model/command.ts';
import { EVENT_TYPES } from '../../src/core/model/event.ts';
import { LIFECYCLE_STATES } from '../../src/core/model/lifecycle.ts';
import { listFields } from './openapi-fields.ts';
import { parseModule, type SourceModule } from './source-module.ts';
import { readSourceTree } from './source-tree.ts';
import {
  findLiterals,
  findMadeTags,
  findMembers,
  findOptionNames,
  findReadNames,
  findTestedTags,
  findWrittenNames,
} from './usage.ts';

const ROOT = join(import.meta.dirname, '../..');
const ALL = ['src', 'web'].flatMap((folder) => [...readSourceTree(ROOT, folder)].flatMap(parseIfScript));
const SRC = within(/^src\//);

/** Event types that a later feature will produce. The journal can already read them. */
const PLANNED_EVENTS = ['message.set_aside'];

/**
 * Fields that only programs read. The CLI prints them with `--json`; its text output gives the same
 * information in a sentence.
 */
const FIELDS_FOR_PROGRAMS = [
  'blockedQuestion',
  'crashCount',
  'endsAt',
  'forced',
  'hasLiveWorker',
  'hasUserFeedback',
  'held',
  'intervalMs',
  'isPresent',
  'merging',
  'prIsDraft',
  'prLabels',
  'readAt',
  'rejected',
  'reverts',
  'unpricedTokens',
];

/**
 * Fields that no code reads by name. Legion compares, stores or describes the whole object, or
 * recognises the object's kind by these fields.
 */
const FIELDS_USED_WHOLE = [
  'blockedBy',
  'decided',
  'durable',
  'graceEndsAt',
  'stoppedWorkers',
  'testSuiteResults',
  'tests',
];

const SCHEMAS = /^src\/config\/(?:legion|repository)\/(?:schema|board|work)\.ts$/;

function parseIfScript([path, text]: [string, string]): SourceModule[] {
  return /\.tsx?$/.test(path) ? [parseModule(path, text)] : [];
}

function within(folder: RegExp): readonly SourceModule[] {
  return ALL.filter(({ path }) => folder.test(path));
}

function missingFrom(names: Iterable<string>, used: ReadonlySet<string>): string[] {
  return [...new Set(names)].filter((name) => !used.has(name)).sort();
}

const camelCase = (key: string) => key.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());

test("every event type is written somewhere and handled by the state's reducer", () => {
  expect(missingFrom(EVENT_TYPES, findMadeTags(SRC, 'type'))).toEqual(PLANNED_EVENTS);
  expect(missingFrom(EVENT_TYPES, findTestedTags(within(/^src\/core\/state\//), 'type'))).toEqual([]);
});

test('every command kind is requested and executed', () => {
  const kinds = commandSchema.options.map(({ shape }) => shape.kind.value);
  expect(missingFrom(kinds, findMadeTags(SRC, 'kind'))).toEqual([]);
  expect(missingFrom(kinds, findTestedTags(within(/^src\/daemon\/commands\//), 'kind'))).toEqual([]);
});

test('every evidence source is collected by the daemon and used in a verdict', () => {
  const sources = findMembers(within(/^src\/core\/health\/evidence\.ts$/), 'HealthEvidence');
  expect(sources.length).toBeGreaterThan(10);
  expect(missingFrom(sources, findWrittenNames(within(/^src\/daemon\//)))).toEqual([]);
  expect(missingFrom(sources, findReadNames(within(/^src\/core\/health\//)))).toEqual([]);
});

test('every worker state is derived from recorded facts and handled somewhere', () => {
  expect(missingFrom(LIFECYCLE_STATES, findLiterals(within(/^src\/core\/model\/lifecycle\.ts$/)))).toEqual(
    [],
  );
  const elsewhere = SRC.filter(({ path }) => path !== 'src/core/model/lifecycle.ts');
  expect(missingFrom(LIFECYCLE_STATES, findLiterals(elsewhere))).toEqual([]);
});

test.each([
  ['legion.yaml', legionSchema],
  ['.legion/config.yml', repositorySchema],
] as const)('every key of %s is read outside its schema', (_, schema) => {
  const reads = findReadNames(SRC.filter(({ path }) => !SCHEMAS.test(path)));
  const parts = [...listKeys(schema)].flatMap(({ key }) => key.replaceAll('[]', '').split('.'));
  const names = parts.filter((part) => !part.startsWith('<'));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !reads.has(name) && !reads.has(camelCase(name)))).toEqual([]);
});

test('every option of the command line is read', () => {
  const cli = within(/^src\/cli\//);
  const options = findOptionNames(cli).map(camelCase);
  expect(options.length).toBeGreaterThan(30);
  // Tables map some options to configuration keys; commander handles `--help` itself.
  const used = new Set([...findReadNames(cli), ...findWrittenNames(cli)]);
  expect(missingFrom(options, used)).toEqual(['help']);
});

test('every field of the HTTP API is written on one side and read on the other', () => {
  const openapi = readFileSync(join(ROOT, 'test/http/__snapshots__/openapi.json'), 'utf8');
  const { requests, responses } = listFields(JSON.parse(openapi));
  const server = within(/^src\/(daemon|http|core|protocol)\//);
  const client = within(/^(src\/(cli|worker-client|agents|demo|protocol)|web)\//);
  expect(missingFrom(requests, findWrittenNames(client))).toEqual([]);
  expect(missingFrom(responses, findWrittenNames(server))).toEqual([]);
  const unread = [
    ...missingFrom(requests, findReadNames(server)),
    ...missingFrom(responses, findReadNames(client)),
  ];
  expect(unread.sort()).toEqual([...FIELDS_FOR_PROGRAMS, ...FIELDS_USED_WHOLE].sort());
});

test('reports a declared name that has no producer or no consumer', () => {
  const planted = [
    parseModule(
      'src/planted.ts',
      `export interface Planted { readonly read: number; readonly unread: number }
       declare const command: { option(flags: string): void };
       command.option('-r, --read-me <TEXT>'); command.option('--no-colour');
       const isGood = Math.random() > 1;
       export const made = { type: isGood ? 'one' : 'two', written: 1 };
       export function act(event: { type: string; readMe: string }) {
         switch (event.type) { case 'one': return event.readMe; default: return 'literal'; }
       }`,
    ),
  ];
  expect([...findMadeTags(planted, 'type')]).toEqual(['one', 'two']);
  expect([...findTestedTags(planted, 'type')]).toEqual(['one']);
  expect(findMembers(planted, 'Planted')).toEqual(['read', 'unread']);
  expect(findOptionNames(planted)).toEqual(['read-me', 'colour']);
  expect(findReadNames(planted).has('readMe')).toBe(true);
  expect(findReadNames(planted).has('unread')).toBe(false);
  expect(findWrittenNames(planted).has('written')).toBe(true);
  expect(findLiterals(planted).has('literal')).toBe(true);
});
