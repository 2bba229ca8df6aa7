/**
 * Fakes the `claude` executable, to produce output that the real one produces too rarely or too
 * slowly.
 */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

export interface FakeClaude {
  readonly folder: string;
  readonly program: string;
  /** One entry per start: the session option and the prompt. */
  calls(): readonly { readonly way: string; readonly prompt: string }[];
}

/**
 * `script` is POSIX shell code; `$way` is `--session-id` or `--resume`, `$prompt` the line on
 * standard input.
 */
export function fakeClaude(script: string): FakeClaude {
  const folder = mkdtempSync(join(inject('scratch'), 'fake-claude-'));
  const program = join(folder, 'claude');
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  const wayOf = 'way=; for word; do case $word in --session-id|--resume) way=$word;; esac; done';
  const noted = `printf '%s\\t%s\\n' "$way" "$prompt" >> '${log}'`;
  const turn = `if [ "$1" = -p ]; then ${wayOf}; IFS= read -r prompt; ${noted}; fi`;
  writeFileSync(program, `#!/bin/sh\n${turn}\n${script}\n`);
  chmodSync(program, 0o700);
  return {
    folder,
    program,
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [way = '', prompt = ''] = line.split('\t');
          return { way, prompt: JSON.parse(prompt).message.content[0].text };
        }),
  };
}
