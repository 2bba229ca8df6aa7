import { expect, test } from 'vitest';
import { legion } from './legion.ts';

test('without a command it shows what there is', async () => {
  const { code, stdout } = await legion();
  expect(code).toBe(0);
  expect(stdout).toContain('replay  fold a journal again and show any moment of it');
});

test.each([['frobnicate'], ['constructor'], ['__proto__'], ['']])(
  'refuses the unknown command %j',
  async (name) => {
    const { code, stdout, stderr } = await legion(name);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `legion: ${JSON.stringify(name)} is not a command of legion [usage.invalid]\n` +
        'Run `legion --help`, or `legion COMMAND --help`.\n',
    );
  },
);

test('says an error as one JSON object where JSON was asked for', async () => {
  const { code, stderr } = await legion('replay', '--json', '--at', 'yesterday-ish', 'x.db');
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'usage.invalid',
      message: '--at "yesterday-ish" is neither a version nor a time',
      next: 'Run `legion --help`, or `legion COMMAND --help`.',
    },
  });
});
