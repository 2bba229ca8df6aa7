/** Opens the journal named on the command line, loads the state, and prints the duration in ms. */
import { loadState } from '../../src/daemon/context/journal-ledger.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

const begun = performance.now();
const journal = await openSqliteJournal(process.argv[2] ?? '');
const { state } = await loadState(journal);
const took = performance.now() - begun;
if (state.ignored > 0 || state.version === 0) throw new Error('The journal could not be folded.');
await journal.close();
process.stdout.write(`${took}`);
