/** The file itself: missing, unreadable, too large, not a file, not text. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/legion/load.ts';
import { LEGION_FILE_MOST_BYTES } from '../../src/config/legion/schema.ts';
import { useFolder } from './folder.ts';
import { accepted, refusalOf } from './resolving.ts';

/** Of every Unix; Node has no call for it. */
const MAKE_PIPE = 'mkfifo';

const at = useFolder();
const load = (path: string, named = true) => loadConfig({ path, named }, { flags: [], environment: {} });

test('a file that was named must exist; one that Legion only looks for need not', () => {
  const path = at('legion.yaml');
  expect(refusalOf(load(path))).toMatchObject({ code: 'config.missing', message: `${path}: is not there` });
  expect(accepted(load(path, false)).config.port).toBe(13_370);
});

test('a mistake is reported with the path as it was given', () => {
  writeFileSync(at('legion.yaml'), 'port: x');
  expect(refusalOf(load(at('legion.yaml'))).message).toMatch(`${at('legion.yaml')}:1:7: port: expected`);
});

test('a folder', () => {
  mkdirSync(at('legion.yaml'));
  const message = `${at('legion.yaml')}: is a folder, expected a file`;
  expect(refusalOf(load(at('legion.yaml'), false))).toMatchObject({ code: 'config.unreadable', message });
});

test('a named pipe is refused without waiting for a writer', () => {
  execFileSync(MAKE_PIPE, [at('pipe')]);
  const message = `${at('pipe')}: is not an ordinary file`;
  expect(refusalOf(load(at('pipe')))).toMatchObject({ code: 'config.unreadable', message });
});

test('a file of somebody else', () => {
  writeFileSync(at('legion.yaml'), '');
  chmodSync(at('legion.yaml'), 0);
  const message = `${at('legion.yaml')}: may not be read by the user Legion runs as`;
  asNobody(() => {
    expect(refusalOf(load(at('legion.yaml'), false))).toMatchObject({ code: 'config.unreadable', message });
  });
});

test('links are followed, circles are not', () => {
  writeFileSync(at('real.yaml'), 'port: 1');
  symlinkSync(at('real.yaml'), at('link.yaml'));
  symlinkSync(at('round.yaml'), at('round.yaml'));
  expect(accepted(load(at('link.yaml'))).config.port).toBe(1);
  expect(refusalOf(load(at('round.yaml'))).code).toBe('config.unreadable');
});

test('ten megabytes are refused unread, the largest allowed file is read', () => {
  writeFileSync(at('legion.yaml'), `# ${'x'.repeat(10_000_000)}`);
  const message = `${at('legion.yaml')}: is larger than ${LEGION_FILE_MOST_BYTES} bytes`;
  expect(refusalOf(load(at('legion.yaml')))).toMatchObject({ code: 'config.too_large', message });
  writeFileSync(at('legion.yaml'), `#${'x'.repeat(LEGION_FILE_MOST_BYTES - 1)}`);
  expect(accepted(load(at('legion.yaml'))).config.port).toBe(13_370);
});

test('bytes that are no UTF-8', () => {
  for (const bytes of [[0xff, 0xfe, 0x61, 0x00], [0x70, 0xc3], [0xed, 0xa0, 0x80], [0x80]]) {
    writeFileSync(at('legion.yaml'), Buffer.from(bytes));
    const message = `${at('legion.yaml')}: is not UTF-8 text`;
    expect(refusalOf(load(at('legion.yaml')))).toMatchObject({ code: 'config.syntax', message });
  }
});

/** Root may read everything, so it stops being root for a moment. */
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
