/**
 * Tests errors about the file itself: missing, unreadable, too large, not a regular file, or not
 * text.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/legion/resolve.ts';
import { MAX_LEGION_FILE_BYTES } from '../../src/config/legion/schema.ts';
import { useFolder } from './folder.ts';
import { accepted, refusalOf } from './resolving.ts';

/** Program that creates named pipes, because Node has no function for this. It exists on every Unix. */
const MAKE_PIPE = 'mkfifo';

const at = useFolder();
const load = (path: string, named = true) => loadConfig({ path, named }, { flags: [], environment: {} });

test('requires the file to exist if the user specified it, but not if it is the default file', () => {
  const path = at('legion.yaml');
  expect(refusalOf(load(path))).toMatchObject({ code: 'config.missing', message: `${path}: does not exist` });
  expect(accepted(load(path, false)).config.port).toBe(13_370);
});

test('reports a problem with the path exactly as the user gave it', () => {
  writeFileSync(at('legion.yaml'), 'port: x');
  expect(refusalOf(load(at('legion.yaml'))).message).toMatch(`${at('legion.yaml')}:1:7: port: expected`);
});

test('refuses a folder', () => {
  mkdirSync(at('legion.yaml'));
  const message = `${at('legion.yaml')}: is a folder, expected a file`;
  expect(refusalOf(load(at('legion.yaml'), false))).toMatchObject({ code: 'config.unreadable', message });
});

test('refuses a named pipe without waiting for a writer', () => {
  execFileSync(MAKE_PIPE, [at('pipe')]);
  const message = `${at('pipe')}: is not a regular file`;
  expect(refusalOf(load(at('pipe')))).toMatchObject({ code: 'config.unreadable', message });
});

test('refuses a file that only another user can read', () => {
  writeFileSync(at('legion.yaml'), '');
  chmodSync(at('legion.yaml'), 0);
  const message = `${at('legion.yaml')}: cannot be read by the user that Legion runs as`;
  asNobody(() => {
    expect(refusalOf(load(at('legion.yaml'), false))).toMatchObject({ code: 'config.unreadable', message });
  });
});

test('follows links unless they are circular', () => {
  writeFileSync(at('real.yaml'), 'port: 1');
  symlinkSync(at('real.yaml'), at('link.yaml'));
  symlinkSync(at('round.yaml'), at('round.yaml'));
  expect(accepted(load(at('link.yaml'))).config.port).toBe(1);
  expect(refusalOf(load(at('round.yaml'))).code).toBe('config.unreadable');
});

test('refuses a file of ten megabytes without reading it, and reads the largest allowed file', () => {
  writeFileSync(at('legion.yaml'), `# ${'x'.repeat(10_000_000)}`);
  const message = `${at('legion.yaml')}: is larger than ${MAX_LEGION_FILE_BYTES} bytes`;
  expect(refusalOf(load(at('legion.yaml')))).toMatchObject({ code: 'config.too_large', message });
  writeFileSync(at('legion.yaml'), `#${'x'.repeat(MAX_LEGION_FILE_BYTES - 1)}`);
  expect(accepted(load(at('legion.yaml'))).config.port).toBe(13_370);
});

test('refuses bytes that are not UTF-8', () => {
  for (const bytes of [[0xff, 0xfe, 0x61, 0x00], [0x70, 0xc3], [0xed, 0xa0, 0x80], [0x80]]) {
    writeFileSync(at('legion.yaml'), Buffer.from(bytes));
    const message = `${at('legion.yaml')}: is not UTF-8 text`;
    expect(refusalOf(load(at('legion.yaml')))).toMatchObject({ code: 'config.syntax', message });
  }
});

/** Root can read everything, so the process briefly switches to another user. */
function asNobody(work: () => void): void {
  const NOBODY = 65_534;
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.(NOBODY);
  try {
    work();
  } finally {
    if (user === 0) process.seteuid?.(user);
  }
}
