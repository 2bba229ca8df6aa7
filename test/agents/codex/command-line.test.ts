import { expect, test } from 'vitest';
import { commandLine, isThread } from '../../../src/agents/codex/command-line.ts';
import { THREAD } from './recorded.ts';

test('a thread is begun, or gone on with, and the prompt comes on standard input', () => {
  const flags = [
    ...['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...['--dangerously-bypass-hook-trust', '--ignore-rules'],
  ];
  expect(commandLine('/bin/codex', undefined)).toEqual(['/bin/codex', 'exec', ...flags, '-']);
  expect(commandLine('codex', THREAD)).toEqual(['codex', 'exec', 'resume', ...flags, THREAD, '-']);
});

test('only what has the form of a thread is one: with anything else Codex would begin a new one', () => {
  expect(isThread(THREAD)).toBe(true);
  for (const native of [undefined, '', '--last', 'not-a-thread', `${THREAD}x`, `${THREAD}\n`])
    expect(isThread(native)).toBe(false);
});
