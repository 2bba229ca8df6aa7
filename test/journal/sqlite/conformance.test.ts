/** Runs the journal conformance suite on the SQLite journal. */
import { journalConformance } from '../../ports/journal/conformance.ts';
import { sqliteHarness } from './open-journal.ts';

journalConformance('SQLite', sqliteHarness);
