/** Checks that the built-in templates are short and mention only verbs that exist. */
import { expect, test } from 'vitest';
import { FRAME } from '../../../src/daemon/prompts/built-in.ts';
import * as phases from '../../../src/daemon/prompts/phase-templates.ts';
import { WORKER_VERB_GUIDE } from '../../../src/daemon/prompts/prompt.ts';
import * as reasons from '../../../src/daemon/prompts/reason-templates.ts';
import { VERB_NAMES } from '../../../src/protocol/verb.ts';

const TEMPLATES = Object.entries({ FRAME, ...phases, ...reasons });

/** A model reads the whole template before it does anything, so longer texts belong in a skill. */
const MAX_LINES = 24;

test('every phase and reason has a template', () => {
  expect(TEMPLATES).toHaveLength(27);
});

test.each(TEMPLATES)('template %s is short and mentions only verbs that exist', (_, text) => {
  expect(text.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  expectVerbs(text);
});

test('the reporting instructions mention only verbs that exist', () => {
  expectVerbs(WORKER_VERB_GUIDE);
});

function expectVerbs(text: string): void {
  for (const [, first = '', second = ''] of text.matchAll(/legion worker ([a-z-]+)(?: ([a-z]+))?/g)) {
    const names = [first, `${first}_${second}`].map((name) => name.replace('-', '_'));
    expect(
      VERB_NAMES.some((verb) => names.includes(verb)),
      `legion worker ${first} ${second}`,
    ).toBe(true);
  }
}
