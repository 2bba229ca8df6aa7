/** Runs property tests: a tenth of the runs in `npm test`, all of them in `npm run test:long`. */
import fc from 'fast-check';
import { chooseByEffort } from './effort.ts';

/** fast-check's default. */
const DEFAULT_RUNS = 100;
/** Fewer runs would test little more than the simplest inputs of a property. */
const MIN_RUNS = 10;

/**
 * Checks a property. A failure shows the counterexample and the seed; setting `LEGION_SEED` replays
 * that run.
 */
export function assertProperty<Ts>(property: fc.IProperty<Ts>, given?: fc.Parameters<Ts>): void {
  fc.assert(property, scale(given));
}

/** Async variant of `assertProperty`. */
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
    numRuns: chooseByEffort(few, numRuns),
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
