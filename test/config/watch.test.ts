/** Tests live reload with real files: edited, replaced, broken, removed and created again. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config/legion/resolve.ts';
import { type ConfigChanges, type ConfigWatch, watchConfig } from '../../src/config/watch.ts';
import type { Fault } from '../../src/core/model/fault.ts';
import { useFolder } from './folder.ts';
import { accepted } from './resolving.ts';

const at = useFolder();
const open: ConfigWatch[] = [];
afterEach(() => {
  for (const watch of open.splice(0)) watch.close();
});

/**
 * `SETTLED_MS` is longer than two reads of the file, and `POLLED_MS` is longer than one poll
 * followed by a second read.
 */
const SETTLED_MS = 500;
const POLLED_MS = 2_700;

/** Every change is noticed within one poll. The limit allows for a busy machine. */
const PATIENCE_MS = 10_000;

test('applies a change and reports which keys changed and which of them need a restart', async () => {
  const { watch, changes } = start('port: 1\nlimits: {workers: 2}\n');
  writeFileSync(at('legion.yaml'), 'port: 2\nlimits: {workers: 3}\nworkspaces: {root: /big}\n');
  await vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: PATIENCE_MS });
  expect(changes[0]).toEqual({
    keys: ['limits.workers', 'port', 'workspaces.root'],
    needRestart: ['port', 'workspaces.root'],
  });
  expect(watch.current().config.limits.workers).toBe(3);
  expect(watch.current().sources.get('port')).toMatchObject({ from: 'file', line: 1 });
});

test('follows the file when an editor replaces it repeatedly', async () => {
  const { watch, changes } = start('limits: {workers: 1}');
  for (const workers of [2, 3, 4]) {
    writeFileSync(at('.legion.yaml.swp'), `limits: {workers: ${workers}}`);
    renameSync(at('.legion.yaml.swp'), at('legion.yaml'));
    await vi.waitFor(() => expect(watch.current().config.limits.workers).toBe(workers), {
      timeout: PATIENCE_MS,
    });
  }
  expect(changes.map(({ keys }) => keys)).toEqual([
    ['limits.workers'],
    ['limits.workers'],
    ['limits.workers'],
  ]);
});

test('ignores an invalid file and reports it once, until the problem changes or is fixed', async () => {
  const { watch, changes, faults } = start('limits: {workers: 1}');
  writeFileSync(at('legion.yaml'), 'limits: {workers: many}');
  await vi.waitFor(() => expect(faults).toHaveLength(1), { timeout: PATIENCE_MS });
  await pause(POLLED_MS);
  expect(faults.map(({ code }) => code)).toEqual(['config.invalid']);
  expect(watch.fault()?.message).toContain('limits.workers: expected a whole number');
  expect(watch.current().config.limits.workers).toBe(1);
  writeFileSync(at('legion.yaml'), 'limits: [');
  await vi.waitFor(
    () => expect(faults.map(({ code }) => code)).toEqual(['config.invalid', 'config.syntax']),
    {
      timeout: PATIENCE_MS,
    },
  );
  writeFileSync(at('legion.yaml'), 'limits: {workers: 5}');
  await vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: PATIENCE_MS });
  expect([watch.fault(), watch.current().config.limits.workers, faults.length]).toEqual([undefined, 5, 2]);
});

test('keeps the last values of a removed file, and reads the file when it is created again', async () => {
  const { watch, changes, faults } = start('limits: {workers: 7}');
  await pause(SETTLED_MS);
  rmSync(at('legion.yaml'));
  await vi.waitFor(() => expect(faults.map(({ code }) => code)).toEqual(['config.missing']), {
    timeout: PATIENCE_MS,
  });
  expect(watch.current().config.limits.workers).toBe(7);
  writeFileSync(at('legion.yaml'), 'limits: {workers: 8}');
  await vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: PATIENCE_MS });
  expect([watch.fault(), watch.current().config.limits.workers]).toEqual([undefined, 8]);
});

