import { expect, test } from 'vitest';
import { namedIssues } from '../../../../src/daemon/desks/operator/named-issues.ts';
import type { Issue } from '../../../../src/domain/issue.ts';

const SHOP = { kind: 'github', owner: 'Acme', repo: 'shop', number: 12 } as const;
const BOARD = [
  { id: 'Acme-shop-12', source: SHOP },
  { id: 'Acme-shop-13', source: { ...SHOP, number: 13 } },
  { id: 'ENG-21', source: { kind: 'linear', uuid: '924320b3', identifier: 'ENG-21' } },
] as unknown as readonly Issue[];

function named(...posted: readonly unknown[]) {
  const found = namedIssues(posted, BOARD);
  if (!found.ok) throw new Error(found.fault.message);
  return { ids: [...found.value.ids], rejected: found.value.rejected };
}

test.each([
  ['an id, in any case', 'acme-shop-12'],
  ['an address', 'https://github.com/acme/shop/issues/12'],
  [
    'an address of a server of one’s own, with a place on the page',
    'https://git.example/acme/shop/issues/12#c',
  ],
  ['as GraphQL has it', { id: 'I_kw1', number: 12, repository: { nameWithOwner: 'acme/shop' } }],
  ['as REST has it', { id: 7, number: 12, html_url: 'https://github.com/acme/shop/issues/12' }],
  ['as `gh` has an item of a project', { id: 'PVTI_1', content: { number: 12, repository: 'acme/shop' } }],
])('%s names the issue', (_, posted) => {
  expect(named(posted)).toEqual({ ids: ['Acme-shop-12'], rejected: [] });
});

test('Linear’s own id and identifier do as well', () => {
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

test.each([...NAMELESS, ...UNKNOWN])('%j is rejected with its place, and the others are found', (posted) => {
  const { ids, rejected } = named('acme-shop-12', posted, 'ENG-21');
  expect(ids).toEqual(['Acme-shop-12', 'ENG-21']);
  expect(rejected).toEqual([{ path: 'issues[1]', message: expect.stringMatching(/^issues\[1\]: /) }]);
});

test('a list without a single name is refused, and one of unknown names is not', () => {
  const refused = namedIssues(NAMELESS, BOARD);
  expect(refused).toMatchObject({ ok: false, fault: { code: 'input.invalid' } });
  if (!refused.ok) expect(refused.fault.message).toMatch(/^issues\[0\]: has no id, .*; and 7 more$/);
  expect(named(...UNKNOWN)).toMatchObject({ ids: [], rejected: { length: UNKNOWN.length } });
  expect(named()).toEqual({ ids: [], rejected: [] });
});

test('an item whose content is nested without end is read no further than its content', () => {
  let posted: unknown = 'acme-shop-12';
  for (let depth = 0; depth < 100_000; depth += 1) posted = { content: posted };
  expect(namedIssues([posted], BOARD)).toMatchObject({ ok: false });
});
