import { expect, test } from 'vitest';
import { sessionName, windowName } from '../../src/views/tmux/names.ts';

test('a session is named after its legion, a window after the mode and the issue', () => {
  expect(sessionName('shop')).toBe('legion-shop-controller');
  expect(windowName({ issue: 'ENG-21', mode: 'implement' })).toBe('implement-ENG-21');
});

test('nothing is left that tmux would read as a target or a command, and no two ids share a name', () => {
  const ids = ['a.b-1', 'a:b-1', 'a_b-1', 'a/1', 'a b', 'a#(id)', '$1', '@2', 'a;', 'Ü'];
  const names = ids.map((issue) => windowName({ issue, mode: 'plan' }));
  for (const name of names) expect(name).toMatch(/^plan-[A-Za-z0-9_-]+$/);
  expect(new Set(names).size).toBe(ids.length);
  expect(sessionName('acme/5')).toMatch(/^legion-acme_5-[0-9a-f]{8}-controller$/);
  expect(names[0]).toMatch(/^plan-a_b-1-[0-9a-f]{8}$/);
});
