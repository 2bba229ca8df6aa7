import { expect, test } from 'vitest';
import { namedIssues } from '../../../../src/daemon/desks/operator/named-issues.ts';
import type { Issue } from '../../../../src/domain/issue.ts';

const SHOP = { kind: 'github', owner: 'Acme', repo: 'shop', number: 12 } as const;
const BOARD = [
  { id: 'Acme-shop-12', source: SHOP },
  { id: 'Acme-shop-13', source: { ...SHOP, number: 13 } },
  { id: 'ENG-21', source: { kind: 'linear', uuid: '924320b3', identifier: 'ENG-21' } },
] as unknown as readonly Issue[];

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
  expect([...namedIssues([posted], BOARD)]).toEqual(['Acme-shop-12']);
});

test('Linear’s own id and identifier do as well', () => {
  expect([...namedIssues([{ id: '924320b3' }, { identifier: 'eng-21' }], BOARD)]).toEqual(['ENG-21']);
});

test.each([
  null,
  12,
  [],
  {},
  { number: 12 },
  { repository: 'acme/shop' },
  { number: 1.5, repository: 'acme/shop' },
  { number: '12', repository: 'acme/shop' },
  'https://github.com/acme/shop/pull/12',
  'https://github.com/acme/shop/issues/120',
  'acme-shop-1',
  { content: null },
])('%j names nobody', (posted) => {
  expect([...namedIssues([posted], BOARD)]).toEqual([]);
});
