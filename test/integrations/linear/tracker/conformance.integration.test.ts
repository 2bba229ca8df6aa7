/** Runs the conformance suite on the Linear tracker. */
import { trackerConformance } from '../../../ports/tracker/conformance.ts';
import { linearHarness } from './tracker-setup.ts';

trackerConformance('linear', linearHarness);
