/**
 * Fails a unit test that leaves a timer behind. Unit tests cannot leave a process or a port,
 * because they are not allowed to open any.
 */
import { failOnLeftovers, listHandles } from './fail-on-leftovers.ts';

failOnLeftovers(listHandles);
