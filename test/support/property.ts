/** Property tests: a tenth of the runs in `npm test`, all of them in `npm run test:long`. */
import fc from 'fast-check';
import { effort } from './effort.ts';

/** The default of fast-check. */
const DEFAULT_RUNS = 100;
/** With fewer runs a property would hardly meet more than its simplest inputs. */
const MIN_RUNS = 10;

/** Fails with the counterexample and the seed, which `LEGION_SEED` replays. */
export function assertProperty<Ts>(property: fc.IProperty<Ts>, given?: fc.Parameters<Ts>): void {
  fc.assert(property, scale(given));
}

/** The same for a property that has to be awaited. */
export async function assertAsyncProperty<Ts>(
  property: fc.IAsyncProperty<Ts>,
  given?: fc.Parameters<Ts>,
): Promise<void> {
  await fc.assert(property, scale(given));
}

function scale<Ts>(given: fc.Parameters<Ts> = {}): fc.Parameters<Ts> {
  const { LEGION_SEED } = process.env;
  const { numRuns = DEFAULT_RUNS } = given;
  const few = Math.min(numRuns, Math.max(MIN_RUNS, Math.ceil(numRuns / 10)));
  return {
    ...given,
    numRuns: effort(few, numRuns),
    ...(LEGION_SEED === undefined ? {} : { seed: Number(LEGION_SEED) }),
    reporter: report,
  };
}

function report<Ts>(details: fc.RunDetails<Ts>): void {
  if (!details.failed) return;
  const { seed, runConfiguration } = details;
  const replay = `Replay: LEGION_SEED=${seed}, ${runConfiguration.numRuns} runs`;
  throw new Error(`${fc.defaultReportMessage(details)}\n\n${replay}`, { cause: details.errorInstance });
}
