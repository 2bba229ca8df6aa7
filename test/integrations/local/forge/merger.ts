/**
 * Runs as a separate process: opens a forge and merges a pull request. Prints a line when the merge
 * begins and when it ends.
 */
import { LegionError } from '../../../../src/core/model/fault.ts';
import { openLocalForge } from '../../../../src/integrations/local/forge/local-forge.ts';
import { settableClock } from '../../../ports/forge/clock.ts';

const [repository = '', state = '', number = '', headSha = '', baseSha = ''] = process.argv.slice(2);
const { PATH, HOME } = process.env;

const forge = await openLocalForge({
  repository,
  state,
  base: 'main',
  identity: { name: 'Legion', email: 'legion@example.org' },
  clock: settableClock(),
  environment: { PATH, HOME },
});
process.stdout.write('merging\n');
try {
  process.stdout.write(`${(await forge.merge(Number(number), { headSha, baseSha })).mergedSha}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof LegionError ? error.code : String(error)}\n`);
}
await forge.close();
