import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readReference } from '../../src/config/secret-reference.ts';

function secretFile(content: string | Uint8Array, mode = 0o600): string {
  const path = join(mkdtempSync(join(inject('scratch'), 'secret-')), 'secret');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function refusal(reference: string, environment: Record<string, string> = {}) {
  const read = readReference(reference, environment);
  if (read.ok) throw new Error('was read');
  expect(`${read.fault.message} ${read.fault.next}`).not.toContain('canary');
  return read.fault;
}

describe('a reference to a variable', () => {
  it('returns the trimmed value of the variable', () => {
    expect(readReference('env:TOKEN', { TOKEN: ' canary\n' })).toEqual({ ok: true, value: 'canary' });
  });

  it.each([{}, { TOKEN: '' }, { TOKEN: ' \n' }])(
    'fails in the environment %j and reports the variable’s name',
    (environment) => {
      const fault = refusal('env:TOKEN', environment);
      expect(fault).toMatchObject({
        code: 'config.secret_missing',
        message: expect.stringContaining('TOKEN'),
      });
    },
  );
});

describe('a reference to a file', () => {
  it('returns the text of the file without leading and trailing line breaks, but keeps those inside the text', () => {
    expect(readReference(`file:${secretFile('\ncanary\nkey\n\n')}`, {})).toEqual({
      ok: true,
      value: 'canary\nkey',
    });
  });

  it('may start with ~/ and may point to a symbolic link', () => {
    const path = secretFile('canary');
    const home = join(path, '..');
    symlinkSync(path, join(home, 'link'));
    expect(readReference('file:~/secret', { HOME: home })).toEqual({ ok: true, value: 'canary' });
    expect(readReference('file:~/link', { HOME: home })).toEqual({ ok: true, value: 'canary' });
    expect(refusal('file:~/secret').code).toBe('config.invalid');
  });

  it.each([0o640, 0o604, 0o620, 0o644, 0o666])('is refused if the file has the permissions %o', (mode) => {
    const path = secretFile('canary', mode);
    const fault = refusal(`file:${path}`);
    expect(fault.code).toBe('config.secret_exposed');
    expect(fault.message).toContain(path);
    expect(fault.next).toContain('chmod 600');
  });

  it('reports a missing, empty, oversized or non-text file, and a folder in place of a file', () => {
    const path = secretFile('');
    const folder = join(path, '..', 'folder');
    mkdirSync(folder);
    const places = [
      `${path}-gone`,
      path,
      folder,
      secretFile('canary'.repeat(20_000)),
      secretFile(new Uint8Array([0xff, 0xfe, 0x00])),
    ];
    for (const place of places) {
      const fault = refusal(`file:${place}`);
      expect(fault).toMatchObject({ code: 'config.secret_missing', message: expect.stringContaining(place) });
    }
  });
});

describe('an invalid reference', () => {
  it.each(['canary', 'file:relative/canary-less', 'env:', 'file:', 'https://canary', ''])(
    '%j is refused',
    (reference) => {
      const read = readReference(reference, {});
      expect(read).toMatchObject({ ok: false, fault: { code: 'config.invalid' } });
      if (!read.ok && !reference.startsWith('file:')) expect(read.fault.message).not.toContain('canary');
    },
  );
});
