type Judged = { code: number; passed: number; failed: number }
type Result = Judged & { part: string; seconds: number }

export function judge(code: number, report?: { numPassedTests?: number; numFailedTests?: number }): Judged
export function describeResults(results: readonly Result[]): string
export function exitCodeOf(results: readonly Result[]): number
