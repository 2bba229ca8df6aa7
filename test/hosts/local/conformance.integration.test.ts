/** The local host keeps the contract of the host. */
import { hostConformance } from '../../ports/host/conformance.ts';
import { localHarness } from './host-setup.ts';

hostConformance('local', localHarness);
