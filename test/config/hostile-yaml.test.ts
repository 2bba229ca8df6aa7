/** YAML that is broken or built to harm: refused with its place, and in little time. */
import { expect, test } from 'vitest';
import { refusalOf, resolving } from './resolving.ts';

/** Far above what any of these takes on a slow machine, far below what an explosion would. */
const PATIENCE_MS = 5_000;

const SYNTAX: readonly (readonly [title: string, text: string, ...lines: string[]])[] = [
  ['a tab as indentation', 'limits:\n\tworkers: 3', '2:1: is indented with a tab; YAML allows only spaces'],
  ['an open quote', 'legion: "abc\n', '2:1: is not valid YAML: Missing closing "quote'],
  [
    'an open brace',
    'limits: {workers: 3',
    '1:20: is not valid YAML: Flow map in block collection must be sufficiently indented and end with a }',
  ],
  [
    'two values on one line',
    'limits: workers: 3',
    '1:9: is not valid YAML: Nested mappings are not allowed in compact mappings',
  ],
  [
    'a repeated key',
    'port: 1\nlimits:\n  workers: 1\n  workers: 2\n',
    '4:3: repeats the key "workers", which is already there on line 3',
  ],
  [
    'a merge key',
    'limits: &l {workers: 1}\nbudgets:\n  <<: *l\n',
    '3:3: uses a merge key (<<), which is not read; write the keys out',
  ],
  [
    'a second document',
    'port: 1\n---\nport: 2\n',
    '2:1: begins a second document with "---"; only one is read',
  ],
  ['YAML 1.1', '%YAML 1.1\n---\nport: 1\n', '1:1: asks for YAML 1.1; only YAML 1.2 is read'],
  ['a tag', 'legion: !!str x', '1:15: uses the tag "tag:yaml.org,2002:str"; tags are not read'],
  [
    'a tag of a program',
    'legion: !!js/function "x"',
    '1:23: uses the tag "tag:yaml.org,2002:js/function"; tags are not read',
  ],
  [
    'binary data',
    'legion: !!binary aGk=',
    '1:18: uses the tag "tag:yaml.org,2002:binary"; tags are not read',
  ],
  ['a tag on a section', 'limits: !x {workers: 1}', '1:12: uses the tag "!x"; tags are not read'],
  ['a missing anchor', 'port: *p', '1:7: uses the alias "p", which no anchor before it defines'],
  [
    'an anchor after its use',
    'port: *p\nlegion: &p x',
    '1:7: uses the alias "p", which no anchor before it defines',
  ],
  ['an anchor within itself', 'repos: &r [*r]', '1:12: is nested deeper than 32 levels'],
  ['a number as key', '8080: port', '1:1: has a key that is not a text; put it in quotes'],
  ['a list as key', '? [a, b]\n: c\n', '1:3: has a key that is not a text; put it in quotes'],
  [
    'the prototype',
    'legion: x\n__proto__:\n  port: 1\n',
    '2:1: has the key "__proto__", which is never allowed',
  ],
  ['a control character', 'legion: a\x00b', '1:10: contains the control character 0x00'],
  ['an escape sequence', 'port: 1\n# \x1b[2J', '2:3: contains the control character 0x1b'],
];

test.each(SYNTAX)('%s', (_, text, ...lines) => {
  const { code, message } = refusalOf(resolving(text));
  expect(message.split('\n')).toEqual(lines.map((line) => `legion.yaml:${line}`));
  expect(code).toBe('config.syntax');
});

const BOMBS: readonly (readonly [title: string, text: string, says: RegExp])[] = [
  ['a billion laughs', laughs(30), /holds more than 10000 values, aliases counted/],
  [
    'a quadratic bomb',
    `legion: &a [${'x,'.repeat(2_000)}]\nrepos:\n${'- *a\n'.repeat(2_000)}`,
    /holds more than 10000 values/,
  ],
  ['brackets without end', '['.repeat(60_000), /nested too deeply/],
  ['nested lists', '- '.repeat(60_000), /nested too deeply/],
  ['nested keys', '? '.repeat(60_000), /nested too deeply/],
  ['forty levels', `${'{a: '.repeat(40)}1${'}'.repeat(40)}`, /nested deeper than 32 levels/],
  [
    'twenty thousand keys',
    Array.from({ length: 20_000 }, (_, n) => `k${n}:`).join('\n'),
    /holds more than 10000 values/,
  ],
  [
    'twenty thousand anchors',
    Array.from({ length: 20_000 }, (_, n) => `- &a${n} x`).join('\n'),
    /holds more than 10000/,
  ],
  ['quotes', '"'.repeat(100_000), /is not valid YAML/],
];

test.each(BOMBS)('%s is refused quickly', (_, text, says) => {
  const started = performance.now();
  const { code, message } = refusalOf(resolving(text));
  expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  expect(message).toMatch(says);
  expect(message.length).toBeLessThan(2_000);
  expect(code).toBe('config.syntax');
});

test('names of object methods are keys like any other', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    expect(refusalOf(resolving(`${name}: 1`)).message).toContain(`1:1: unknown key "${name}"`);
    expect(refusalOf(resolving(`limits: {${name}: 1}`)).message).toContain(`limits: unknown key "${name}"`);
  }
  expect(Object.hasOwn(Object.prototype, 'port')).toBe(false);
});

function laughs(levels: number): string {
  const lines = ['l0: &l0 [x, x]'];
  for (let level = 1; level < levels; level += 1)
    lines.push(`l${level}: &l${level} [*l${level - 1}, *l${level - 1}]`);
  return lines.join('\n');
}
