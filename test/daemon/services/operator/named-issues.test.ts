import { expect, test } from 'vitest';
import type { Issue } from '../../../../src/core/model/issue.ts';
import { findNamedIssues } from '../../../../src/daemon/services/operator/collect.ts';

const SHOP = { kind: 'github', owner: 'Acme', repo: 'shop', number: 12 } as const;
const BOARD = [
  { id: 'Acme-shop-12', source: SHOP },
  { id: 'Acme-shop-13', source: { ...SHOP, number: 13 } },
  { id: 'ENG-21', source: { kind: 'linear', uuid: '924320b3', identifier: 'ENG-21' } },
] as unknown as readonly Issue[];

function named(...posted: readonly unknown[]) {
  const found = findNamedIssues(posted, BOARD);
  if (!found.ok) throw new Error(found.fault.message);
  return { ids: [...found.value.ids], rejected: found.value.rejected };
}

test.each([
  ['an id, in any case', 'acme-shop-12'],
  ['a URL', 'https://github.com/acme/shop/issues/12'],
  ['a URL of a self-hosted server, with a fragment', 'https://git.example/acme/shop/issues/12#c'],
  ['a GraphQL object', { id: 'I_kw1', number: 12, repository: { nameWithOwner: 'acme/shop' } }],
  ['a REST object', { id: 7, number: 12, html_url: 'https://github.com/acme/shop/issues/12' }],
  ['a project item from `gh`', { id: 'PVTI_1', content: { number: 12, repository: 'acme/shop' } }],
])('%s identifies the issue', (_, posted) => {
  expect(named(posted)).toEqual({ ids: ['Acme-shop-12'], rejected: [] });
});

test('Linear’s own id and identifier also identify the issue', () => {
  expect(named({ id: '924320b3' }, { identifier: 'eng-21' })).toEqual({ ids: ['ENG-21'], rejected: [] });
});

const NAMELESS = [
  null,
  12,
  [],
  {},
  '',
  { number: 12 },
  { repository: 'acme/shop' },
  { number: 1.5, repository: 'acme/shop' },
  { number: '12', repository: 'acme/shop' },
  { content: null },
];
const UNKNOWN = [
  'https://github.com/acme/shop/pull/12',
  'https://github.com/acme/shop/issues/120',
  'acme-shop-1',
  '__proto__',
];

test.each([...NAMELESS, ...UNKNOWN])('rejects %j with its index, and finds the other issues', (posted) => {
  const { ids, rejected } = named('acme-shop-12', posted, 'ENG-21');
  expect(ids).toEqual(['Acme-shop-12', 'ENG-21']);
  expect(rejected).toEqual([{ path: 'issues[1]', message: expect.stringMatching(/^issues\[1\]: /) }]);
});

test('refuses a list in which no entry contains an issue id, but not a list of unknown issues', () => {
  const refused = findNamedIssues(NAMELESS, BOARD);
  expect(refused).toMatchObject({ ok: false, fault: { code: 'input.invalid' } });
  if (!refused.ok) expect(refused.fault.message).toMatch(/^issues\[0\]: has neither an id, .*; and 7 more$/);
  expect(named(...UNKNOWN)).toMatchObject({ ids: [], rejected: { length: UNKNOWN.length } });
  expect(named()).toEqual({ ids: [], rejected: [] });
});

test('reads nested content only one level deep, however deep the nesting is', () => {
  let posted: unknown = 'acme-shop-12';
  for (let depth = 0; depth < 100_000; depth += 1) posted = { content: posted };
  expect(findNamedIssues([posted], BOARD)).toMatchObject({ ok: false });
});
