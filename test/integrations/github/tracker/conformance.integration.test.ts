/** Runs the conformance suite on the GitHub tracker. */
import { trackerConformance } from '../../../ports/tracker/conformance.ts';
import { githubHarness } from './tracker-setup.ts';

trackerConformance('github', githubHarness);
