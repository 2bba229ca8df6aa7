/** The GitHub tracker keeps the contract of the tracker. */
import { trackerConformance } from '../conformance.ts';
import { githubHarness } from './harness.ts';

trackerConformance('github', githubHarness);
