/** Where files go, by the XDG base directory specification. */
import { isAbsolute, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandHome, legionPaths } from '../../src/config/paths.ts';
import { assertProperty } from '../support/property.ts';
import { accepted, refusalOf } from './resolving.ts';

const HOME = '/home/me';
const TEAM = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

test('in the home folder by default', () => {
  const paths = accepted(legionPaths({ HOME }));
  expect(paths.clone('github.com', 'acme', 'app')).toBe(
    '/home/me/.local/share/legion/repos/github.com/acme/app',
  );
  expect(paths.workspace(TEAM, 'eng-7')).toBe(`/home/me/.local/share/legion/workspaces/${TEAM}/eng-7`);
  expect(paths.state('mine')).toBe('/home/me/.local/state/legion/legions/mine');
});

test('where the XDG variables say, but a relative or empty one is ignored', () => {
  const data = accepted(legionPaths({ HOME, XDG_DATA_HOME: '/data', XDG_STATE_HOME: 'state' }));
  expect(data.workspaces('mine')).toBe('/data/legion/workspaces/mine');
  expect(data.state('mine')).toBe('/home/me/.local/state/legion/legions/mine');
  const empty = accepted(legionPaths({ HOME, XDG_DATA_HOME: '' }));
  expect(empty.workspaces('mine')).toBe('/home/me/.local/share/legion/workspaces/mine');
  expect(accepted(legionPaths({ XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' })).state('mine')).toBe(
    '/s/legion/legions/mine',
  );
});

test('without any place to go', () => {
  expect(refusalOf(legionPaths({}))).toMatchObject({
    code: 'config.home_missing',
    message: 'neither HOME nor XDG_DATA_HOME is an absolute path',
  });
  expect(refusalOf(legionPaths({ XDG_DATA_HOME: '/d', HOME: '.' })).message).toContain('XDG_STATE_HOME');
});

test('no name leaves its folder or meets another', () => {
  const paths = accepted(legionPaths({ HOME }));
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '.', '', '/', '../..', 'A', 'a', 'a/b', 'a\0b'),
  );
  assertProperty(
    fc.property(hostile, hostile, (legion, issue) => {
      const below = relative(paths.workspaces(legion), paths.workspace(legion, issue));
      expect(below).toMatch(/^[^/]+$/);
      expect(below).not.toBe('..');
      expect(isAbsolute(below)).toBe(false);
      expect(paths.state(legion) === paths.state(issue)).toBe(legion === issue);
    }),
  );
});

test('~/ is the home of the user', () => {
  expect(accepted(expandHome('~/keys/a.pem', { HOME }))).toBe('/home/me/keys/a.pem');
  expect(accepted(expandHome('/srv/~/a', {}))).toBe('/srv/~/a');
  expect(refusalOf(expandHome('~/a', {})).code).toBe('config.home_missing');
});
