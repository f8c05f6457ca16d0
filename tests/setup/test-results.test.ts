import { expect, test } from 'vitest'
import { describeResults, exitCodeOf, judge } from '../../scripts/test-results.mjs'

const results = [
  { part: 'types', ...judge(2), seconds: 7 },
  { part: 'lint', ...judge(0), seconds: 4 },
  { part: 'unit', ...judge(0, { numPassedTests: 2914, numFailedTests: 0 }), seconds: 31 },
  { part: 'service', ...judge(1, { numPassedTests: 3001, numFailedTests: 2 }), seconds: 245 },
  // A file that does not load has no failed test.
  { part: 'browser', ...judge(1, { numPassedTests: 40, numFailedTests: 0 }), seconds: 60 },
]

test('a run ends with the time of each part and the number of tests, where a failure outside a test counts as one', () => {
  expect(describeResults(results).split('\n')).toEqual([
    'types       0:07  failed  0 passed, 1 failed',
    'lint        0:04  ok',
    'unit        0:31  ok      2914 passed, 0 failed',
    'service     4:05  failed  3001 passed, 2 failed',
    'browser     1:00  failed  40 passed, 1 failed',
    '',
    '5955 passed, 4 failed',
  ])
})

test('a run fails as its first part that failed, and a run without failures succeeds', () => {
  expect(exitCodeOf(results)).toBe(2)
  expect(exitCodeOf(results.slice(1, 3))).toBe(0)
})
