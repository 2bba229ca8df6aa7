/** Fails a unit test that leaves a timer behind; it cannot leave a process or a port. */
import { failOnLeftovers, listHandles } from './fail-on-leftovers.ts';

failOnLeftovers(listHandles);
