/** What a part of a test run came to. A failure outside a test counts as one: types, lint, a file that does not load. */
export function judge(code, { numPassedTests: passed = 0, numFailedTests: failed = 0 } = {}) {
  return { code, passed, failed: code === 0 ? failed : Math.max(failed, 1) }
}

/** The time of each part, and as the last line the number of tests over all of them. */
export function describeResults(results) {
  const total = (field) => results.reduce((all, result) => all + result[field], 0)
  return [...results.map(describe), '', `${total('passed')} passed, ${total('failed')} failed`].join('\n')
}

/** The run failed as its first part that failed did. */
export function exitCodeOf(results) {
  return results.find(({ code }) => code !== 0)?.code ?? 0
}

function describe({ part, code, seconds, passed, failed }) {
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const tests = passed + failed > 0 ? `  ${passed} passed, ${failed} failed` : ''
  return `${part.padEnd(10)}${time.padStart(6)}  ${code === 0 ? 'ok    ' : 'failed'}${tests}`.trimEnd()
}
