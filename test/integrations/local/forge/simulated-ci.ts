/** A CI whose results the test controls. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCi } from '../../../../src/integrations/local/forge/ci.ts';

type Verdict = 'passed' | 'failed' | 'could_not_run';

export interface SayingCi {
  readonly run: RunCi;
  says(verdict: Verdict | 'running'): void;
  /** Ends all running checks. */
  release(): void;
}

export function sayingCi(): SayingCi {
  let verdict: Verdict | 'running' = 'passed';
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const go of waiting) go();
    waiting.clear();
  };
  return {
    async run(checkout, sha, signal) {
      if (!existsSync(join(checkout, 'app.txt'))) throw new Error(`${checkout} is not a checkout`);
      while (verdict === 'running' && !signal.aborted) {
        await new Promise<void>((go) => {
          waiting.add(go);
          signal.addEventListener('abort', () => go(), { once: true });
        });
      }
      return {
        verdict: verdict === 'running' ? 'could_not_run' : verdict,
        name: 'unit',
        logTail: `log of ${sha}`,
      };
    },
    says(next) {
      verdict = next;
      wake();
    },
    release: wake,
  };
}
