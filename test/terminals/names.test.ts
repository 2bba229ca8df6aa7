import { expect, test } from 'vitest';
import { formatSessionName, formatWindowName } from '../../src/terminals/tmux-call.ts';

test('a session is named after its legion, a window after the mode and the issue', () => {
  expect(formatSessionName('shop')).toBe('legion-shop-controller');
  expect(formatWindowName({ issue: 'ENG-21', mode: 'implement' })).toBe('implement-eng-21');
});

test('names contain nothing that tmux would read as a target or a command, and different ids have different names', () => {
  const ids = ['a.b-1', 'a:b-1', 'a_b-1', 'a/1', 'a b', 'a#(id)', '$1', '@2', 'a;', 'Ü'];
  const names = ids.map((issue) => formatWindowName({ issue, mode: 'plan' }));
  for (const name of names) expect(name).toMatch(/^plan-[a-z0-9_-]+$/);
  expect(new Set(names).size).toBe(ids.length);
  expect(formatSessionName('acme/5')).toMatch(/^legion-acme_5-[0-9a-f]{8}-controller$/);
  expect(names[0]).toMatch(/^plan-a_b-1-[0-9a-f]{8}$/);
});
