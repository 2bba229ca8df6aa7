/** SQLite keeps the contract of the journal. */
import { journalConformance } from '../../ports/journal/conformance.ts';
import { sqliteHarness } from './open-journal.ts';

journalConformance('SQLite', sqliteHarness);
