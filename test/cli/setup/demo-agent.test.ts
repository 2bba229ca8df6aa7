import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newHome } from '../support/home.ts';
import { perform } from '../support/in-process.ts';

const home = newHome();
afterAll(() => home.remove());
const folder = join(home.folder, 'demo');

/** Runs the demo with no agent on the PATH. */
const demo = (...args: string[]) =>
  perform(
    { cwd: home.folder, env: { ...home.env, PATH: '/usr/bin:/bin' } },
    'demo',
    '--folder',
    folder,
    ...args,
  );

test.for([
  ['--agent codex', 'agent.not_ready', /codex is not on the PATH.*npm install/],
  ['--agent nobody', 'usage.invalid', /--agent takes claude-code, opencode, codex, got "nobody"/],
  ['--model-url http://127.0.0.1:1', 'usage.invalid', /need --agent/],
] as const)(
  '`legion demo %s` is rejected with the error %s before anything is created',
  async ([args, code, says]) => {
    const { error } = await demo(...args.split(' '));
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(existsSync(folder)).toBe(false);
  },
);
