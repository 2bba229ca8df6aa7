/** Tests which blockers a text declares, as opposed to issues that it only mentions. */
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { formatIssueReference } from '../../../../src/integrations/github/client/issue-reference.ts';
import { findNamedBlockers } from '../../../../src/integrations/github/tracker/contents.ts';

const SELF = { owner: 'acme', repo: 'app', number: 9 };

function named(body: string): string[] {
  return findNamedBlockers(body, SELF).references.map(formatIssueReference);
}

test.each([
  ['Blocked by #5', ['acme/app#5']],
  ['blocked by: #5', ['acme/app#5']],
  ['**Blocked by:** #5', ['acme/app#5']],
  ['**Depends on** other/lib#7', ['other/lib#7']],
  ['- [ ] Blocked by #5', ['acme/app#5']],
  ['    * Depends on #5', ['acme/app#5']],
  ['Depends on #5, other/lib#7 and #8', ['acme/app#5', 'other/lib#7', 'acme/app#8']],
  ['Blocked by https://github.com/other/lib/issues/7', ['other/lib#7']],
  ['Text.\r\nBlocked by #5\r\nMore.', ['acme/app#5']],
  ['Blocked by #5\nBlocked by #5\nBlocked by ACME/App#5', ['ACME/App#5']],
  ['Depends on a/.github#1', ['a/.github#1']],
])('%j declares %j', (body, expected) => {
  expect(named(body)).toEqual(expected);
});

test.each([
  'This is no longer blocked by #5',
  'Not blocked by #5',
  'Blocked by the weather, see #5',
  'Blocks #5',
  'Blocked by #0',
  'Blocked by #5a',
  'Blocked by #-5',
  'Blocked by 5',
  'Blocked by ../../etc#5',
  'Blocked by #9',
  'Blocked by acme/app#9',
  '```\nBlocked by #5\n```',
  '~~~ text\nBlocked by #5\n~~~~',
  '````\n```\nBlocked by #5\n````',
  '```\nBlocked by #5',
  '<!-- Blocked by #5 -->',
  '<!--\nBlocked by #5\n-->',
  '<!-- never closed\nBlocked by #5',
  '> Blocked by #5',
])('%j declares no blocker', (body) => {
  expect(named(body)).toEqual([]);
});

test('still finds blockers after code, a comment or another word', () => {
  expect(named('```\nx\n```\nBlocked by #5')).toEqual(['acme/app#5']);
  expect(named('<!-- template --> \nBlocked by #5')).toEqual(['acme/app#5']);
  expect(named('Blocked by #5 until #6 is there')).toEqual(['acme/app#5']);
});

test('limits the number of blockers in one text, and parses thousands quickly', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `Blocked by #${index + 10}`).join('\n');
  expect(named(many)).toHaveLength(50);
  const hostile = [
    'Blocked by '.repeat(10_000),
    `- ${' '.repeat(60_000)}#`,
    '<!--'.repeat(15_000),
    '`'.repeat(60_000),
  ];
  const start = performance.now();
  for (const body of hostile) expect(named(body)).toEqual([]);
  // Far longer than a linear pass takes, and far shorter than a quadratic one would take.
  expect(performance.now() - start).toBeLessThan(2_000);
});
