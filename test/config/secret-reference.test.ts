import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readReference } from '../../src/config/reference.ts';

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
  it('is its value, trimmed', () => {
    expect(readReference('env:TOKEN', { TOKEN: ' canary\n' })).toEqual({ ok: true, value: 'canary' });
  });

  it.each([{}, { TOKEN: '' }, { TOKEN: ' \n' }])('to nothing (%j) names the variable', (environment) => {
    const fault = refusal('env:TOKEN', environment);
    expect(fault).toMatchObject({ code: 'config.secret_missing', message: expect.stringContaining('TOKEN') });
  });
});

describe('a reference to a file', () => {
  it('is its text, without the line breaks around it but with those inside', () => {
    expect(readReference(`file:${secretFile('\ncanary\nkey\n\n')}`, {})).toEqual({
      ok: true,
      value: 'canary\nkey',
    });
  });

  it('may begin at the home folder, and may be a link', () => {
    const path = secretFile('canary');
    const home = join(path, '..');
    symlinkSync(path, join(home, 'link'));
    expect(readReference('file:~/secret', { HOME: home })).toEqual({ ok: true, value: 'canary' });
    expect(readReference('file:~/link', { HOME: home })).toEqual({ ok: true, value: 'canary' });
    expect(refusal('file:~/secret').code).toBe('config.invalid');
  });

  it.each([0o640, 0o604, 0o620, 0o644, 0o666])('with the rights %o is not used', (mode) => {
    const path = secretFile('canary', mode);
    const fault = refusal(`file:${path}`);
    expect(fault.code).toBe('config.secret_exposed');
    expect(fault.message).toContain(path);
    expect(fault.next).toContain('chmod 600');
  });

  it('that is not there, empty, a folder, too large or no text says so', () => {
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

describe('what is no reference', () => {
  it.each(['canary', 'file:relative/canary-less', 'env:', 'file:', 'https://canary', ''])(
    '%j is refused',
    (reference) => {
      const read = readReference(reference, {});
      expect(read).toMatchObject({ ok: false, fault: { code: 'config.invalid' } });
      if (!read.ok && !reference.startsWith('file:')) expect(read.fault.message).not.toContain('canary');
    },
  );
});
