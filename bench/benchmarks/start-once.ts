/** Opens the journal named on the command line, brings the state up, and prints how many ms that took. */
import { loadSwarm } from '../../src/daemon/load-swarm.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

const begun = performance.now();
const journal = await openSqliteJournal(process.argv[2] ?? '');
const { swarm } = await loadSwarm(journal);
const took = performance.now() - begun;
if (swarm.ignored > 0 || swarm.version === 0) throw new Error('the journal did not fold');
await journal.close();
process.stdout.write(`${took}`);
