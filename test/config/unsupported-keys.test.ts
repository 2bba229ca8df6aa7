/**
 * Tests that keys that are not implemented are refused with their location and the next step, and
 * never silently accepted.
 */
import { describe, expect, test } from 'vitest';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { UNSUPPORTED_LEGION_KEYS, UNSUPPORTED_REPOSITORY_KEYS } from '../../src/config/problem.ts';
import { readRepositoryConfig } from '../../src/config/repository/load.ts';
import { repositorySchema } from '../../src/config/repository/schema.ts';
import { listKeys } from '../../src/config/schema/section.ts';
import { refusalOf, resolving } from './resolving.ts';

describe('legion.yaml refuses', () => {
  test.each([
    ['hosts: {big: {url: "https://big"}}', '1:1: hosts'],
    ['hosts: {}', '1:1: hosts'],
    ['envoy:', '1:1: envoy'],
    ['notifications: {on: [question]}', '1:1: notifications'],
    ['legion: shop\nnotifications:\n  slack_channel: C024BE91L', '2:1: notifications'],
    ['credentials:\n  slack: {bot_token: "env:SLACK"}', '2:3: credentials.slack'],
    ['credentials:\n  webhooks:\n    slack: "env:SLACK"', '3:5: credentials.webhooks.slack'],
  ])('%j', (text, place) => {
    const { code, message } = refusalOf(resolving(text));
    expect(code).toBe('config.unsupported');
    expect(message).toContain(`legion.yaml:${place}: not supported yet; remove this key (`);
  });

  test('an unsupported key, and reports it together with all other problems', () => {
    const { message } = refusalOf(resolving('envoy: {}\nlimts: {}\n'));
    expect(message.split('\n')).toEqual([
      expect.stringContaining('1:1: envoy: not supported yet'),
      expect.stringContaining('2:1: unknown key "limts"'),
    ]);
  });
});

test.each([
  ['testing: {suites: [unit]}', '1:11: testing.suites'],
  ['notifications: {mention: [octocat]}', '1:1: notifications'],
])('.legion/config.yml refuses %j', (text, place) => {
  const { code, message, next } = refusalOf(readRepositoryConfig(text));
  expect(code).toBe('config.unsupported');
  expect(message).toContain(`.legion/config.yml:${place}: not supported yet; remove this key (`);
  expect(next).toContain('docs/config.md');
});

test('no key is both supported and unsupported', () => {
  const overlapping = (
    schema: typeof legionSchema | typeof repositorySchema,
    unsupported: Iterable<string>,
  ) =>
    [...listKeys(schema)].filter(({ key }) =>
      [...unsupported].some((each) => key === each || key.startsWith(`${each}.`)),
    );
  expect(overlapping(legionSchema, UNSUPPORTED_LEGION_KEYS.keys())).toEqual([]);
  expect(overlapping(repositorySchema, UNSUPPORTED_REPOSITORY_KEYS.keys())).toEqual([]);
});
