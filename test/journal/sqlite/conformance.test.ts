/** SQLite keeps the contract of the journal. */
import { journalConformance } from '../conformance.ts';
import { sqliteHarness } from './harness.ts';

journalConformance('SQLite', sqliteHarness);
