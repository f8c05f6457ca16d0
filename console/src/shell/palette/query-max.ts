/** The service refuses a search for longer texts. */
export const queryMax = 100
