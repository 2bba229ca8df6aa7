/**
 * Tests `.legion/config.yml`: what an untrusted repository is allowed to request, and the
 * fingerprint of its commands.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  collectInstructions,
  computeCommandsFingerprint,
  loadRepositoryConfig,
  readRepositoryConfig,
} from '../../src/config/repository/load.ts';
import { assertProperty } from '../support/property.ts';
import { useFolder } from './folder.ts';
import { accepted, refusalOf } from './resolving.ts';

const at = useFolder();
const FILE = '.legion/config.yml';
const COMMAND = 'a list of arguments such as [npm, test], or plain words without shell characters';

test('reads every key, and uses the defaults for absent keys', () => {
  const text = [
    'merge: {auto_merge_allowed: true}',
    'testing: {instructions: "two\\nlines"}',
    'skills: {required: [legion-worker]}',
    'commands: {setup: npm ci, quality_gate: [npm, run, "check all"], test: npm  test, ci: make}',
    'phases: {retro: {instructions: short, skills: [x]}}',
  ].join('\n');
  expect(accepted(readRepositoryConfig(text))).toEqual({
    merge: { auto_merge_allowed: true },
    testing: { instructions: 'two\nlines' },
    skills: { required: ['legion-worker'] },
    commands: {
      setup: ['npm', 'ci'],
      quality_gate: ['npm', 'run', 'check all'],
      test: ['npm', 'test'],
      ci: ['make'],
    },
    phases: { retro: { instructions: 'short', skills: ['x'] } },
  });
  expect(accepted(readRepositoryConfig(''))).toEqual({
    merge: { auto_merge_allowed: false },
    testing: {},
    skills: { required: [] },
    commands: {},
    phases: {},
  });
});

describe('refuses', () => {
  test.each([
    [
      'merg: {}',
      '1:1: unknown key "merg" (did you mean "merge"?); allowed here: merge, testing, skills, commands, phases',
    ],
    [
      'credentials: {}',
      '1:1: unknown key "credentials"; allowed here: merge, testing, skills, commands, phases',
    ],
    [
      'merge: {auto_merge_allowed: "yes"}',
      '1:29: merge.auto_merge_allowed: expected true or false, got "yes"',
    ],
    [
      'commands:\n  deploy: x',
      '2:3: commands: unknown key "deploy"; allowed here: setup, quality_gate, test, ci',
    ],
    [
      'commands: {test: npm test && curl evil}',
      `1:18: commands.test: expected ${COMMAND}, got "npm test && curl evil"`,
    ],
    ['commands: {test: "echo $HOME"}', `1:18: commands.test: expected ${COMMAND}, got "echo $HOME"`],
    ['commands: {test: --help}', `1:18: commands.test: expected ${COMMAND}, got "--help"`],
    ['commands: {test: []}', `1:18: commands.test: expected ${COMMAND}, got a list of 0`],
    ['commands: {test: "  "}', `1:18: commands.test: expected ${COMMAND}, got "  "`],
    ['commands: {test: [npm, 3]}', `1:18: commands.test: expected ${COMMAND}, got a list of 2`],
    ['commands: {test: [rm, "\\u202e-rf"]}', `1:23: commands.test[1]: expected ${COMMAND}, got "\\u202e-rf"`],
    ['commands: {test: ["a\\0b"]}', `1:19: commands.test[0]: expected ${COMMAND}, got "a\\u0000b"`],
    [
      'phases: {deploy: {}}',
      '1:10: phases: unknown key "deploy"; allowed here: architect, plan, implement, test, review, retro, merge',
    ],
    [
      'phases: {plan: {model: big}}',
      '1:17: phases.plan: unknown key "model"; allowed here: instructions, skills',
    ],
    ['skills: {required: [../../etc]}', '1:21: skills.required[0]: expected a skill name, got "../../etc"'],
    [
      `testing: {instructions: ${'x'.repeat(8_001)}}`,
      '1:25: testing.instructions: expected text of at most 8000 characters, got text of 8001 characters',
    ],
  ])('%s', (text, line) => {
    const { code, message } = refusalOf(readRepositoryConfig(text));
    expect([code, message]).toEqual(['config.invalid', `${FILE}:${line}`]);
  });

  test('broken YAML, and a file that is too large', () => {
    expect(refusalOf(readRepositoryConfig('a: [')).code).toBe('config.syntax');
    write(`# ${'x'.repeat(70_000)}`);
    expect(refusalOf(loadRepositoryConfig(at())).code).toBe('config.too_large');
  });

  test('a file or folder that is a link, without quoting the content of the link’s target', () => {
    writeFileSync(at('private'), 'password: hunter2');
    mkdirSync(at('a', '.legion'), { recursive: true });
    symlinkSync(at('private'), at('a', FILE));
    mkdirSync(at('elsewhere'));
    writeFileSync(at('elsewhere', 'config.yml'), 'password: hunter2');
    mkdirSync(at('b'));
    symlinkSync(at('elsewhere'), at('b', '.legion'));
    for (const checkout of ['a', 'b']) {
      const { code, message } = refusalOf(loadRepositoryConfig(at(checkout)));
      expect(code).toBe('config.unreadable');
      expect(message).toContain('symbolic link');
      expect(message).not.toContain('hunter2');
    }
  });
});

test('accepts a repository that is reached through a link, and a repository without the file', () => {
  mkdirSync(at('real'));
  symlinkSync(at('real'), at('link'));
  expect(accepted(loadRepositoryConfig(at('link'))).commands).toEqual({});
  mkdirSync(at('real', '.legion'));
  writeFileSync(at('real', FILE), 'commands: {test: make}');
  expect(accepted(loadRepositoryConfig(at('link'))).commands).toEqual({ test: ['make'] });
});

describe('the fingerprint of commands', () => {
  const print = (text: string) => computeCommandsFingerprint(accepted(readRepositoryConfig(text)));

  test('does not depend on order, layout, comments or other keys', () => {
    const same = [
      'commands: {test: npm test, setup: npm ci}',
      '# hello\ncommands:\n  setup: [npm, ci]\n  test: "npm   test"\n',
      'commands: {test: [npm, test], setup: [npm, ci]}\nmerge: {auto_merge_allowed: true}',
    ];
    expect(new Set(same.map(print)).size).toBe(1);
    expect(print(same[0] ?? '')).toMatch(/^[0-9a-f]{64}$/);
  });

  test('differs if the content of the commands differs', () => {
    const argv = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'a b', '', '"', ','), { maxLength: 4 })
      .map((rest) => ['x', ...rest]);
    const commands = fc.record({ setup: argv, test: argv, ci: argv }, { requiredKeys: [] });
    assertProperty(
      fc.property(commands, commands, (one, other) => {
        const sorted = (given: object) => JSON.stringify(Object.entries(given).sort());
        const same = sorted(one) === sorted(other);
        const prints = [one, other].map((given) => print(JSON.stringify({ commands: given })));
        expect(prints[0] === prints[1]).toBe(same);
      }),
    );
  });

  test('stays the same across releases, because operators would otherwise have to approve everything again', () => {
    expect(print('commands: {test: npm test}')).toBe(
      'eb8f3abccf67d3b2bb1e964b06265f62ef302c8ff0f4bb0e93adda9bfd518ab9',
    );
  });
});

function write(text: string): void {
  mkdirSync(at('.legion'), { recursive: true });
  writeFileSync(at(FILE), text);
}

test("collects the instructions for a phase: the phase's own instructions, the testing instructions, and the skills to read", () => {
  const text = [
    'testing: {instructions: Use the browser.}',
    'skills: {required: [house-style]}',
    'phases: {test: {instructions: Be thorough., skills: [accessibility, house-style]}}',
  ].join('\n');
  const config = accepted(readRepositoryConfig(text));
  expect(collectInstructions(config, 'test')).toBe(
    'Be thorough.\nUse the browser.\nRead these skills before you begin, if you have them: house-style, accessibility.',
  );
  expect(collectInstructions(config, 'plan')).toContain('house-style.');
  expect(collectInstructions(accepted(readRepositoryConfig('')), 'plan')).toBeUndefined();
});
