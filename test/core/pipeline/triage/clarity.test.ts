import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isClarified, judgeClarity } from '../../../../src/core/pipeline/triage.ts';
import { assertProperty } from '../../../support/property.ts';
import { expectFast } from '../stays-fast.ts';

/** A text that is long enough, but too vague to work on. */
const VAGUE = 'It would be nice if all of this felt a bit better than it does at the moment, somehow.';

const NO_LABELS: ReadonlySet<string> = new Set();
const BUG: ReadonlySet<string> = new Set(['bug']);

describe('the length of an issue text', () => {
  test.each([
    [59, false, 'too short (59 of 60 characters)'],
    [60, true, 'long enough (60 of 60 characters)'],
  ])('of %i characters is enough: %s', (length, clear, reason) => {
    const body = `It must work.${'x'.repeat(length - 13)}`;
    expect(judgeClarity('', body, NO_LABELS)).toMatchObject({
      clear,
      reasons: expect.arrayContaining([reason]),
    });
  });

  test('does not count surrounding space', () => {
    expect(judgeClarity('', `${' \n'.repeat(100)}It must work.${'\n'.repeat(100)}`, NO_LABELS).clear).toBe(
      false,
    );
  });

  test('alone does not make an issue clear', () => {
    expect(judgeClarity('', VAGUE.repeat(50), NO_LABELS).clear).toBe(false);
  });
});

describe('acceptance criteria', () => {
  test.each([
    '- [ ] exports a file',
    '  * [x] exports a file',
    'Acceptance criteria: exports a file',
    '## Definition of Done',
    'Done when the export is there',
    'Given a report When I export Then a file is there',
    'The export should open in a spreadsheet',
    'The export must open in a spreadsheet',
    'It needs to open in a spreadsheet',
  ])('include %j', (text) => {
    expect(judgeClarity('', text, NO_LABELS).reasons).toContain('has acceptance criteria');
  });

  test.each([VAGUE, '- exports a file', '[ ] nothing', 'mustard', 'given\nthat\nthen'])(
    'do not include %j',
    (text) => {
      expect(judgeClarity('', text, NO_LABELS).reasons).toContain('no acceptance criteria');
    },
  );
});

describe('steps to reproduce', () => {
  test.each([
    'Steps to reproduce:\n1. open it',
    'To reproduce, run the export twice',
    'How to reproduce: `legion export`',
    '1. open it\n2. close it\nExpected: it closes',
    '1) open it\n2) close it\nIt stays open instead',
    '  1. open it\n  2. close it\n\nActual: nothing',
  ])('include %j', (text) => {
    expect(judgeClarity('', text, NO_LABELS).hasSteps).toBe(true);
  });

  test.each([
    VAGUE,
    'Steps to reproduce: unknown',
    '1. open it\n2. close it',
    '1. open it\nExpected: it opens',
    '2024. Expected',
  ])('do not include %j', (text) => {
    expect(judgeClarity('', text, NO_LABELS).hasSteps).toBe(false);
  });
});

describe('components', () => {
  test.each<[string, string, string[], string[]]>([
    [
      'are read from component and area labels',
      'see src/a.ts',
      ['component: Web UI', 'area/api', 'bug'],
      ['web ui', 'api'],
    ],
    ['are read from a component line', 'Component: exporter\nsee src/a.ts', [], ['exporter']],
    ['are paths, each listed once', 'src/a.ts breaks src/b.ts and src/A.ts', [], ['src/a.ts', 'src/b.ts']],
    ['are names in backticks', 'The `Exporter` calls `save()` twice', [], ['exporter', 'save()']],
    ['are read from the title', '', [], ['src/title.ts']],
    ['are not sentences in backticks', 'It prints `something went wrong`', [], []],
    ['are not plain words', 'The exporter is broken', [], []],
    ['are not the start of URLs', 'http and/or https', [], []],
  ])('%s', (name, body, labels, components) => {
    const title = name === 'are read from the title' ? 'Fix src/title.ts' : '';
    expect(judgeClarity(title, body, new Set(labels)).components).toEqual(components);
  });
});

describe('the questions about an issue', () => {
  const BEHAVIOUR = 'What is the current behaviour, and what should it be instead?';
  const STEPS = 'Which steps reproduce it, and what did you expect to see?';
  const CRITERIA = 'What must be true when it is done (acceptance criteria)?';
  const PART = 'Which part is it about (a file, a command, a component)?';

  test.each([
    ['an empty issue', '', NO_LABELS, [BEHAVIOUR, CRITERIA, PART]],
    ['an empty bug', '', BUG, [BEHAVIOUR, STEPS, PART]],
    ['a long but vague issue', VAGUE, NO_LABELS, [CRITERIA, PART]],
    ['a short issue that names its part', 'See `Exporter`', NO_LABELS, [BEHAVIOUR, CRITERIA]],
    ['a short bug with steps', 'To reproduce, run `Exporter`', BUG, [BEHAVIOUR]],
    ['a clear issue', `${VAGUE} It must open.`, NO_LABELS, []],
  ])('(%s) ask for exactly what is missing', (_, body, labels, questions) => {
    expect(judgeClarity('', body, labels).questions).toEqual(questions);
  });

  test('are asked if, and only if, the text is unclear', () => {
    const words = fc.constantFrom(
      VAGUE,
      'must open',
      '`Exporter`',
      '1. a\n',
      '\n2. b',
      'Expected',
      '',
      'src/a.ts',
      '- [ ] x',
    );
    assertProperty(
      fc.property(fc.array(words), fc.boolean(), (parts, isBug) => {
        const { clear, questions } = judgeClarity('', parts.join(' '), isBug ? BUG : NO_LABELS);
        expect(questions.length === 0).toBe(clear);
      }),
    );
  });
});

describe('judgeClarity reads a hostile text of a megabyte quickly', () => {
  const pieces = [
    '\n',
    ' ',
    '\t\n',
    'a/',
    '`a ',
    'given ',
    '1. \n',
    'must ',
    'component ',
    '- [',
    '"a',
    '1',
    '0.',
    'x',
  ];

  test.each(pieces)('%j', (piece) => {
    expectFast((text) => judgeClarity('', text, NO_LABELS), piece);
    expectFast((text) => judgeClarity(text, '', NO_LABELS), piece);
    expectFast((text) => judgeClarity('', '', new Set([`area:${text}`])), piece);
  });
});

describe('an issue in the Icebox', () => {
  const issue = { title: 'It is hard to use', body: 'I never know what to do.', labels: [] };

  test.each(['ok', 'Please just do it.', '+1', ''])('is not clarified by the comment “%s”', (comment) => {
    expect(isClarified(issue, [comment])).toBe(false);
  });

  test('is clarified by a comment with acceptance criteria', () => {
    const comment = 'README.md should say how the command is called, and what the CSV file looks like.';
    expect(isClarified(issue, ['ok', comment])).toBe(true);
  });

  test('is clarified by acceptance criteria added to its text', () => {
    const body = `${issue.body}\n\nAcceptance criteria:\n- README.md says how the command is called`;
    expect(isClarified({ ...issue, body }, [])).toBe(true);
  });
});
