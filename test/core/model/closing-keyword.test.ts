import { describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/core/model/issue.ts';
import { formatClosingLine, hasClosingKeyword } from '../../../src/core/model/issue.ts';
import { expectFast } from '../pipeline/stays-fast.ts';

type Named = Pick<Issue, 'id' | 'source'>;

const GITHUB: Named = {
  id: 'acme-widgets-17',
  source: { kind: 'github', owner: 'acme', repo: 'widgets', number: 17 },
};
const LINEAR: Named = { id: 'ENG-21', source: { kind: 'linear', uuid: 'u', identifier: 'ENG-21' } };
const LOCAL: Named = { id: 'DEMO-1.2', source: { kind: 'local' } };

describe('a GitHub issue is closed by', () => {
  const KEYWORDS = ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'];

  test.each(KEYWORDS)('%s #17, in lower or upper case, with or without a colon', (keyword) => {
    for (const written of [keyword, keyword.toUpperCase(), `${keyword}:`]) {
      expect(hasClosingKeyword(`${written} #17`, GITHUB)).toBe(true);
    }
  });

  test.each([
    'Closes #17.',
    'Closes #17...',
    'Closes #17, and more',
    '(closes #17)',
    '- fixes   #17',
    'Closes\n#17',
    'Closes acme/widgets#17',
    'closes ACME/Widgets#17!',
    'Closes #170. Fixes #17',
    'This closes fixes #17',
    'Closes #1\nCloses #17\n',
    '# Title\r\n\r\nCloses #17\r\n',
  ])('%j', (body) => {
    expect(hasClosingKeyword(body, GITHUB)).toBe(true);
  });
});

describe('a GitHub issue is not closed by', () => {
  test.each([
    '',
    '#17',
    'Closes',
    'Closes #',
    'Closes #170',
    'Closes #1',
    'Closes #017',
    'Closes #17abc',
    'Closes #17_',
    'Closes#17',
    'Closes 17',
    'Closes other/widgets#17',
    'Closes acme/widgets-2#17',
    'Closes x-acme/widgets#17',
    'Closes acme/widgets#170',
    'encloses #17',
    'prefix #17',
    'closing #17',
    'Relates to #17',
    'Closes #\u0661\u0667',
  ])('%j', (body) => {
    expect(hasClosingKeyword(body, GITHUB)).toBe(false);
  });
});

describe('a reference in the tracker’s own format', () => {
  test.each([
    [LINEAR, 'Closes ENG-21', true],
    [LINEAR, 'fixes eng-21.', true],
    [LINEAR, 'Resolves: ENG-21)', true],
    [LINEAR, 'Closes ENG-210', false],
    [LINEAR, 'Closes ENG-2', false],
    [LINEAR, 'Closes ENG-21-extra', false],
    [LINEAR, 'Closes XENG-21', false],
    [LINEAR, 'ENG-21', false],
    [LINEAR, 'Closes #21', false],
    [LOCAL, 'Closes DEMO-1.2', true],
    [LOCAL, 'Closes DEMO-1.2.', true],
    [LOCAL, 'Closes DEMO-1', false],
    [LOCAL, 'Closes DEMO-1x2', false],
    [LOCAL, 'Closes DEMO-1.2.3', false],
  ])('for issue $id, the text %j closes the issue: %s', (issue, body, named) => {
    expect(hasClosingKeyword(body, issue)).toBe(named);
  });
});

test.each([
  [GITHUB, 'Closes #17'],
  [LINEAR, 'Closes ENG-21'],
  [LOCAL, 'Closes DEMO-1.2'],
])('the closing line for issue $id is %j, and that line closes the issue', (issue, line) => {
  expect(formatClosingLine(issue)).toBe(line);
  expect(hasClosingKeyword(line, issue)).toBe(true);
  expect(hasClosingKeyword(`What it does.\n\n${line}\n`, issue)).toBe(true);
});

describe('hasClosingKeyword reads a hostile text of a megabyte quickly', () => {
  test.each([
    ['keywords', 'close ', ''],
    ['keywords with long gaps', `close${' '.repeat(997)}`, ''],
    ['one long gap', ' ', 'x'],
    ['one long word', 'a', ''],
    ['one long word of keywords', 'close-', ''],
    ['endless dots', '.', 'a'],
    ['endless directories', 'a/', ''],
    ['an endless number', '1', 'a'],
    ['lines', '\n', ''],
  ])('%s', (_, piece, end) => {
    for (const begin of ['closes ', 'closes a', 'closes #1', 'closes acme/', 'fixes']) {
      expectFast((text) => hasClosingKeyword(begin + text, GITHUB), piece, end);
    }
  });
});
