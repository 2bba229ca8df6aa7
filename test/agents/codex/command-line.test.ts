import { expect, test } from 'vitest';
import { buildCodexCommand, isThreadId } from '../../../src/agents/codex/dialect.ts';
import { THREAD } from './recorded.ts';

test('starts or continues a thread, and reads the prompt from standard input', () => {
  const flags = [
    ...['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...['--dangerously-bypass-hook-trust', '--ignore-rules'],
  ];
  expect(buildCodexCommand('/bin/codex', undefined)).toEqual(['/bin/codex', 'exec', ...flags, '-']);
  expect(buildCodexCommand('codex', THREAD)).toEqual(['codex', 'exec', 'resume', ...flags, THREAD, '-']);
});

test('accepts only well-formed thread ids, because Codex would start a new thread for anything else', () => {
  expect(isThreadId(THREAD)).toBe(true);
  for (const native of [undefined, '', '--last', 'not-a-thread', `${THREAD}x`, `${THREAD}\n`])
    expect(isThreadId(native)).toBe(false);
});
