/** Tests broken and malicious YAML: it is refused quickly, and the error states the location. */
import { expect, test } from 'vitest';
import { refusalOf, resolving } from './resolving.ts';

/**
 * Much longer than any of these cases takes on a slow machine, but much shorter than the time that
 * expanding the YAML would take.
 */
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
    'two keys on one line',
    'limits: workers: 3',
    '1:9: is not valid YAML: Nested mappings are not allowed in compact mappings',
  ],
  [
    'a repeated key',
    'port: 1\nlimits:\n  workers: 1\n  workers: 2\n',
    '4:3: repeats the key "workers", which is already defined on line 3',
  ],
  [
    'a merge key',
    'limits: &l {workers: 1}\nbudgets:\n  <<: *l\n',
    '3:3: uses a merge key (<<), which is not supported; write the keys out',
  ],
  [
    'a second document',
    'port: 1\n---\nport: 2\n',
    '2:1: begins a second document with "---"; only one is allowed',
  ],
  ['a YAML 1.1 directive', '%YAML 1.1\n---\nport: 1\n', '1:1: requests YAML 1.1; only YAML 1.2 is supported'],
  ['a tag', 'legion: !!str x', '1:15: uses the tag "tag:yaml.org,2002:str"; tags are not supported'],
  [
    'a tag for code',
    'legion: !!js/function "x"',
    '1:23: uses the tag "tag:yaml.org,2002:js/function"; tags are not supported',
  ],
  [
    'binary data',
    'legion: !!binary aGk=',
    '1:18: uses the tag "tag:yaml.org,2002:binary"; tags are not supported',
  ],
  ['a tag on a section', 'limits: !x {workers: 1}', '1:12: uses the tag "!x"; tags are not supported'],
  ['a missing anchor', 'port: *p', '1:7: uses the alias "p", which no anchor before it defines'],
  [
    'an anchor after its use',
    'port: *p\nlegion: &p x',
    '1:7: uses the alias "p", which no anchor before it defines',
  ],
  ['an anchor within itself', 'repos: &r [*r]', '1:12: is nested deeper than 32 levels'],
  ['a number as key', '8080: port', '1:1: has a key that is not text; put it in quotes'],
  ['a list as key', '? [a, b]\n: c\n', '1:3: has a key that is not text; put it in quotes'],
  [
    'the key __proto__',
    'legion: x\n__proto__:\n  port: 1\n',
    '2:1: has the key "__proto__", which is never allowed',
  ],
  ['a control character', 'legion: a\x00b', '1:10: contains the control character 0x00'],
  ['an escape sequence', 'port: 1\n# \x1b[2J', '2:3: contains the control character 0x1b'],
];

test.each(SYNTAX)('refuses %s', (_, text, ...lines) => {
  const { code, message } = refusalOf(resolving(text));
  expect(message.split('\n')).toEqual(lines.map((line) => `legion.yaml:${line}`));
  expect(code).toBe('config.syntax');
});

const BOMBS: readonly (readonly [title: string, text: string, says: RegExp])[] = [
  ['a billion laughs', laughs(30), /has more than 10000 values, including aliases/],
  [
    'a quadratic bomb',
    `legion: &a [${'x,'.repeat(2_000)}]\nrepos:\n${'- *a\n'.repeat(2_000)}`,
    /has more than 10000 values/,
  ],
  ['60,000 opening brackets', '['.repeat(60_000), /nested too deeply/],
  ['nested lists', '- '.repeat(60_000), /nested too deeply/],
  ['nested keys', '? '.repeat(60_000), /nested too deeply/],
  ['forty levels of nesting', `${'{a: '.repeat(40)}1${'}'.repeat(40)}`, /nested deeper than 32 levels/],
  [
    'twenty thousand keys',
    Array.from({ length: 20_000 }, (_, n) => `k${n}:`).join('\n'),
    /has more than 10000 values/,
  ],
  [
    'twenty thousand anchors',
    Array.from({ length: 20_000 }, (_, n) => `- &a${n} x`).join('\n'),
    /has more than 10000/,
  ],
  ['100,000 quotes', '"'.repeat(100_000), /is not valid YAML/],
];

test.each(BOMBS)('refuses %s quickly', (_, text, says) => {
  const started = performance.now();
  const { code, message } = refusalOf(resolving(text));
  expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  expect(message).toMatch(says);
  expect(message.length).toBeLessThan(2_000);
  expect(code).toBe('config.syntax');
});

test('treats names of built-in object methods as ordinary keys', () => {
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
