/** The local host keeps the contract of the host. */
import { hostConformance } from '../conformance.ts';
import { localHarness } from './harness.ts';

hostConformance('local', localHarness);
