/** The Linear tracker keeps the contract of the tracker. */
import { trackerConformance } from '../conformance.ts';
import { linearHarness } from './harness.ts';

trackerConformance('linear', linearHarness);
