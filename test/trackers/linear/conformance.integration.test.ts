/** The Linear tracker keeps the contract of the tracker. */

import { linearHarness } from '../../integrations/linear/tracker/tracker-setup.ts';
import { trackerConformance } from '../../ports/tracker/conformance.ts';

trackerConformance('linear', linearHarness);
