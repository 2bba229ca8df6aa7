/** Which machines Legion says it runs on: the same in package.json and README, and true for every package of an install. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(read('package-lock.json'));

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

/** The oldest ones that package.json allows, the newest of those lines, and the one that comes with Legion. */
const SUPPORTED = ['20.19.0', '20.20.2', '22.12.0', manifest.dependencies.node];

describe('a fresh npm install', () => {
  test.each(SUPPORTED)('prints no engine warning on Node %s', (version) => {
    const warned = Object.entries(lock.packages)
      // npm leaves an optional package out without a warning.
      .filter(([, { optional, engines }]) => optional !== true && !accepts(engines?.node ?? '*', version))
      .map(([path, { engines }]) => `${path} needs ${engines?.node}`);
    expect(warned).toEqual([]);
  });
});

test('package.json and README name the same Node versions and platforms', () => {
  expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0');
  expect(manifest.os).toEqual(['linux']);
  const readme = read('README.md');
  expect(readme).toContain('Node 20.19 or newer (from Node 22 on: 22.12)');
  expect(readme).toContain('Linux or WSL2');
  expect(readme).toContain('macOS is not supported yet');
});

test.each([
  ['^20.19.0 || >=22.12.0', '20.19.0', true],
  ['^20.19.0 || >=22.12.0', '20.18.9', false],
  ['^20.19.0 || >=22.12.0', '21.0.0', false],
  ['>= 18', '20.19.0', true],
  ['>=18.12 <21', '22.0.0', false],
  ['18 || 20 || >=22', '20.19.0', true],
  ['>=22', '20.20.2', false],
  ['~20.19', '20.20.0', false],
  ['*', '20.19.0', true],
])('the range %s and the version %s', (range, version, expected) => {
  expect(accepts(range, version)).toBe(expected);
});

/** As npm reads the ranges that packages use for their engines. */
function accepts(range: string, version: string): boolean {
  return range.split('||').some((set) => {
    const comparators = set
      .replace(/([<>=^~])\s+/g, '$1')
      .split(/\s+/)
      .filter(Boolean);
    return comparators.every((comparator) => satisfies(comparator, version));
  });
}

function satisfies(comparator: string, version: string): boolean {
  const [, sign = '', rest = ''] = /^(>=|<=|>|<|=|\^|~)?v?(.*)$/.exec(comparator) ?? [];
  if (rest === '*' || rest === 'x') return true;
  const parts = rest.split('.').filter((part) => /^\d+$/.test(part));
  const order = compare(version, parts.join('.'));
  if (sign === '>=') return order >= 0;
  if (sign === '<') return order < 0;
  if (sign === '>') return order > 0;
  if (sign === '<=') return order <= 0;
  // `^20.19.0` stays within the major version, `~20.19` within the minor one, and `20` within what it names.
  const fixed = sign === '^' ? 1 : sign === '~' ? Math.min(2, parts.length) : parts.length;
  const isWithin = version.split('.').slice(0, fixed).join('.') === parts.slice(0, fixed).join('.');
  return isWithin && order >= 0;
}

function compare(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => version.split('.').map(Number));
  for (let index = 0; index < 3; index += 1) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
