/** What people read beside a resource that cannot deliver yet. */
export const setupNotFinished = 'Setup is not finished'
