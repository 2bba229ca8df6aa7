/** Runs the host conformance suite on the local host. */
import { hostConformance } from '../../ports/host/conformance.ts';
import { localHarness } from './host-setup.ts';

hostConformance('local', localHarness);
