/** What is promised in seconds is measured on machines that others use too: a promise that is not kept fails each time. */
export const PROMISED_IN_SECONDS = { retry: 2 };