test('detects by polling that the folder was removed and recreated with the file', async () => {
  const { watch } = start('limits: {workers: 7}');
  await pause(SETTLED_MS);
  rmSync(at(), { recursive: true });
  await vi.waitFor(() => expect(watch.fault()?.code).toBe('config.missing'), { timeout: PATIENCE_MS });
  mkdirSync(at());
  writeFileSync(at('legion.yaml'), 'limits: {workers: 9}');
  await vi.waitFor(() => expect(watch.current().config.limits.workers).toBe(9), { timeout: PATIENCE_MS });
});

test('detects by polling that the file behind a link has changed', async () => {
  mkdirSync(at('elsewhere'));
  writeFileSync(at('elsewhere', 'real.yaml'), 'limits: {workers: 1}');
  symlinkSync(at('elsewhere', 'real.yaml'), at('legion.yaml'));
  const { watch } = start();
  await pause(SETTLED_MS);
  writeFileSync(at('elsewhere', 'real.yaml'), 'limits: {workers: 2}');
  await vi.waitFor(() => expect(watch.current().config.limits.workers).toBe(2), { timeout: PATIENCE_MS });
});

test('after a hundred quick edits, has the values of the last edit, with no errors and few reports', async () => {
  const { watch, changes, faults } = start('limits: {workers: 500}');
  for (let edit = 1; edit <= 100; edit += 1) {
    writeFileSync(at('legion.yaml'), '');
    writeFileSync(at('legion.yaml'), `limits: {workers: ${edit}}\n`);
    await pause(5);
  }
  await vi.waitFor(() => expect(watch.current().config.limits.workers).toBe(100), { timeout: PATIENCE_MS });
  expect(faults).toEqual([]);
  expect(changes.length).toBeLessThan(10);
});

describe('watching reports nothing', () => {
  test('for comments, layout, other files, or a key that a flag overrides', async () => {
    const { changes, faults } = start('port: 5', [{ key: 'port', name: '--port', text: '6' }]);
    writeFileSync(at('legion.yaml'), '# a comment\nport:   7\n');
    writeFileSync(at('other.yaml'), 'port: x');
    await pause(POLLED_MS);
    expect([changes, faults]).toEqual([[], []]);
  });

  test('for a file that does not exist, and applies the file once it is created', async () => {
    const { watch, changes, faults } = start();
    await pause(POLLED_MS);
    expect([changes, faults, watch.fault()]).toEqual([[], [], undefined]);
    writeFileSync(at('legion.yaml'), 'auto_advance: false');
    await vi.waitFor(() => expect(changes).toEqual([{ keys: ['auto_advance'], needRestart: [] }]), {
      timeout: PATIENCE_MS,
    });
  });

  test('after close, which may be called twice and at any moment', async () => {
    const { watch, changes } = start('port: 1');
    await pause(SETTLED_MS);
    writeFileSync(at('legion.yaml'), 'port: 2');
    await pause(20);
    watch.close();
    watch.close();
    await pause(POLLED_MS);
    expect(changes).toEqual([]);
    expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap');
  });
});

test('detects changes that happen between loading the file and starting to watch it', async () => {
  writeFileSync(at('legion.yaml'), 'port: 1');
  const initial = load();
  writeFileSync(at('legion.yaml'), 'port: 2');
  const changes: ConfigChanges[] = [];
  const listener = {
    changed: (_: unknown, change: ConfigChanges) => void changes.push(change),
    refused: () => {},
  };
  open.push(watchConfig(at('legion.yaml'), { flags: [], environment: {} }, initial, listener));
  await vi.waitFor(() => expect(changes).toEqual([{ keys: ['port'], needRestart: ['port'] }]));
});

function start(text?: string, flags: { key: string; name: string; text: string }[] = []) {
  if (text !== undefined) writeFileSync(at('legion.yaml'), text);
  const changes: ConfigChanges[] = [];
  const faults: Fault[] = [];
  const watch = watchConfig(at('legion.yaml'), { flags, environment: {} }, load(flags), {
    changed: (_, change) => changes.push(change),
    refused: (fault) => faults.push(fault),
  });
  open.push(watch);
  return { watch, changes, faults };
}

function load(flags: { key: string; name: string; text: string }[] = []) {
  return accepted(loadConfig({ path: at('legion.yaml'), named: false }, { flags, environment: {} }));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
